//! A chart on a canvas: sharp on every pixel ratio, redrawn on data, size, theme and language, once a frame.

use crate::chart::{ChartSpec, Font, Layout, Palette, draw, layout};
use leptos::html::{Canvas, Div};
use leptos::prelude::*;
use leptos_use_device_pixel_ratio::use_device_pixel_ratio;
use leptos_use_element_size::{UseElementSizeReturn, use_element_size};
use plotters::drawing::IntoDrawingArea;
use plotters::style::RGBColor;
use plotters_canvas::CanvasBackend;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, PointerEvent};

/// plotters rounds to whole pixels: below this ratio slopes are visibly stepped.
const LEAST_RATIO: f64 = 2.0;

const FONT: &str = "sans-serif";

/// The colours of a page, or of an element in somebody else's. They are read anew only when they may have changed, since to ask for them
/// is slow; canvases are drawn anew then.
#[derive(Clone, Copy)]
pub struct Colours {
    of: StoredValue<Element, LocalStorage>,
    changes: RwSignal<u32>,
    read: StoredValue<Option<((u32, bool), Palette)>>,
}

impl Colours {
    /// Those of `element`'s custom properties.
    pub fn of(element: Element) -> Colours {
        Colours { of: StoredValue::new_local(element), changes: RwSignal::new(0), read: StoredValue::new(None) }
    }

    /// They may be others now.
    pub fn changed(self) {
        self.changes.update(|count| *count += 1);
    }

    /// The colours of the present theme, or of paper.
    fn palette(self) -> Option<Palette> {
        let paper = window().match_media("print").ok().flatten().is_some_and(|media| media.matches());
        let key = (self.changes.get_untracked(), paper);
        if let Some((_, palette)) = self.read.get_value().filter(|(read, _)| key == *read) {
            return Some(palette);
        }
        let style = self.of.with_value(|element| window().get_computed_style(element)).ok()??;
        let palette = Palette::from_css(FONT, |name| {
            let value = style.get_property_value(&format!("--{name}")).unwrap_or_default();
            hex(value.trim()).unwrap_or(RGBColor(128, 128, 128))
        });
        self.read.set_value(Some((key, palette)));
        Some(palette)
    }
}

/// The picture of the running app.
#[component]
pub fn Picture(spec: Signal<ChartSpec>, reading: RwSignal<Option<usize>>, on_pick: Callback<f64>) -> impl IntoView {
    let frame = NodeRef::<Div>::new();
    let canvas = NodeRef::<Canvas>::new();
    let UseElementSizeReturn { width, height } = use_element_size(frame);
    let ratio = use_device_pixel_ratio();
    let placed = RwSignal::new(None::<Arc<Layout>>);
    let waiting = StoredValue::new(false);
    let colours = expect_context::<Colours>();
    let paint = move || {
        waiting.set_value(false);
        if let Some(Some(element)) = canvas.try_get_untracked() {
            let (width, height) = (width.get_untracked(), height.get_untracked());
            let drawn = colours
                .palette()
                .and_then(|palette| spec.with_untracked(|s| paint(&element, s, (width, height), ratio.get_untracked(), &palette)));
            placed.set(drawn.map(Arc::new));
        }
    };
    Effect::new(move || {
        spec.track();
        width.track();
        height.track();
        ratio.track();
        colours.changes.track();
        if width.get() > 0.0 && !waiting.get_value() {
            waiting.set_value(true);
            request_animation_frame(paint);
        }
    });
    let x_at = move |event: &PointerEvent| {
        let bounds = canvas.get_untracked()?.get_bounding_client_rect();
        placed
            .get_untracked()
            .map(|layout| layout.x_at((f64::from(event.client_x()) - bounds.left()).clamp(layout.plot.left, layout.plot.right)))
    };
    let nearest = move |x: f64| {
        let distance = |value: f64| (value / x).ln().abs();
        spec.with_untracked(|s| {
            let points = &s.series.last()?.points;
            points.iter().enumerate().min_by(|(_, a), (_, b)| distance(a.0).total_cmp(&distance(b.0))).map(|(row, _)| row)
        })
    };
    let on_move = move |event: &PointerEvent| {
        if let Some(x) = x_at(event) {
            reading.set(nearest(x));
            // Dragging along the axis sets its parameter all the way.
            if event.buttons() & 1 == 1 {
                on_pick.run(x);
            }
        }
    };
    let on_click = move |event: Option<&PointerEvent>| {
        if let Some(x) = event.and_then(x_at) {
            on_pick.run(x);
        }
    };
    let hair = move || {
        let row = reading.get()?;
        let layout = placed.get()?;
        let x = spec.with(|s| s.series.last().and_then(|series| series.points.get(row)).map(|(x, _)| *x))?;
        Some([layout.px_at(x)?, layout.plot.top, layout.plot.height()].map(|length| format!("{length:.1}px")))
    };
    view! {
        <div class="picture" node_ref=frame
            on:pointermove=move |event| on_move(&event)
            on:pointerleave=move |_| reading.set(None)
            on:click=move |event| on_click(event.dyn_ref::<PointerEvent>())>
            <canvas node_ref=canvas role="img" aria-label=move || spec.with(|s| format!("{}. {}", s.title, s.caption))></canvas>
            {move || hair().map(|[left, top, height]| view! { <span class="hair" style:left=left style:top=top style:height=height></span> })}
        </div>
    }
}

/// Draws `spec` in a box of CSS pixels; `None` where there is no room or no context.
fn paint(canvas: &HtmlCanvasElement, spec: &ChartSpec, (width, height): (f64, f64), ratio: f64, colours: &Palette) -> Option<Layout> {
    let ratio = ratio.max(LEAST_RATIO);
    let pixels = |length: f64| (length * ratio).round().clamp(1.0, 8192.0) as u32;
    let (wide, high) = (pixels(width), pixels(height));
    // Setting the size clears the canvas; setting it anew only where it changed keeps a drag smooth.
    if (canvas.width(), canvas.height()) != (wide, high) {
        canvas.set_width(wide);
        canvas.set_height(high);
    }
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    context.clear_rect(0.0, 0.0, f64::from(wide), f64::from(high));
    let measure = |text: &str, font: Font| width_of(&context, text, font);
    let layout = layout(spec, width, height, &measure);
    let area = CanvasBackend::with_canvas_object(canvas.clone())?.into_drawing_area();
    // A canvas that refuses a line leaves a gap in the picture; the numbers are in the table.
    let _ = draw(&layout, colours, ratio, &area);
    Some(layout)
}

/// Widths that are kept; beyond, all are measured anew.
const MOST_WIDTHS: usize = 2000;

/// The width of a text in CSS pixels. Labels come back with every move of a slider, and a canvas is slow to measure.
fn width_of(context: &CanvasRenderingContext2d, text: &str, font: Font) -> f64 {
    thread_local! {
        static WIDTHS: RefCell<HashMap<(String, u64, bool), f64>> = RefCell::default();
    }
    WIDTHS.with_borrow_mut(|widths| {
        let key = (text.to_string(), font.size.to_bits(), font.bold);
        if let Some(width) = widths.get(&key) {
            return *width;
        }
        context.set_font(&format!("{} {}px {FONT}", if font.bold { "bold" } else { "normal" }, font.size));
        let width = context.measure_text(text).map_or(0.0, |metrics| metrics.width());
        if widths.len() >= MOST_WIDTHS {
            widths.clear();
        }
        widths.insert(key, width);
        width
    })
}

fn hex(colour: &str) -> Option<RGBColor> {
    let digits = colour.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let channel = |at: usize| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    Some(RGBColor(channel(0)?, channel(2)?, channel(4)?))
}
