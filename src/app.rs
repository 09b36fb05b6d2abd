//! The routes, and what lives above all pages: the state, the language, the brightness.

use crate::pages::Place;
use crate::pages::calculator::Calculator;
use crate::pages::comparison::ComparisonPage;
use crate::pages::embed::Embed;
use crate::pages::frame::{Footer, Header, Here, Theme, ThemeChoice};
use crate::pages::index::Index;
use crate::pages::method::Method;
use crate::pages::not_found::NotFound;
use crate::pages::root::Root;
use crate::ui::State;
use leptos::prelude::*;
use leptos_router::WildcardSegment;
use leptos_router::components::{FlatRoutes, Route, Router};
use leptos_router::hooks::use_location;

/// The app. `base` is the path of the site's root without its last slash; `query` the part of the address behind `?`.
#[component]
pub fn App(
    /// Path of the site's root.
    #[prop(into)]
    base: String,
    /// Query of the address at the start.
    #[prop(into)]
    query: String,
) -> impl IntoView {
    let site = {
        let base = base.clone();
        move || view! { <Site base=base.clone() query=query.clone()/> }
    };
    let nowhere = site.clone();
    // One route for all addresses: `Place` reads them, and the state above the pages lives on from page to page.
    view! {
        <Router base=base>
            <FlatRoutes fallback=nowhere>
                <Route path=WildcardSegment("path") view=site/>
            </FlatRoutes>
        </Router>
    }
}

#[component]
fn Site(base: String, query: String) -> impl IntoView {
    let location = use_location();
    let start = query.clone();
    let place = Memo::new(move |_| {
        let path = location.pathname.get();
        let query = location.search.get();
        Place::at(path.strip_prefix(base.as_str()).unwrap_or(&path), if query.is_empty() { &start } else { &query })
    });
    let lang = Memo::new(move |_| place.get().lang());
    let state = State::new(&query, lang);
    provide_context(state);
    provide_context(Here(place));
    provide_context(ThemeChoice(RwSignal::new(Theme::Auto)));
    #[cfg(target_arch = "wasm32")]
    crate::browser::connect(state, place);
    move || match place.get() {
        Place::Embed(lang) => view! { <Embed lang/> }.into_any(),
        place => view! { <Header/><main id="content" tabindex="-1">{page(place)}</main><Footer/> }.into_any(),
    }
}

fn page(place: Place) -> AnyView {
    match place {
        Place::Root => view! { <Root/> }.into_any(),
        Place::Index(lang) => view! { <Index lang/> }.into_any(),
        Place::Comparison(lang, comparison) => view! { <ComparisonPage lang comparison/> }.into_any(),
        Place::Calculator(lang) => view! { <Calculator lang/> }.into_any(),
        Place::Method(lang) => view! { <Method lang/> }.into_any(),
        Place::Embed(lang) => view! { <Embed lang/> }.into_any(),
        Place::NotFound(lang) => view! { <NotFound lang/> }.into_any(),
    }
}
