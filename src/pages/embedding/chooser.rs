//! What can be chosen. The form is hidden until the page's script runs; its options carry all that the script needs to know.

use super::snippets;
use crate::content::site;
use crate::locale::{Lang, fill};
use crate::report::charts::Chart;
use crate::report::claims::Claim;
use crate::scenario::Param;
use leptos::prelude::*;

/// Height at which one chart, or the table, needs no scrolling at the width of a page.
const PART_HEIGHT: u32 = 520;
/// Height of a claim's sentence and link, of its chart, and of each row of its figures.
const CLAIM_HEIGHTS: (usize, usize, usize) = (180, 360, 30);
/// Widths and heights that are accepted.
const SIZES: (u32, u32) = (200, 4000);

/// The form.
#[component]
pub fn Chooser(
    /// The language.
    lang: Lang,
) -> impl IntoView {
    let text = &site(lang).embedding;
    let m = lang.messages();
    let chart = |kind: Chart| {
        let words = match kind {
            Chart::TimeGpus => m.chart_time_by_gpus,
            Chart::CostGpus => m.chart_cost_by_gpus,
            Chart::TimeBandwidth => m.chart_time_by_bandwidth,
            Chart::CostBandwidth => m.chart_cost_by_bandwidth,
        };
        view! { <option value=format!("chart {}", kind.key()) data-height=PART_HEIGHT>{fill(text.view_chart, &[("chart", words)])}</option> }
    };
    let claim = |claim: Claim| {
        let shown = claim.show(lang)?;
        let value = format!("claim {}", claim.letter().to_lowercase());
        let (words, chart, row) = CLAIM_HEIGHTS;
        let height = words + shown.chart.as_ref().map_or(0, |_| chart) + shown.table.map_or(0, |table| row * (table.rows.len() + 1));
        let picture = shown.chart.map(|_| claim.key());
        Some(view! { <option value=value data-height=height data-scenario=claim.link() data-picture=picture>{shown.finding}</option> })
    };
    let language = |of: Lang| {
        view! { <option value=of.code() selected=of == lang data-title=snippets::title(of) data-calculator=snippets::calculator(of) data-picture=of.messages().chart_time_by_gpus>{of.name()}</option> }
    };
    let example = format!("{}/{}?{}", snippets::HOST, snippets::calculator(lang), snippets::SCENARIO);
    let unreadable = fill(text.link_unreadable, &[("example", &example)]);
    let keys: Vec<&str> = Param::ALL.iter().map(|param| param.key()).collect();
    let wrong = fill(text.size_wrong, &[("min", &SIZES.0.to_string()), ("max", &SIZES.1.to_string())]);
    view! {
        <form class="chooser" data-chooser="" autocomplete="off" hidden>
            <p>
                <label for="choose-view">{text.view}</label>
                <select id="choose-view" name="view">
                    <option value="calculator" data-height=snippets::HEIGHT>{text.view_calculator}</option>
                    {Chart::ALL.map(chart).collect_view()}
                    <option value="table" data-height=PART_HEIGHT>{text.view_table}</option>
                    <optgroup label=text.view_claim>{Claim::ALL.map(claim).collect_view()}</optgroup>
                </select>
            </p>
            <p>
                <label for="choose-lang">{m.languages_label}</label>
                <select id="choose-lang" name="lang">{Lang::ALL.map(language).collect_view()}</select>
            </p>
            <p>
                <label for="choose-theme">{m.theme_label}</label>
                <select id="choose-theme" name="theme" aria-describedby="choose-theme-note">
                    <option value="light" data-background="#fbfaf7">{m.theme_light}</option>
                    <option value="dark" data-background="#12141a">{m.theme_dark}</option>
                    <option value="auto">{m.theme_auto}</option>
                </select>
                <small id="choose-theme-note">{text.theme_note}</small>
            </p>
            <p>
                <label for="choose-width">{text.width}</label>
                <input id="choose-width" name="width" type="number" min=SIZES.0 max=SIZES.1 step="1" inputmode="numeric" data-wrong=wrong.clone() aria-describedby="choose-width-note choose-width-error"/>
                <small id="choose-width-note">{text.width_note}</small>
                <strong id="choose-width-error" class="wrong" role="status"></strong>
            </p>
            <p>
                <label for="choose-height">{text.height}</label>
                <input id="choose-height" name="height" type="number" min=SIZES.0 max=SIZES.1 step="1" inputmode="numeric" value=snippets::HEIGHT required data-wrong=wrong aria-describedby="choose-height-error"/>
                <strong id="choose-height-error" class="wrong" role="status"></strong>
            </p>
            <p class="wide">
                <label for="choose-link">{text.link}</label>
                <input id="choose-link" name="link" type="text" inputmode="url" spellcheck="false" data-keys=keys.join(",") data-unreadable=unreadable data-empty=text.link_empty data-unknown=text.link_unknown aria-describedby="choose-link-note choose-link-error"/>
                <small id="choose-link-note">{text.link_note}</small>
                <strong id="choose-link-error" class="wrong" role="status"></strong>
            </p>
        </form>
    }
}
