//! The compact calculator: what a frame's page and an element show.

use super::island::Island;
use leptos::prelude::*;

/// Sliders beside answers and charts. `part` makes each part of it.
pub fn compact(part: fn(Island) -> AnyView) -> impl IntoView {
    view! {
        {part(Island::Notices)}
        <div class="instrument compact">
            <div class="first">{part(Island::Sliders)}</div>
            <div class="answers">{part(Island::Strip)}{part(Island::ChartsAll)}</div>
        </div>
    }
}
