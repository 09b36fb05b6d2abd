//! The decision helper's words.

use super::Way;
use crate::locale::quantity::{ANSWER_DIGITS, bytes, count, dollars, duration, percent};
use crate::locale::{Lang, Text, fill, number};

/// A figure of a sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// Seconds.
    Time(f64),
    /// Bytes.
    Bytes(f64),
    /// US dollars.
    Usd(f64),
    /// A share, 0 to 1.
    Share(f64),
    /// A number of things.
    Count(f64),
    /// A way's name.
    Way(Way),
    /// So many of a GPU with this name.
    Gpus(u32, &'static str),
}

/// A sentence with its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// The sentence, with places.
    pub words: Text,
    /// What stands in the places.
    pub figures: Vec<(&'static str, Figure)>,
}

pub(super) fn reason(words: Text, figures: Vec<(&'static str, Figure)>) -> Reason {
    Reason { words, figures }
}

impl Figure {
    fn in_lang(self, lang: Lang) -> String {
        match self {
            Figure::Time(seconds) => duration(seconds, ANSWER_DIGITS, lang),
            Figure::Bytes(value) => bytes(value, ANSWER_DIGITS, lang),
            Figure::Usd(usd) => dollars(usd, ANSWER_DIGITS, lang),
            Figure::Share(share) => percent(share, ANSWER_DIGITS, lang),
            Figure::Count(value) => count(value, 3, lang),
            Figure::Way(way) => way.name().in_lang(lang).to_string(),
            Figure::Gpus(gpus, name) => format!("{} × {name}", number::fixed(f64::from(gpus), 0, lang)),
        }
    }
}

impl Reason {
    /// The sentence.
    pub fn in_lang(&self, lang: Lang) -> String {
        self.figures.iter().fold(self.words.in_lang(lang).to_string(), |text, (name, figure)| fill(&text, &[(name, &figure.in_lang(lang))]))
    }
}

impl Way {
    /// Its name, as it stands within a sentence.
    pub const fn name(self) -> Text {
        match self {
            Way::OneGpu => Text { de: "eine GPU", en: "one GPU" },
            Way::Machine => Text { de: "eine Maschine mit mehreren GPUs", en: "one machine with several GPUs" },
            Way::Cluster => Text { de: "ein Cluster", en: "a cluster" },
            Way::Federated => Text { de: "föderiertes Lernen", en: "federated learning" },
            Way::Seldom => {
                Text { de: "mehrere Maschinen mit seltenem Abgleich (DiLoCo)", en: "several machines that synchronise seldom (DiLoCo)" }
            }
        }
    }
}

macro_rules! texts {
    ($( $(#[$doc:meta])* $name:ident: $de:literal, $en:literal; )*) => {
        $( $(#[$doc])* pub const $name: Text = Text { de: $de, en: $en }; )*

        #[cfg(test)]
        const ALL: &[Text] = &[$( $name, )*];
    };
}

texts! {
    /// Heading of the helper.
    HEADING: "Entscheidungshilfe", "Decision helper";
    /// How it comes to its answers.
    INTRO: "Sechs Fragen. Die Antworten passen zunächst zum eingestellten Fall; jede lässt sich ändern.", "Six questions. The answers suit the present scenario at first; each can be changed.";
    /// The question that the model answers.
    MEMORY: "Passt das Modell auf eine GPU, auf eine Maschine? Berechnet:", "Does the model fit one GPU, one machine? Worked out:";
    /// Before the recommendation.
    ADVICE: "Empfehlung: ", "Recommendation: ";
    /// Before the other answers.
    CHANGES: "Was daran etwas ändert", "What would change it";
    /// Where no other answer leads elsewhere.
    STEADY: "Keine andere Antwort auf eine der Fragen allein.", "No other answer to one of the questions alone.";
    /// Time and cost.
    TAKES: "Der Lauf dauert {time} und kostet {cost}.", "The run takes {time} and costs {cost}.";
    /// Time alone.
    TAKES_ONLY: "Der Lauf dauert {time}.", "The run takes {time}.";
    /// A way that takes too long.
    LATE: "Zu langsam: {way}, {time}.", "Too slow: {way}, {time}.";
    /// No way is fast enough.
    MISSED: "Kein Weg ist schnell genug; dieser ist der schnellste.", "No way is fast enough; this one is the fastest.";
    /// The only way is too slow.
    OVERDUE: "Das ist länger, als Zeit ist.", "That is longer than there is time.";
    /// The simplest one.
    SIMPLEST: "Es ist der einfachste Weg, der schnell genug ist.", "It is the simplest way that is fast enough.";
    /// The cheapest one.
    CHEAPEST: "Kein anderer Weg, der schnell genug ist, ist merklich billiger.", "No other way that is fast enough is noticeably cheaper.";
    /// The model fits.
    FITS: "Es passt auf {hardware}: {needed} von {capacity} je GPU.", "It fits {hardware}: {needed} of {capacity} per GPU.";
    /// The model does not fit.
    UNFIT: "Auf {hardware} passt es nicht: Je GPU fehlen {missing}.", "It does not fit {hardware}: {missing} short on each GPU.";
    /// A larger cluster would hold it.
    FITS_FROM: "Erst ein Cluster ab {gpus} GPUs fasst das Modell.", "Only a cluster from {gpus} GPUs on holds the model.";
    /// No cluster would.
    NOWHERE: "Auch kein größerer Cluster dieser Art fasst das Modell: Es braucht GPUs mit mehr Speicher oder muss kleiner werden.", "No larger cluster of this kind holds the model either: it needs GPUs with more memory, or has to shrink.";
    /// Nobody runs a cluster.
    KEPT_ALONE: "Ohne jemanden, der einen Cluster betreibt, bleibt es bei einer Maschine.", "With nobody to run a cluster, one machine it is.";
    /// Somebody has to.
    NEEDS_CREW: "Jemand muss den Verbund betreiben: Ohne ihn geht es hier nicht.", "Somebody has to run the machines together: there is no way round it here.";
    /// Why to synchronise seldom.
    WAITS: "Mit Abgleich in jedem Schritt wartete ein Cluster {share} der Zeit auf diese Verbindung. Bei Abgleich alle {steps} Schritte dauert es {time} statt {cluster}; der Loss kann etwas schlechter ausfallen.", "Synchronising in every step, a cluster would wait for this link {share} of the time. Every {steps} steps, it takes {time} in place of {cluster}; the loss may come out somewhat worse.";
    /// The data stay.
    STAYS: "Jeder Standort trainiert auf seinen eigenen Daten; nur das Modell und seine Änderungen reisen.", "Every site trains on its own data; only the model and its updates travel.";
    /// What moves.
    MOVED: "Statt {raw} Rohdaten ({tokens} Token, angenommen als Nummern zu {each}) werden {updates} an Modell und Änderungen übertragen (Standorte: {sites}; Runden: {rounds}; je Standort und Runde hin und zurück {round}).", "In place of {raw} of raw data ({tokens} tokens, taken as ids of {each}), {updates} of model and updates are moved (sites: {sites}; rounds: {rounds}; there and back per site and round: {round}).";
    /// A site's machine is too small.
    SITE_LACKS: "Die Maschine eines Standorts ist dafür zu klein: Je GPU fehlen {missing}.", "A site’s machine is too small for it: {missing} short on each GPU.";
    /// All data in one place.
    ONE_SITE: "Liegen alle Daten an einem einzigen Ort, genügt dort eine eigene Maschine.", "If all of the data is in one single place, a machine of its own there is enough.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_places() {
        let places = |text: &str| {
            let mut names: Vec<String> = text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).map(String::from).collect();
            names.sort();
            names
        };
        for text in ALL {
            assert!(text.de != text.en && places(text.de) == places(text.en), "{}", text.en);
        }
    }

    #[test]
    fn a_sentence_has_its_figures_in_the_readers_format() {
        let sentence = reason(LATE, vec![("way", Figure::Way(Way::OneGpu)), ("time", Figure::Time(1.5 * 3600.0))]);
        assert_eq!(sentence.in_lang(Lang::De), "Zu langsam: eine GPU, 90\u{a0}min.");
        assert_eq!(sentence.in_lang(Lang::En), "Too slow: one GPU, 90\u{a0}min.");
    }
}
