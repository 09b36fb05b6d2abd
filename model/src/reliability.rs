//! Failures, checkpoints and the share of time that is of use.

use super::failures::Recovery;

/// What fails how often, and what it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reliability {
    /// GPU-hours between two failures.
    pub gpu_hours_per_failure: f64,
    /// Bytes per second with which one machine writes its part of a checkpoint.
    pub checkpoint_bytes_per_s: f64,
    /// Seconds from a failure until training goes on.
    pub restart_s: f64,
    /// What happens after a failure. One machine alone cannot go on without itself: it waits for its repair.
    pub recovery: Recovery,
}

/// Bytes of a checkpoint per parameter: 16-bit weights and the fp32 states (BLOOM: 2.3 TB for 176 billion would be 13).
pub const CHECKPOINT_BYTES_PER_PARAM: f64 = 14.0;

/// Overheads above this share are reported as *makes no progress*: the expected time grows without bound.
const WORST_STRETCH: f64 = 1e6;

/// The course of a run with failures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uptime {
    /// Mean seconds between failures of the whole cluster.
    pub mtbf_s: f64,
    /// Seconds to write a checkpoint.
    pub checkpoint_s: f64,
    /// Seconds of work between two checkpoints.
    pub interval_s: f64,
    /// Share of the time that moves the training on, above 0 to 1.
    pub goodput: f64,
    /// Whether the run gets on at all; if not, `goodput` is held at its floor.
    pub progresses: bool,
}

/// Daly's interval between checkpoints of `checkpoint_s` at mean time `mtbf_s` between failures (Daly 2006, equation 37);
/// to first order Young's √(2·δ·M) (Young 1974).
pub fn interval_s(checkpoint_s: f64, mtbf_s: f64) -> f64 {
    let ratio = checkpoint_s / (2.0 * mtbf_s);
    if ratio < 1.0 { (2.0 * checkpoint_s * mtbf_s).sqrt() * (1.0 + ratio.sqrt() / 3.0 + ratio / 9.0) - checkpoint_s } else { mtbf_s }
}

/// Expected time over useful time with exponential failures, exact for any interval (Daly 2006, equation 20):
/// M·e^(R/M)·(e^((τ+δ)/M) − 1)/τ.
pub fn stretch(work_s: f64, checkpoint_s: f64, mtbf_s: f64, restart_s: f64) -> f64 {
    let exponent = (restart_s / mtbf_s).min(300.0);
    mtbf_s / work_s * exponent.exp() * ((work_s + checkpoint_s) / mtbf_s).min(300.0).exp_m1()
}

/// The same of a cluster that goes on without its failed machines, each gone for `repair_s`: of all machines, u = 1/(1 + repair/M₁) are up on
/// average, failures come that much more seldom, and each costs a second restart, for the return. To first order in what is out and in R/M;
/// `failures::simulate` says what lies beyond.
pub fn elastic_stretch(work_s: f64, checkpoint_s: f64, mtbf_s: f64, restart_s: f64, machines: f64, repair_s: f64) -> f64 {
    let up = 1.0 / (1.0 + repair_s / (mtbf_s * machines));
    let mtbf_s = mtbf_s / up;
    let left = (1.0 - restart_s / mtbf_s).max(1.0 / WORST_STRETCH);
    stretch(work_s, checkpoint_s, mtbf_s, restart_s) / (left * up)
}

/// The course of a run of `run_s` useful seconds over `gpus` GPUs in `machines` machines.
pub fn uptime(params: f64, run_s: f64, gpus: f64, machines: f64, reliability: &Reliability) -> Uptime {
    let mtbf_s = reliability.gpu_hours_per_failure * 3600.0 / gpus;
    let checkpoint_s = CHECKPOINT_BYTES_PER_PARAM * params / (reliability.checkpoint_bytes_per_s * machines);
    // No run keeps fewer checkpoints than the one at its end.
    let interval_s = interval_s(checkpoint_s, mtbf_s).clamp(1.0, run_s.max(1.0));
    let restart_s = reliability.restart_s;
    let stretch = match reliability.recovery {
        Recovery::Restart => stretch(interval_s, checkpoint_s, mtbf_s, restart_s),
        Recovery::Elastic { repair_s } if machines <= 1.0 => stretch(interval_s, checkpoint_s, mtbf_s, restart_s + repair_s),
        Recovery::Elastic { repair_s } => elastic_stretch(interval_s, checkpoint_s, mtbf_s, restart_s, machines, repair_s),
    };
    let stretch = stretch.max(1.0);
    let progresses = stretch < WORST_STRETCH;
    Uptime { mtbf_s, checkpoint_s, interval_s, goodput: 1.0 / stretch.min(WORST_STRETCH), progresses }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn young_by_hand_and_daly_close_to_it() {
        // δ = 40 s, M = 1 day: √(2·40·86 400) = 2 629 s.
        let young = (2.0f64 * 40.0 * 86_400.0).sqrt();
        assert!((young - 2_629.07).abs() < 0.01);
        assert!((interval_s(40.0, 86_400.0) / young - 1.0).abs() < 0.02);
    }

    #[test]
    fn the_exact_form_meets_the_first_order_where_that_is_valid() {
        let (tau, delta, mtbf, restart) = (2_600.0, 40.0, 86_400.0, 300.0);
        let first_order = 1.0 - delta / tau - tau / (2.0 * mtbf) - restart / mtbf;
        assert!((1.0 / stretch(tau, delta, mtbf, restart) - first_order).abs() < 2e-3);
    }

    #[test]
    fn the_interval_is_the_best_one() {
        let (delta, mtbf, restart) = (60.0, 3_600.0, 300.0);
        let best = interval_s(delta, mtbf);
        let at = |tau: f64| stretch(tau, delta, mtbf, restart);
        assert!(at(best) <= at(best * 1.3) && at(best) <= at(best / 1.3));
    }

    #[test]
    fn one_machine_waits_for_its_repair_and_many_go_on() {
        let with = |recovery, restart_s, machines| {
            let reliability = Reliability { gpu_hours_per_failure: 1_000.0, checkpoint_bytes_per_s: 1e9, restart_s, recovery };
            uptime(1e9, 1e7, machines * 8.0, machines, &reliability).goodput
        };
        let elastic = Recovery::Elastic { repair_s: 86_400.0 };
        assert_eq!(with(elastic, 900.0, 1.0), with(Recovery::Restart, 87_300.0, 1.0));
        // Sixteen machines, each failing every 125 h and gone for 24: 0.84 of them are up. Waiting would stop all, every 7.8 h, for a day.
        let goodput = with(elastic, 900.0, 16.0);
        assert!((0.7..0.84).contains(&goodput), "{goodput}");
        assert!(goodput > 5.0 * with(Recovery::Restart, 87_300.0, 16.0));
    }

    #[test]
    fn llama_3_failures() {
        // 54 days on 16,384 GPUs at 50,677 GPU-hours per failure: 419 failures.
        let hours = 54.0 * 24.0 * 16_384.0;
        assert!((hours / 50_677.0 - 419.0f64).abs() < 0.5);
    }

    #[test]
    fn hopeless_runs_stay_finite_and_say_so() {
        for recovery in [Recovery::Restart, Recovery::Elastic { repair_s: 86_400.0 }] {
            let reliability = Reliability { gpu_hours_per_failure: 100.0, checkpoint_bytes_per_s: 1e8, restart_s: 3600.0, recovery };
            let uptime = uptime(1e13, 1e9, 1e6, 125_000.0, &reliability);
            assert!(!uptime.progresses && uptime.goodput > 0.0 && uptime.goodput.is_finite());
        }
    }
}
