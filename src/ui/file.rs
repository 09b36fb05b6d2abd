//! A file that the reader picks, read in the browser and sent nowhere.

use leptos::ev::Event;

/// Calls `take` with the text of the file that was picked in the input of this event.
#[cfg(target_arch = "wasm32")]
pub fn read_file(event: &Event, take: impl Fn(String) + 'static) {
    use wasm_bindgen::JsCast;
    let input = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
    let Some(file) = input.and_then(|input| input.files()).and_then(|files| files.get(0)) else { return };
    leptos::task::spawn_local(async move {
        // A file that cannot be read is no runs, which is said.
        let text = wasm_bindgen_futures::JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string()).unwrap_or_default();
        take(text);
    });
}

/// Nothing is picked before the program runs.
#[cfg(not(target_arch = "wasm32"))]
pub fn read_file(_: &Event, _: impl Fn(String) + 'static) {}
