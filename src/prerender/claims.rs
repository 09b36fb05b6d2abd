//! Each claim alone, for a frame: `embed/claim-LETTER/LANG/`, with the messages to its host.

use super::{PrerenderError, write};
use crate::chart::escaped;
use crate::content::site as site_text;
use crate::locale::Lang;
use crate::pages::claim::EmbeddedClaim;
use crate::report::claims::Claim;
use leptos::prelude::*;
use std::path::Path;

/// Writes every claim in every language, with the style sheets of `shell` and the address of the program that brings it to life.
pub fn write_all(folder: &Path, shell: &str, calculator: &str) -> Result<(), PrerenderError> {
    let styles: String = shell.split_inclusive('>').filter_map(style_sheet).collect();
    for lang in Lang::ALL {
        for claim in Claim::ALL {
            write(&folder.join(claim.path(lang)).join("index.html"), page(&styles, calculator, claim, lang).as_bytes())?;
        }
    }
    Ok(())
}

/// The reference to a style sheet that `piece` of the shell ends with.
fn style_sheet(piece: &str) -> Option<String> {
    let tag = &piece[piece.rfind("<link")?..];
    tag.contains("rel=\"stylesheet\"").then(|| format!("{tag}\n"))
}

fn page(styles: &str, calculator: &str, claim: Claim, lang: Lang) -> String {
    let body = Owner::new().with(|| view! { <EmbeddedClaim claim lang/> }.to_html());
    let text = site_text(lang);
    include_str!("claim.html")
        .replacen("<!--lang-->", lang.code(), 1)
        .replacen("<!--claim-->", &claim.key(), 1)
        .replacen("<!--title-->", &escaped(&format!("{} · {}", text.embed.title, text.name)), 1)
        .replacen("<!--calculator-->", calculator, 1)
        .replacen("<!--alive-->", include_str!("../../scripts/claims.js"), 1)
        .replacen("<!--styles-->\n", styles, 1)
        .replacen("<!--body-->", &body, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_sheets_come_along_and_nothing_else() {
        let shell = "<link rel=\"icon\" href=\"a.svg\"><link rel=\"stylesheet\" href=\"./b.css\"/>\n<script>x</script><link rel=\"preload\" href=\"c\">";
        assert_eq!(shell.split_inclusive('>').filter_map(style_sheet).collect::<String>(), "<link rel=\"stylesheet\" href=\"./b.css\"/>\n");
    }

    #[test]
    fn a_claim_stands_alone_with_its_finding_and_leads_to_its_scenario() {
        for claim in Claim::ALL {
            let html = page("", "./calculator-3c", claim, Lang::De);
            let shown = claim.show(Lang::De).unwrap();
            assert!(html.contains(&escaped(&shown.finding)) && !html.contains("<!--"), "{}", claim.key());
            assert_eq!(html.contains("<svg"), shown.chart.is_some(), "{}", claim.key());
            assert!(html.contains(&format!("?{}\" target=\"_blank\"", escaped(claim.link()))), "{html}");
        }
    }
}
