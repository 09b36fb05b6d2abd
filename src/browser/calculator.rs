//! The program of the calculator page: every living part, and the claims of all pages.

#[cfg(target_arch = "wasm32")]
mod claims {
    use crossover::browser::trials;
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Brings to life the claim that `place` holds.
    #[wasm_bindgen]
    pub fn live(place: web_sys::HtmlElement) {
        trials::live(place);
    }

    /// Another page is shown, or another theme.
    #[wasm_bindgen]
    pub fn changed() {
        trials::changed();
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {
    crossover::browser::start(crossover::browser::Program::CALCULATOR);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("this program runs in the browser; the command line is `crossover`");
}
