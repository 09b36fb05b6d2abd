//! The texts of the embedding page: `[embedding]` of `content/site/LANG.toml` → a constant of `src/content/embedding.rs`.

use serde::Deserialize;

/// A part of the page in Markdown.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    pub id: String,
    pub title: String,
    pub text: String,
}

macro_rules! words {
    ($($name:ident),* $(,)?) => {
        /// Labels and messages.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Words { $($name: String),* }

        impl Words {
            /// As fields of the constant.
            fn fields(&self) -> String {
                [$(format!("{}: {:?}, ", stringify!($name), self.$name)),*].concat()
            }
        }
    };
}

words! {
    without_script, choose, view, view_calculator, view_chart, view_table, view_claim, theme_note, width, width_note, height, size_wrong,
    link, link_note, link_unreadable, link_empty, link_unknown,
    preview, code, frame, element, script, address, copy, copied, copy_refused,
    host_pages, host_pages_note, host_sphinx, host_sphinx_note, host_docusaurus, host_docusaurus_note, host_jupyter, host_jupyter_note, host_address,
    host_address_note, pictures, pictures_note, picture_open,
}

/// The texts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Embedding {
    title: String,
    nav: String,
    description: String,
    lead: String,
    words: Words,
    pub sections: Vec<Section>,
}

impl Embedding {
    /// The constant; `slug` is the page's, `html` makes HTML of Markdown.
    pub fn literal<Fault>(&self, slug: &str, html: impl Fn(&str) -> Result<String, Fault>) -> Result<String, Fault> {
        let mut sections = String::new();
        for Section { id, title, text } in &self.sections {
            sections.push_str(&format!("MethodSection {{ id: {id:?}, title: {title:?}, html: {:?} }}, ", html(text)?));
        }
        Ok(format!(
            "embedding::EmbeddingText {{ slug: {slug:?}, nav: {:?}, page: PageText {{ title: {:?}, description: {:?}, lead: {:?} }}, {}sections: &[{sections}] }}",
            self.nav,
            self.title,
            self.description,
            self.lead,
            self.words.fields()
        ))
    }
}
