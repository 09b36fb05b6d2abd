//! The charts that have an address of their own, for pages that show a picture and no calculator.

use super::answers;
use super::charts::{Chart, chart};
use super::claims::Claim;
use crate::chart::ChartSpec;
use crate::locale::Lang;
use crate::scenario::Scenario;

/// Width and height of a chart in a file of its own, CSS pixels, title and edges not counted.
pub const SIZE: (f64, f64) = (640.0, 400.0);

/// A chart with an address.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Stable name: the chart's key, or `claim-` and the claim's letter.
    pub name: String,
    /// The chart.
    pub chart: ChartSpec,
    /// The scenario, as a calculator's address takes it.
    pub query: &'static str,
}

impl Picture {
    /// The path from the site's root of the file that ends in `extension` (`svg`, `png`).
    pub fn path(&self, lang: Lang, extension: &str) -> String {
        format!("charts/{}.{}.{extension}", self.name, lang.code())
    }

    /// The picture in words, for those who do not see it.
    pub fn alternative(&self) -> String {
        format!("{}. {}", self.chart.title.trim_end_matches('.'), self.chart.caption)
    }
}

/// Every chart in the default scenario, and that of each claim that has one.
pub fn pictures(lang: Lang) -> Vec<Picture> {
    // The default scenario does not contradict itself; a test holds that its charts are here.
    let default = answers(&Scenario::default()).ok();
    let of_chart =
        |kind: &Chart| Some(Picture { name: kind.key().to_string(), chart: chart(*kind, default.as_ref()?, lang), query: "v=1" });
    let of_claim = |claim: &Claim| {
        let name = claim.key();
        let mut chart = claim.show(lang)?.chart?;
        chart.id.clone_from(&name);
        Some(Picture { name, chart, query: claim.link() })
    };
    Chart::ALL.iter().filter_map(of_chart).chain(Claim::ALL.iter().filter_map(of_claim)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chart_and_every_claim_has_one_picture() {
        for lang in Lang::ALL {
            let names: Vec<String> = pictures(lang).into_iter().map(|picture| picture.name).collect();
            let charts = ["time-gpus", "cost-gpus", "time-bandwidth", "cost-bandwidth"].map(String::from);
            assert_eq!(names, charts.into_iter().chain(Claim::ALL.map(Claim::key)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn words_stand_for_the_picture() {
        for picture in pictures(Lang::De) {
            let words = picture.alternative();
            assert!(words.starts_with(&picture.chart.title) && words.len() > picture.chart.title.len() + 20, "{words}");
        }
    }
}
