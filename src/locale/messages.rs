//! The interface's words, checked at compile time: a missing message does not build. `{name}` marks a place to fill.

/// Fills the places of a message.
pub fn fill(message: &str, places: &[(&str, &str)]) -> String {
    places.iter().fold(message.to_string(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

macro_rules! messages {
    ($( $name:ident, )*) => {
        /// Every word of the interface in one language. Long texts are in `content/`.
        #[allow(missing_docs, reason = "a message's name says where it stands")]
        #[derive(Debug)]
        pub struct Messages { $( pub $name: &'static str, )* }

        impl Messages {
            /// Names and texts, for the tests.
            pub fn all(&self) -> Vec<(&'static str, &'static str)> {
                vec![$( (stringify!($name), self.$name), )*]
            }
        }
    };
}

messages! {
    // Head and foot
    skip_to_content, nav_label, nav_comparisons, nav_calculator, nav_method, languages_label,
    theme_label, theme_auto, theme_light, theme_dark, home,
    // Sides
    single, cluster, single_short, cluster_short,
    // Settings
    settings, reset, changed_one, reset_all, automatic, not_known, own_value, choose_offer, hidden_because, slider_of, value_of, settings_closed_hint,
    // Answers
    answers, time, cost, memory_per_gpu, utilisation, energy, carbon, failures, better, of_capacity, fits, does_not_fit, missing, cost_unknown,
    band_near, band_far_gpu, band_far_gpus, band_far_size, band_far_kind,
    gpu_hours, goodput, plan, plan_idle, no_progress, range, none_expected,
    // Notices
    notices_title, conflict_title, fits_nowhere, fits_from, mostly_idle, idle, some_idle, last_good,
    // Live sentence
    live, live_more, live_less, live_same, live_no_price, live_single_unfit, live_cluster_unfit, live_both_unfit, live_label,
    // Charts
    chart_time_from, chart_time_never, chart_time_always, chart_fits_from, chart_fits_never,
    chart_cost_more, chart_cost_less, chart_cost_same, chart_cost_unfit, chart_cost_unknown,
    chart_bandwidth_from, chart_bandwidth_always, chart_bandwidth_never,
    chart_bandwidth_cost_tenth, chart_bandwidth_cost_flat,
    chart_time_by_gpus, chart_cost_by_gpus, chart_hours_by_gpus, chart_time_by_bandwidth, chart_cost_by_bandwidth, chart_hours_by_bandwidth,
    chart_caption_gpus, chart_caption_bandwidth, axis_gpus, axis_bandwidth, does_not_fit_here, chart_data, read_chart, chart_focus_hint, column_gpus, column_bandwidth,
    // Tabs
    tabs_label, tab_step, tab_memory, tab_arithmetic, tab_plans, tab_failures, tab_needed, tab_map,
    plan_best, plan_tie, plan_why, plan_take, plans_intro, plans_none, column_plan, column_step, column_why,
    needed_intro, needed_any, needed_more, column_efficiency, failures_intro, column_mtbf, column_interval, column_checkpoint, column_goodput,
    map_title, map_never, map_only, map_intro, map_corner, map_waiting, presets, act_link, act_copied, act_csv, act_markdown, act_print, actions,
    act_json, act_undo, act_redo, act_pin, act_unpin, act_charts, act_cite, act_edit, pinned_short, column_a, column_b, column_factor, difference_title, difference_none, tab_launch, launch_intro, launch_engine, launch_save, launch_copy, launch_unfit, launch_name,
    tab_own, own_run, own_measured, own_before, own_after, own_none, own_holds, own_intro, own_lines, own_fit, own_drop, own_file, own_limit, own_nothing,
    claim_try, claim_open, claim_a, claim_b, claim_c, claim_d, claim_e, claim_f, claim_g, claim_h, claim_i, claim_j,
    claim_library, claim_waited, claim_loss, claim_download, claim_compute, claim_upload, claim_wait, claim_update, claim_gathered, claim_federated,
    valid_title, valid_intro, valid_source, valid_rows, valid_mape, valid_median, valid_p90, valid_test, valid_bias, valid_band, valid_regret, valid_all,
    valid_scatter, valid_scatter_intro, valid_measured, valid_predicted, valid_spread, valid_peers, valid_peers_intro, valid_tool,
    step_title, step_nothing, step_network_gain, step_no_network,
    part_linear, part_attention, part_elementwise, part_overhead, part_tensor, part_pipeline, part_data, part_bubble, part_optimizer, part_hidden, part_experts, part_context, part_exchange, part_pressure,
    memory_title_fits, memory_title_unfit, part_weights, part_gradients, part_states, part_gathered, part_activations, part_logits, part_reserved, free, capacity,
    arithmetic_intro, column_quantity, column_equation, column_value, column_source, column_share, column_part,
    term_work, term_rule, term_steps, term_step, term_time, term_goodput, term_interval, term_mtbf, term_gpu_hours, term_cost, term_energy, term_carbon, term_memory, term_mfu, term_layer, term_batch, term_volume, term_link,
    // Causes
    cause_title, cause_compute, cause_network, cause_pipeline, cause_overhead, cause_batch, cause_memory, cause_failures,
    // Pages
    comparison_try, all_settings, announced, read_comparison, open_calculator, contents, sources, price_note, wasm_needed, embed_open,
    myth, fact, live_now, guess_question, guess_true, guess_false, guess_depends, guess_yours, guess_right, guess_wrong, guess_count,
    // Units in words
    per_gpu_hour, machines_word, per_machine_word, gpus_word,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locale::Lang;
    use std::collections::BTreeSet;

    fn places(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect()
    }

    #[test]
    fn both_languages_have_the_same_places_and_no_empty_text() {
        for ((name, de), (_, en)) in Lang::De.messages().all().into_iter().zip(Lang::En.messages().all()) {
            assert!(!de.is_empty() && !en.is_empty(), "{name}");
            assert_eq!(places(de), places(en), "{name}");
        }
    }

    #[test]
    fn fill_replaces_each_place() {
        assert_eq!(fill("{a} of {b}", &[("a", "3"), ("b", "5")]), "3 of 5");
    }
}
