//! The launch plan of the present answers, file by file.

use crate::export::launch::{DEFAULT_IMAGE, Engine, File, files, of_answers};
use crate::locale::Lang;
use crate::report::Answers;
use crate::ui::save::{copy_text, save};
use crate::ui::state::use_state;
use leptos::prelude::*;

/// The files of an engine, or why there are none.
fn plan(answers: &Answers, engine: Engine, name: &str, lang: Lang) -> Result<Vec<File>, String> {
    let estimate = if engine.one_machine() { &answers.single } else { &answers.cluster };
    if !estimate.fits {
        return Err(lang.messages().launch_unfit.to_string());
    }
    files(engine, &of_answers(answers, estimate, name.to_string(), DEFAULT_IMAGE.to_string())).map_err(|error| error.words(lang))
}

/// The tab: an engine, a name, and the files, to copy or to save.
#[component]
pub fn LaunchPanel() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let engine = RwSignal::new(Engine::Torchrun);
    let name = RwSignal::new("crossover".to_string());
    let made = Memo::new(move |_| state.worked.with(|w| plan(&w.answers, engine.get(), &name.get(), lang)));
    let options = Engine::ALL.map(|one| view! { <option value=one.key()>{one.name()}</option> });
    let choose = move |key: String| {
        if let Some(chosen) = Engine::from_key(&key) {
            engine.set(chosen);
        }
    };
    let shown = |file: File| {
        let (for_copy, for_save) = (file.content.clone(), file.content.clone());
        view! {
            <section class="launch-file">
                <h3><code>{file.name.clone()}</code></h3>
                <p class="actions">
                    <button type="button" on:click=move |_| copy_text(&for_copy)>{m.launch_copy}</button>
                    <a href="#content" download=file.name.clone() aria-label=format!("{}: {}", m.launch_save, file.name) on:click=move |event| save(&event, "text/plain", &for_save)>{m.launch_save}</a>
                </p>
                <pre tabindex="0"><code>{file.content}</code></pre>
            </section>
        }
        .into_any()
    };
    view! {
        <p class="finding">{m.launch_intro}</p>
        <div class="launch-choice">
            <label>{m.launch_engine}" "<select data-launch="engine" on:change:target=move |event| choose(event.target().value())>{options.collect_view()}</select></label>
            <label>{m.launch_name}" "<input type="text" data-launch="name" maxlength="80" value="crossover" on:input:target=move |event| name.set(event.target().value())/></label>
        </div>
        {move || match made.get() {
            Ok(files) => files.into_iter().map(shown).collect_view().into_any(),
            Err(words) => view! { <p class="notices remarks" role="alert">{words}</p> }.into_any(),
        }}
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answers;
    use crate::scenario::url;

    #[test]
    fn every_engine_has_files_or_a_reason() {
        let default = answers(&url::read("").scenario).unwrap();
        for engine in Engine::ALL {
            assert!(plan(&default, engine, "a \"name\"", Lang::En).is_ok_and(|files| !files.is_empty()), "{engine:?}");
        }
        let large = answers(&url::read("v=1&params=1e13&gpus=8").scenario).unwrap();
        assert_eq!(plan(&large, Engine::Slurm, "x", Lang::De), Err(Lang::De.messages().launch_unfit.to_string()));
    }

    #[test]
    fn what_is_wrong_is_said_in_the_language_of_the_page() {
        let default = answers(&url::read("").scenario).unwrap();
        let words = |lang| plan(&default, Engine::Slurm, &"x".repeat(301), lang).unwrap_err();
        assert_eq!(words(Lang::De), "Name: ist länger als 300 Zeichen");
        assert_eq!(words(Lang::En), "name: is longer than 300 characters");
        let mpi = answers(&url::read("v=1&backend=mpi").scenario).unwrap();
        let words = |lang| plan(&mpi, Engine::Ray, "x", lang).unwrap_err();
        assert!(words(Lang::De).contains("startet keine MPI-Prozesse") && words(Lang::En).contains("starts no MPI processes"));
    }
}
