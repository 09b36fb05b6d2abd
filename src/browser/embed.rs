//! What an embedded page and its host say to each other: height, changes, questions; scenario, brightness, language.

use super::each;
use super::navigate::Mounted;
use super::set_language;
use crate::locale::Lang;
use crate::model::Estimate;
use crate::report::Answers;
use crate::scenario::{Param, url};
use crate::ui::State;
use crate::ui::canvas::Repaint;
use leptos::ev;
use leptos::prelude::*;
use leptos_use_element_size::use_element_size;
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

/// Speaks with the host for as long as the page lives.
pub fn follow(state: State, mounted: Mounted, query: &str) {
    let query = query.to_string();
    shape(&query, state);
    tell_height(&query);
    Effect::new(move |before: Option<()>| {
        let answers = state.answers();
        if before.is_some() {
            say(&format!(r#"{{"source":"crossover","type":"change","scenario":"{}","answers":{}}}"#, link(&answers), sides(&answers)));
        }
    });
    let repaint = expect_context::<Repaint>();
    let heard = window_event_listener(ev::message, move |event| {
        let parent = window().parent().ok().flatten();
        if event.source().is_none_or(|source| parent.is_none_or(|parent| source != *parent.as_ref())) {
            return;
        }
        let text = |key: &str| js_sys::Reflect::get(&event.data(), &JsValue::from_str(key)).ok().and_then(|value| value.as_string());
        if text("target").as_deref() != Some("crossover") {
            return;
        }
        match text("type").as_deref() {
            Some("set") => {
                if let Some(theme) = text("theme") {
                    brighten(&theme, repaint);
                }
                if let Some(lang) = text("lang").as_deref().and_then(Lang::from_tag).filter(|lang| *lang != state.lang()) {
                    state.speak(lang);
                    set_language(lang);
                    mounted.renew();
                    shape(&query, state);
                }
                if let Some(scenario) = text("scenario") {
                    state.adopt(&scenario);
                }
            }
            Some("estimate") => answer(&text("id").unwrap_or_default(), &text("scenario").unwrap_or_default()),
            _ => {}
        }
    });
    on_cleanup(move || heard.remove());
    say(r#"{"source":"crossover","type":"ready"}"#);
}

/// Tells the host the page's height whenever it changes, in the words of this site and in Embedly's, which is JSON as text with the frame's
/// address as the host wrote it; a host that keeps a height of its own asks for none (`height=fixed`).
fn tell_height(query: &str) {
    let Some(body) = document().body().filter(|_| pairs(query).all(|(key, value)| key != "height" || value != "fixed")) else { return };
    let size = use_element_size(body.clone());
    let src = window().location().href().unwrap_or_default();
    let told = StoredValue::new(0_i32);
    Effect::new(move |_| {
        size.height.track();
        let height = body.offset_height();
        // Only a change is told: a host that answers by resizing must not start a loop.
        if height > 0 && told.get_value() != height {
            told.set_value(height);
            say(&format!(r#"{{"source":"crossover","type":"height","height":{height}}}"#));
            // An address has no quotes and no backslashes.
            post(&JsValue::from_str(&format!(r#"{{"context":"iframe.resize","height":{height},"src":"{src}"}}"#)));
        }
    });
}

fn pairs(query: &str) -> form_urlencoded::Parse<'_> {
    form_urlencoded::parse(query.trim_start_matches('?').as_bytes())
}

/// What the address asks the page to look like: one chart alone, settings hidden or locked.
fn shape(query: &str, state: State) {
    let Some(root) = document().document_element() else { return };
    for (key, value) in pairs(query) {
        let params = || value.split(',').filter_map(Param::from_key);
        match key.as_ref() {
            // The attributes' names are valid.
            "view" => drop(root.set_attribute("data-view", &value)),
            "chart" => drop(root.set_attribute("data-chart-alone", &value)),
            "hide" => params().for_each(|param| each_of(param, "", |element| element.set_hidden(true))),
            "lock" => params().for_each(|param| {
                state.lock(param);
                each_of(param, " :is(input,select)", |element| drop(element.set_attribute("disabled", "")));
            }),
            _ => {}
        }
    }
}

fn each_of(param: Param, inside: &str, act: impl Fn(HtmlElement)) {
    each(&document(), &format!("[data-param={}]{inside}", param.key()), act);
}

/// Says something to the host.
fn say(json: &str) {
    if let Ok(message) = js_sys::JSON::parse(json) {
        post(&message);
    }
}

/// Posts a message to the host; alone in its tab, the page has none.
fn post(message: &JsValue) {
    if let Some(host) = window().parent().ok().flatten().filter(|parent| *parent != window()) {
        // A host that is gone needs no answer.
        let _ = host.post_message(message, "*");
    }
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

/// Answers a question about a scenario that is not shown.
fn answer(id: &str, scenario: &str) {
    let id = js_sys::JSON::stringify(&JsValue::from_str(id)).map_or_else(|_| "\"\"".to_string(), String::from);
    let read = url::read(scenario);
    let wrong = |words: Vec<String>| {
        let text = js_sys::JSON::stringify(&JsValue::from_str(&words.join("; "))).map_or_else(|_| "\"\"".to_string(), String::from);
        format!(r#""error":{text}"#)
    };
    let body = if read.notices.is_empty() {
        match crate::report::answers(&read.scenario) {
            Ok(answers) => format!(r#""answers":{}"#, sides(&answers)),
            Err(conflicts) => wrong(conflicts.iter().map(|conflict| conflict.words(Lang::En)).collect()),
        }
    } else {
        wrong(read.notices.iter().map(|notice| notice.words(Lang::En)).collect())
    };
    say(&format!(r#"{{"source":"crossover","type":"estimate","id":{id},{body}}}"#));
}

fn brighten(theme: &str, Repaint(repaint): Repaint) {
    let Some(root) = document().document_element() else { return };
    // The attribute's name is valid.
    let _ = if ["light", "dark"].contains(&theme) { root.set_attribute("data-theme", theme) } else { root.remove_attribute("data-theme") };
    repaint.update(|count| *count += 1);
}
