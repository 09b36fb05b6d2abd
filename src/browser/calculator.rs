//! The program of the calculator page: every living part, and the claims of all pages.

#[cfg(target_arch = "wasm32")]
mod embedded {
    use crossover::browser::element;
    use crossover::browser::trials;
    use wasm_bindgen::JsValue;
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

    /// A calculator or a claim in an element of somebody else's page, until it is freed.
    #[wasm_bindgen]
    pub struct Embedding(element::Embedding);

    #[wasm_bindgen]
    impl Embedding {
        /// Does what the page around asks for.
        pub fn hear(&self, message: &JsValue) {
            self.0.hear(message);
        }
    }

    /// Puts the calculator, or a claim, into `root`.
    #[wasm_bindgen]
    pub fn embed(root: web_sys::HtmlElement, query: &str, calculator: String, tell: js_sys::Function) -> Embedding {
        Embedding(element::embed(root, query, calculator, tell))
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
