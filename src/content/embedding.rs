//! The texts of the embedding page.

use super::{MethodSection, PageText};

/// The texts of the embedding page in one language.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddingText {
    /// Segment of its address.
    pub slug: &'static str,
    /// Its name in the navigation.
    pub nav: &'static str,
    /// Title, description, lead.
    pub page: PageText,
    /// How to go on where no script runs.
    pub without_script: &'static str,
    /// Heading over the choices.
    pub choose: &'static str,
    /// What is shown.
    pub view: &'static str,
    /// The whole calculator.
    pub view_calculator: &'static str,
    /// One chart; `{chart}` says which.
    pub view_chart: &'static str,
    /// The answers alone.
    pub view_table: &'static str,
    /// Over the claims.
    pub view_claim: &'static str,
    /// What "as the device" means in a frame and in an element.
    pub theme_note: &'static str,
    /// Width.
    pub width: &'static str,
    /// What an empty width means.
    pub width_note: &'static str,
    /// Height.
    pub height: &'static str,
    /// Width or height is no number in its range.
    pub size_wrong: &'static str,
    /// The field for a calculator's link.
    pub link: &'static str,
    /// What it takes.
    pub link_note: &'static str,
    /// It holds no link.
    pub link_unreadable: &'static str,
    /// The link carries no scenario.
    pub link_empty: &'static str,
    /// The link has settings that the calculator does not know: `{keys}`.
    pub link_unknown: &'static str,
    /// Heading over the live calculator.
    pub preview: &'static str,
    /// Heading over the snippets.
    pub code: &'static str,
    /// Name of the frame's snippets.
    pub frame: &'static str,
    /// Name of the element's snippets.
    pub element: &'static str,
    /// Name of the snippet that loads the element's script.
    pub script: &'static str,
    /// Name of the bare address.
    pub address: &'static str,
    /// Copies a snippet.
    pub copy: &'static str,
    /// It was copied.
    pub copied: &'static str,
    /// The browser refused; the snippet is selected.
    pub copy_refused: &'static str,
    /// Hosts that take HTML.
    pub host_pages: &'static str,
    /// What they need (plain).
    pub host_pages_note: &'static str,
    /// Sphinx.
    pub host_sphinx: &'static str,
    /// What it needs (plain).
    pub host_sphinx_note: &'static str,
    /// Docusaurus.
    pub host_docusaurus: &'static str,
    /// What it needs (plain).
    pub host_docusaurus_note: &'static str,
    /// JupyterLab.
    pub host_jupyter: &'static str,
    /// What it needs (plain).
    pub host_jupyter_note: &'static str,
    /// Hosts that take an address.
    pub host_address: &'static str,
    /// What they need (plain).
    pub host_address_note: &'static str,
    /// Heading over the pictures.
    pub pictures: &'static str,
    /// What they are (plain).
    pub pictures_note: &'static str,
    /// Link to a picture's scenario in the calculator.
    pub picture_open: &'static str,
    /// Sections after that.
    pub sections: &'static [MethodSection],
}
