//! How to embed the calculator: choose, see, copy. The page can be read without JavaScript; its script is `public/embedding.js`.

mod chooser;
pub mod snippets;

use super::Place;
use crate::chart::escaped;
use crate::content::embedding::EmbeddingText;
use crate::content::site;
use crate::locale::Lang;
use crate::report::pictures::{Picture, pictures};
use chooser::Chooser;
use leptos::prelude::*;
use snippets::Snippet;

/// The embedding page.
#[component]
pub fn Embedding(
    /// The language.
    lang: Lang,
) -> impl IntoView {
    let text = &site(lang).embedding;
    let section = |s: &crate::content::MethodSection| view! { <section id=s.id class="prose"><h2>{s.title}</h2><div inner_html=s.html></div></section> };
    view! {
        <div class="intro">
            <h1>{text.page.title}</h1>
            <p class="lead">{text.page.lead}</p>
        </div>
        <section aria-labelledby="choose">
            <h2 id="choose">{text.choose}</h2>
            <p class="prose" data-without-script="">{text.without_script}</p>
            <Chooser lang/>
        </section>
        <section aria-labelledby="preview">
            <h2 id="preview">{text.preview}</h2>
            <div class="preview" data-preview="" inner_html=snippets::frame("", lang, snippets::SCENARIO)></div>
        </section>
        <section class="hosts" aria-labelledby="code">
            <h2 id="code">{text.code}</h2>
            {hosts(text).into_iter().map(|host| view! { <Host host text/> }).collect_view()}
        </section>
        <section aria-labelledby="pictures">
            <h2 id="pictures">{text.pictures}</h2>
            <p class="prose">{text.pictures_note}</p>
            <ul class="pictures">{pictures(lang).into_iter().map(|picture| view! { <Shown picture lang/> }).collect_view()}</ul>
        </section>
        {text.sections.iter().map(section).collect_view()}
        <script defer src="embedding.js"></script>
    }
    .into_any()
}

/// A host, or several that take the same code.
struct Host {
    name: &'static str,
    note: &'static str,
    /// Each with its name.
    code: Vec<(&'static str, Snippet)>,
}

fn hosts(text: &EmbeddingText) -> [Host; 5] {
    let both = |frame, element| vec![(text.frame, frame), (text.element, element)];
    let mut docusaurus = both(snippets::DOCUSAURUS_IFRAME, snippets::DOCUSAURUS_COMPONENT);
    docusaurus.push((text.script, snippets::DOCUSAURUS_CONFIG));
    [
        Host { name: text.host_pages, note: text.host_pages_note, code: both(snippets::IFRAME, snippets::COMPONENT) },
        Host { name: text.host_sphinx, note: text.host_sphinx_note, code: both(snippets::SPHINX_IFRAME, snippets::SPHINX_COMPONENT) },
        Host { name: text.host_docusaurus, note: text.host_docusaurus_note, code: docusaurus },
        Host { name: text.host_jupyter, note: text.host_jupyter_note, code: both(snippets::JUPYTER_IFRAME, snippets::JUPYTER_COMPONENT) },
        Host { name: text.host_address, note: text.host_address_note, code: vec![(text.address, snippets::ADDRESS)] },
    ]
}

#[component]
fn Host(host: Host, text: &'static EmbeddingText) -> impl IntoView {
    let code = |(name, snippet): (&'static str, Snippet)| view! { <Code name=name.to_string() snippet=snippet.name code=snippet.text.trim_end().to_string() text/> };
    view! {
        <section>
            <h3>{host.name}</h3>
            <p>{host.note}</p>
            {host.code.into_iter().map(code).collect_view()}
        </section>
    }
}

/// Code with a button that copies it; the script shows the button.
#[component]
fn Code(name: String, snippet: &'static str, code: String, text: &'static EmbeddingText) -> impl IntoView {
    let label = format!("{}: {name}", text.copy);
    view! {
        <figure class="snippet" data-snippet=snippet>
            <figcaption>
                <span>{name}</span>
                <button type="button" data-copy="" aria-label=label hidden>{text.copy}</button>
                <span role="status" data-copied=text.copied data-refused=text.copy_refused></span>
            </figcaption>
            <pre tabindex="0"><code inner_html=escaped(&code)></code></pre>
        </figure>
    }
}

/// A picture with its addresses and its words.
#[component]
fn Shown(picture: Picture, lang: Lang) -> impl IntoView {
    let text = &site(lang).embedding;
    let (svg, png, words) = (picture.path(lang, "svg"), picture.path(lang, "png"), picture.alternative());
    let markdown = snippets::picture(lang, &svg, &words, picture.query);
    let open = format!("{}?{}", Place::Calculator(lang).path(), picture.query);
    view! {
        <li>
            <h3>{picture.chart.title.clone()}</h3>
            <a href=svg.clone() rel="external"><img src=svg.clone() alt=words loading="lazy" width="664" height="480"/></a>
            <p>
                <a href=svg.clone() rel="external">{svg.clone()}</a>" · "<a href=png.clone() rel="external">{png.clone()}</a>" · "
                <a href=open>{text.picture_open}</a>
            </p>
            <Code name=format!("Markdown, {}", picture.name) snippet="picture" code=markdown text/>
        </li>
    }
}
