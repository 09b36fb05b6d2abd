//! How the answers are cited: BibTeX, and a citation file (CFF 1.2.0, citation-file-format.github.io).

use crate::locale::Lang;

const VERSION: &str = env!("CARGO_PKG_VERSION");

const fn title(lang: Lang) -> &'static str {
    match lang {
        Lang::De => "Crossover: verteiltes gegen zentrales Training, berechnet",
        Lang::En => "Crossover: distributed against centralised training, computed",
    }
}

/// The day, as `2026-12-31`, of a time in milliseconds since 1970 (the civil calendar, after Hinnant's days_from_civil).
pub fn date(now_ms: f64) -> String {
    let days = (now_ms / 86_400_000.0).floor() as i64 + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// A BibTeX entry for the answers behind `link`, read on `date`.
pub fn bibtex(link: &str, date: &str, lang: Lang) -> String {
    let year = date.split('-').next().unwrap_or_default();
    // Braces would end the field; a link has none left after this.
    let link = link.replace('{', "%7B").replace('}', "%7D");
    format!(
        "@misc{{crossover,\n  title = {{{{{}}}}},\n  author = {{{{The Crossover authors}}}},\n  year = {{{year}}},\n  version = {{{VERSION}}},\n  url = {{{link}}},\n  urldate = {{{date}}}\n}}\n",
        title(lang)
    )
}

/// A `CITATION.cff` for the answers behind `link`, read on `date`.
pub fn cff(link: &str, date: &str, lang: Lang) -> String {
    // JSON's strings are YAML's.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    format!(
        "cff-version: 1.2.0\nmessage: {}\ntitle: {}\nauthors:\n  - name: The Crossover authors\nversion: {}\ndate-released: {}\nurl: {}\nlicense:\n  - MIT\n  - Apache-2.0\n",
        quoted("Please cite the calculator with the link of the scenario."),
        quoted(title(lang)),
        quoted(VERSION),
        quoted(date),
        quoted(link)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_by_the_calendar() {
        assert_eq!(date(0.0), "1970-01-01");
        assert_eq!(date(951_782_400_000.0), "2000-02-29");
        assert_eq!(date(1_798_675_199_999.0), "2026-12-30");
        assert_eq!(date(1_798_761_600_000.0), "2027-01-01");
    }

    #[test]
    fn a_hostile_link_stays_in_its_field() {
        let link = "https://example.org/?x=}},evil={\"\n";
        let entry = bibtex(link, "2026-12-03", Lang::En);
        assert_eq!(entry.matches('{').count(), entry.matches('}').count(), "{entry}");
        assert!(entry.contains("year = {2026}") && entry.contains("urldate = {2026-12-03}"));
        let file = cff(link, "2026-12-03", Lang::De);
        assert_eq!(file.lines().count(), 11, "{file}");
    }
}
