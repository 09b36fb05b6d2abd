//! Language, messages, numbers, units. Knows no model and no page.

mod de;
mod en;
mod messages;
pub mod number;
pub mod quantity;

pub use messages::{Messages, fill};

use serde::{Deserialize, Serialize};

/// A language of the site. A new one is a variant here, a message file beside this one and a text file in each folder of `content/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// German, the first language of the readers.
    De,
    /// English.
    #[default]
    En,
}

impl Lang {
    /// Every language, in the order in which they are offered.
    pub const ALL: [Lang; 2] = [Lang::De, Lang::En];

    /// The BCP 47 code, which is also the first segment of a page's address.
    pub const fn code(self) -> &'static str {
        match self {
            Lang::De => "de",
            Lang::En => "en",
        }
    }

    /// The language's name in itself.
    pub const fn name(self) -> &'static str {
        match self {
            Lang::De => "Deutsch",
            Lang::En => "English",
        }
    }

    /// The language whose code begins `tag` (`de`, `de-AT`, …), if it is one of ours.
    pub fn from_tag(tag: &str) -> Option<Lang> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        Lang::ALL.into_iter().find(|lang| lang.code().eq_ignore_ascii_case(primary))
    }

    /// The message file of the language.
    pub const fn messages(self) -> &'static Messages {
        match self {
            Lang::De => &de::MESSAGES,
            Lang::En => &en::MESSAGES,
        }
    }
}

/// A short text in every language, for rows of tables that live in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// The German text.
    pub de: &'static str,
    /// The English text.
    pub en: &'static str,
}

impl Text {
    /// A text that is the same in every language: a name, a symbol, a unit.
    pub const fn same(text: &'static str) -> Text {
        Text { de: text, en: text }
    }

    /// The text in `lang`.
    pub const fn in_lang(self, lang: Lang) -> &'static str {
        match lang {
            Lang::De => self.de,
            Lang::En => self.en,
        }
    }
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Text {
        Text::same(text)
    }
}
