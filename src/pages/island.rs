//! The parts of a page that live: each is prerendered in its place, and the running app takes that place over. All other text stays as it
//! stands in the page, so that no text is carried twice.

use super::actions::Actions;
use super::decision::Decision;
use super::instrument::{Charts, LiveSentence, MainSliders, Notices, PriceNote, Settings, Strip};
use super::panels::Explanations;
use crate::report::charts::Chart;
use crate::ui::theme::ThemeSwitch;
use leptos::prelude::*;

/// A living part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Island {
    /// The switch of brightness.
    ThemeSwitch,
    /// The scenario in a sentence.
    Sentence,
    /// What the reader must know.
    Notices,
    /// The three big sliders.
    Sliders,
    /// One machine and the cluster side by side.
    Strip,
    /// Time and cost over the number of GPUs.
    ChartsByGpus,
    /// Time over the bandwidth.
    ChartTimeBandwidth,
    /// Cost over the bandwidth.
    ChartCostBandwidth,
    /// All four charts.
    ChartsAll,
    /// Date and source of the price.
    PriceNote,
    /// Every setting.
    Settings,
    /// The tabs under the charts.
    Explanations,
    /// What can be taken away.
    Actions,
    /// The decision helper.
    Decision,
}

impl Island {
    /// Every living part.
    pub const ALL: [Island; 14] = [
        Island::ThemeSwitch,
        Island::Sentence,
        Island::Notices,
        Island::Sliders,
        Island::Strip,
        Island::ChartsByGpus,
        Island::ChartTimeBandwidth,
        Island::ChartCostBandwidth,
        Island::ChartsAll,
        Island::PriceNote,
        Island::Settings,
        Island::Explanations,
        Island::Actions,
        Island::Decision,
    ];

    /// Stable key, as in `data-island`.
    pub const fn key(self) -> &'static str {
        match self {
            Island::ThemeSwitch => "theme-switch",
            Island::Sentence => "sentence",
            Island::Notices => "notices",
            Island::Sliders => "sliders",
            Island::Strip => "strip",
            Island::ChartsByGpus => "charts-by-gpus",
            Island::ChartTimeBandwidth => "chart-time-bandwidth",
            Island::ChartCostBandwidth => "chart-cost-bandwidth",
            Island::ChartsAll => "charts-all",
            Island::PriceNote => "price-note",
            Island::Settings => "settings",
            Island::Explanations => "explanations",
            Island::Actions => "actions",
            Island::Decision => "decision",
        }
    }

    /// The part with this key.
    pub fn from_key(key: &str) -> Option<Island> {
        Island::ALL.into_iter().find(|island| island.key() == key)
    }

    /// What stands in its place.
    pub fn view(self) -> AnyView {
        match self {
            Island::Settings => view! { <Settings/> }.into_any(),
            Island::Explanations => view! { <Explanations/> }.into_any(),
            Island::Actions => view! { <Actions/> }.into_any(),
            part => part.light(),
        }
    }

    /// The same without the parts of the calculator page: all that the other pages load. Nothing for those.
    pub fn light(self) -> AnyView {
        match self {
            Island::ThemeSwitch => view! { <ThemeSwitch/> }.into_any(),
            Island::Sentence => view! { <LiveSentence/> }.into_any(),
            Island::Notices => view! { <Notices/> }.into_any(),
            Island::Sliders => view! { <MainSliders/> }.into_any(),
            Island::Strip => view! { <Strip/> }.into_any(),
            Island::ChartsByGpus => view! { <Charts charts=[Chart::TimeGpus, Chart::CostGpus]/> }.into_any(),
            Island::ChartTimeBandwidth => view! { <Charts charts=[Chart::TimeBandwidth]/> }.into_any(),
            Island::ChartCostBandwidth => view! { <Charts charts=[Chart::CostBandwidth]/> }.into_any(),
            Island::ChartsAll => view! { <Charts charts=Chart::ALL/> }.into_any(),
            Island::PriceNote => view! { <PriceNote/> }.into_any(),
            Island::Decision => view! { <Decision/> }.into_any(),
            Island::Settings | Island::Explanations | Island::Actions => ().into_any(),
        }
    }
}

/// The place of a living part, prerendered.
#[cfg(not(target_arch = "wasm32"))]
#[component]
pub fn Live(
    /// The part.
    island: Island,
) -> impl IntoView {
    view! { <div class="island" data-island=island.key()>{island.view()}</div> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_found_by_its_key() {
        for island in Island::ALL {
            assert_eq!(Island::from_key(island.key()), Some(island));
        }
        assert_eq!(Island::from_key("nothing"), None);
    }
}
