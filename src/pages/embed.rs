//! The compact calculator alone, for a frame in somebody else's page.

use super::Place;
use super::compact::compact;
use super::island::Live;
use crate::content::site;
use crate::locale::Lang;
use leptos::prelude::*;

/// A claim alone has a page of its own: its figures are fixed and need no program.
const TO_CLAIM: &str = "(() => {
  const asked = new URLSearchParams(location.search);
  if (asked.get('view') === 'claim' && /^[a-j]$/.test(asked.get('claim'))) location.replace(`embed/claim-${asked.get('claim')}/${asked.get('lang') === 'de' ? 'de' : 'en'}/${location.search}`);
})();";

/// The embedded page: no header, no footer, links in a new tab. Its few words stand there in every language; the stylesheet shows those of
/// the page's language, which the address names.
#[component]
pub fn Embed() -> impl IntoView {
    let title = |lang: Lang| view! { <span lang=lang.code()>{site(lang).embed.title}</span> };
    let foot = |lang: Lang| {
        view! { <a href=Place::Calculator(lang).reference() data-scenario="" lang=lang.code() target="_blank" rel="noopener">{lang.messages().embed_open}</a> }
    };
    view! {
        <script inner_html=TO_CLAIM></script>
        <main id="content" class="embed">
            <h1 class="sr-only by-language">{Lang::ALL.map(title).collect_view()}</h1>
            {compact(|island| view! { <Live island/> }.into_any())}
            <p class="embed-foot by-language">{Lang::ALL.map(foot).collect_view()}</p>
        </main>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::claims::Claim;

    #[test]
    fn the_page_knows_the_letter_of_every_claim() {
        let letters: Vec<&str> = Claim::ALL.iter().map(|claim| claim.letter()).collect();
        assert_eq!((letters[0], letters[letters.len() - 1], letters.len()), ("A", "J", 10));
        assert!(TO_CLAIM.contains("[a-j]") && Claim::ALL[0].path(Lang::De) == "embed/claim-a/de/");
    }
}
