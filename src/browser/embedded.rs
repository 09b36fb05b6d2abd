//! What an embedded calculator and the page around it say to each other: changes, questions; scenario, brightness, language. The same words
//! go out of a frame ([`super::frame`]) and into an element of that page ([`super::element`]).

use super::each_within;
use crate::locale::Lang;
use crate::model::Estimate;
use crate::report::Answers;
use crate::scenario::{Param, url};
use crate::ui::State;
use crate::ui::canvas::Colours;
use leptos::prelude::*;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlElement};

/// A calculator or a claim in somebody else's page.
#[derive(Clone)]
pub struct Embedded {
    /// The element that carries its brightness, its language and its view.
    pub root: Element,
    /// Its scenario.
    pub state: State,
    /// Its colours.
    pub colours: Colours,
    /// The part of its address behind `?`.
    pub query: String,
    /// Whether it is a claim: that answers no questions, and has a scenario of its own.
    pub claim: bool,
    /// Says something to the page around.
    pub tell: Rc<dyn Fn(&JsValue)>,
    /// Draws it anew in another language; without this it keeps its own.
    pub renew: Option<Rc<dyn Fn(Lang)>>,
}

impl Embedded {
    /// Takes its shape, and tells the page around of every change from now on.
    pub fn begin(&self) {
        self.shape();
        if self.claim {
            return;
        }
        let (state, tell) = (self.state, self.tell.clone());
        Effect::new(move |before: Option<()>| {
            let answers = state.answers();
            if before.is_some() {
                say(
                    &tell,
                    &format!(r#"{{"source":"crossover","type":"change","scenario":"{}","answers":{}}}"#, link(&answers), sides(&answers)),
                );
            }
        });
    }

    /// Does what the page around asks for.
    pub fn hear(&self, message: &JsValue) {
        let text = |key: &str| js_sys::Reflect::get(message, &JsValue::from_str(key)).ok().and_then(|value| value.as_string());
        if text("target").as_deref() != Some("crossover") {
            return;
        }
        match text("type").as_deref() {
            Some("set") => {
                if let Some(theme) = text("theme") {
                    self.brighten(&theme);
                }
                let lang = text("lang").as_deref().and_then(Lang::from_tag).filter(|lang| *lang != self.state.lang());
                if let (Some(lang), Some(renew)) = (lang, &self.renew) {
                    self.state.speak(lang);
                    renew(lang);
                    self.shape();
                }
                if let Some(scenario) = text("scenario") {
                    self.state.adopt(&scenario);
                }
            }
            Some("estimate") => self.answer(&text("id").unwrap_or_default(), &text("scenario").unwrap_or_default()),
            _ => {}
        }
    }

    /// What the address asks it to look like: one chart alone, settings hidden or locked.
    fn shape(&self) {
        for (key, value) in pairs(&self.query) {
            let params = || value.split(',').filter_map(Param::from_key);
            match key.as_ref() {
                // The attributes' names are valid.
                "view" => drop(self.root.set_attribute("data-view", &value)),
                "chart" => drop(self.root.set_attribute("data-chart-alone", &value)),
                "hide" => params().for_each(|param| self.each_of(param, "", |element| element.set_hidden(true))),
                "lock" => params().for_each(|param| {
                    self.state.lock(param);
                    self.each_of(param, " :is(input,select)", |element| drop(element.set_attribute("disabled", "")));
                }),
                _ => {}
            }
        }
    }

    fn each_of(&self, param: Param, inside: &str, act: impl Fn(HtmlElement)) {
        each_within(&self.root, &format!("[data-param={}]{inside}", param.key()), act);
    }

    /// Answers a question about a scenario that is not shown.
    fn answer(&self, id: &str, scenario: &str) {
        let wrong = |words: Vec<String>| format!(r#""error":{}"#, quoted(&words.join("; ")));
        let body = if self.claim {
            wrong(vec!["A claim has no calculator.".to_string()])
        } else {
            let read = url::read(scenario);
            if read.notices.is_empty() {
                match crate::report::answers(&read.scenario) {
                    Ok(answers) => format!(r#""answers":{}"#, sides(&answers)),
                    Err(conflicts) => wrong(conflicts.iter().map(|conflict| conflict.words(Lang::En)).collect()),
                }
            } else {
                wrong(read.notices.iter().map(|notice| notice.words(Lang::En)).collect())
            }
        };
        say(&self.tell, &format!(r#"{{"source":"crossover","type":"estimate","id":{},{body}}}"#, quoted(id)));
    }

    fn brighten(&self, theme: &str) {
        // The attribute's name is valid.
        let _ = if ["light", "dark"].contains(&theme) {
            self.root.set_attribute("data-theme", theme)
        } else {
            self.root.remove_attribute("data-theme")
        };
        self.colours.changed();
    }
}

/// The pairs of an address behind `?`.
pub fn pairs(query: &str) -> form_urlencoded::Parse<'_> {
    form_urlencoded::parse(query.trim_start_matches('?').as_bytes())
}

/// Says what `json` holds.
pub fn say(tell: &Rc<dyn Fn(&JsValue)>, json: &str) {
    if let Ok(message) = js_sys::JSON::parse(json) {
        tell(&message);
    }
}

/// A text in JSON.
fn quoted(text: &str) -> String {
    js_sys::JSON::stringify(&JsValue::from_str(text)).map_or_else(|_| "\"\"".to_string(), String::from)
}

fn link(answers: &Answers) -> String {
    let query = url::write(&answers.scenario, &[]);
    if query.is_empty() { format!("v={}", url::VERSION) } else { query }
}

fn sides(answers: &Answers) -> String {
    let side = |e: &Estimate| {
        let cost = e.bill.usd.map_or_else(|| "null".to_string(), |usd| usd.to_string());
        format!(
            r#"{{"time_s":{},"cost_usd":{cost},"memory_bytes_per_gpu":{},"fits":{},"gpus":{}}}"#,
            e.time_s,
            e.memory.total(),
            e.fits,
            e.cluster.gpus
        )
    };
    format!(r#"{{"single":{},"cluster":{}}}"#, side(&answers.single), side(&answers.cluster))
}
