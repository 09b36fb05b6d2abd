//! Training that synchronises seldom: local SGD and DiLoCo over M replicas.
//!
//! Every replica takes H inner steps on its own data, then all of them average their weights' change (an all-reduce of one value per parameter:
//! 2·(1−1/M)·P·bytes sent per replica). DiLoCo: <https://arxiv.org/abs/2311.08105>. Streaming DiLoCo (fragments that are sent one after the other
//! while training goes on, and coarser numbers): <https://arxiv.org/abs/2501.18512>. The loss at equal tokens is a matter of experiment, not of
//! this file: with growing H and M it gets worse than that of data parallelism.

use super::cluster::Link;
use super::collective::ring_all_reduce_s;

/// A run with seldom synchronisation. A replica may itself be a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalSgd {
    /// M: replicas, at least 1. One synchronises with nobody.
    pub replicas: f64,
    /// Parameters.
    pub params: f64,
    /// Bytes per value sent: 4 for fp32, 2 for 16 bit, 0.5 for 4 bit.
    pub bytes_per_value: f64,
    /// H: inner steps between two synchronisations of one and the same parameter, at least 1.
    pub inner_steps: f64,
    /// Seconds of one inner step.
    pub inner_step_s: f64,
    /// Pieces that are synchronised at different times, evenly over the H steps; 1 = all at once.
    pub fragments: f64,
    /// Inner steps that go on while a piece is on its way; 0 = training waits. Counts up to H/fragments.
    pub overlap_steps: f64,
    /// Between replicas, one direction.
    pub link: Link,
}

/// One round: H inner steps, and every parameter synchronised once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// Seconds in all: inner steps and exposed synchronisation.
    pub round_s: f64,
    /// Seconds of the inner steps.
    pub compute_s: f64,
    /// Seconds that the link is in use.
    pub sync_s: f64,
    /// Seconds of those that training waits for.
    pub exposed_s: f64,
    /// Bytes that one replica sends.
    pub sent_bytes: f64,
}

impl Round {
    /// Share of the time in which the replicas compute, 0 to 1.
    pub fn efficiency(&self) -> f64 {
        if self.round_s > 0.0 { self.compute_s / self.round_s } else { 1.0 }
    }
}

/// Times are held below this, some thirty billion years, so that they stay finite over the slowest link.
const LONGEST_S: f64 = 1e18;

impl LocalSgd {
    fn steps_and_fragments(self) -> (f64, f64) {
        let steps = self.inner_steps.max(1.0);
        (steps, self.fragments.clamp(1.0, steps))
    }

    /// Bytes that one replica sends per round: 2·(1−1/M)·P·bytes per value (ring all-reduce).
    pub fn sent_bytes(self) -> f64 {
        2.0 * (1.0 - 1.0 / self.replicas.max(1.0)) * self.params * self.bytes_per_value
    }

    /// Seconds of inner steps during which one piece may be on its way unnoticed.
    fn hidden_s(self) -> f64 {
        let (steps, fragments) = self.steps_and_fragments();
        self.overlap_steps.clamp(0.0, steps / fragments) * self.inner_step_s
    }

    /// The parts of a round. A piece takes the time of its all-reduce; what exceeds its overlap is waited for.
    pub fn round(self) -> Round {
        let (steps, fragments) = self.steps_and_fragments();
        let compute_s = (steps * self.inner_step_s).min(LONGEST_S);
        let piece_s =
            ring_all_reduce_s(self.link, self.replicas, self.params * self.bytes_per_value / fragments).min(LONGEST_S / fragments);
        let exposed_s = fragments * (piece_s - self.hidden_s()).max(0.0);
        Round { round_s: compute_s + exposed_s, compute_s, sync_s: fragments * piece_s, exposed_s, sent_bytes: self.sent_bytes() }
    }

    /// Seconds for `tokens` tokens if one inner step of all replicas together takes `tokens_per_step`.
    pub fn run_s(self, tokens: f64, tokens_per_step: f64) -> f64 {
        let (steps, _) = self.steps_and_fragments();
        (tokens / tokens_per_step.max(1.0) / steps * self.round().round_s).min(LONGEST_S)
    }

    /// Bytes sent against data parallelism, which all-reduces `gradient_bytes` per parameter in every step: bytes/(H·gradient bytes).
    pub fn share_of_data_parallel(self, gradient_bytes: f64) -> f64 {
        let (steps, _) = self.steps_and_fragments();
        self.bytes_per_value / (steps * gradient_bytes)
    }

    /// Bytes per second of the link at which `efficiency` (above 0 to 1) is reached, its latency as it is.
    /// `None` where no bandwidth is enough: latency alone takes too long, or 1 is asked without overlap. Nought where nothing is sent.
    pub fn bandwidth_for(self, efficiency: f64) -> Option<f64> {
        let (steps, fragments) = self.steps_and_fragments();
        let piece_bytes = self.sent_bytes() / fragments;
        if piece_bytes <= 0.0 {
            return Some(0.0);
        }
        let waited_s = steps * self.inner_step_s * (1.0 / efficiency.clamp(1e-9, 1.0) - 1.0);
        let latency_s = 2.0 * (self.replicas - 1.0) * self.link.latency_s;
        let left_s = waited_s / fragments + self.hidden_s() - latency_s;
        let bytes_per_s = piece_bytes / left_s;
        (left_s > 0.0 && bytes_per_s.is_finite()).then_some(bytes_per_s)
    }
}

/// Bytes per second that data parallelism needs for the same efficiency with nothing overlapped: H = 1 and gradients of `gradient_bytes` each.
pub fn data_parallel_bandwidth(run: LocalSgd, gradient_bytes: f64, efficiency: f64) -> Option<f64> {
    LocalSgd { inner_steps: 1.0, fragments: 1.0, overlap_steps: 0.0, bytes_per_value: gradient_bytes, ..run }.bandwidth_for(efficiency)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A billion parameters on 8 replicas, 1 Gbit/s between them, H = 500 steps of a second.
    const RUN: LocalSgd = LocalSgd {
        replicas: 8.0,
        params: 1e9,
        bytes_per_value: 4.0,
        inner_steps: 500.0,
        inner_step_s: 1.0,
        fragments: 1.0,
        overlap_steps: 0.0,
        link: Link { bytes_per_s: 1.25e8, latency_s: 0.0 },
    };

    #[test]
    fn a_round_by_hand() {
        // 2·7/8·4·10⁹ = 7·10⁹ bytes at 125 MB/s: 56 s after 500 s of work.
        let round = RUN.round();
        assert_eq!(round.sent_bytes, 7e9);
        assert!((round.exposed_s - 56.0).abs() < 1e-9);
        assert!((round.round_s - 556.0).abs() < 1e-9);
        assert!((round.efficiency() - 500.0 / 556.0).abs() < 1e-12);
        // Ten rounds of 500 steps of a million tokens.
        assert!((RUN.run_s(5e9, 1e6) - 5_560.0).abs() < 1e-6);
    }

    #[test]
    fn latency_counts_once_per_message() {
        // Ring over 8: 14 messages of 0.1 s.
        let far = LocalSgd { link: Link { latency_s: 0.1, ..RUN.link }, ..RUN };
        assert!((far.round().exposed_s - 57.4).abs() < 1e-9);
    }

    #[test]
    fn pieces_and_overlap_hide_it() {
        // Four pieces of 14 s, ten steps of a second each go on meanwhile: 4·4 = 16 s are left.
        let streamed = LocalSgd { fragments: 4.0, overlap_steps: 10.0, ..RUN };
        assert!((streamed.round().exposed_s - 16.0).abs() < 1e-9);
        assert!((streamed.round().sync_s - 56.0).abs() < 1e-9);
        // With 4-bit values a piece takes 1.75 s: nothing is left, and H/fragments bounds the overlap.
        let coarse = LocalSgd { bytes_per_value: 0.5, ..streamed };
        assert_eq!(coarse.round().efficiency(), 1.0);
        // A piece of 200 s: 125 steps lie between two pieces, more can't hide it. 4·75 s are left.
        let slow = LocalSgd { overlap_steps: 1e9, link: Link { bytes_per_s: 8.75e6, latency_s: 0.0 }, ..streamed };
        assert!((slow.round().exposed_s - 300.0).abs() < 1e-9);
    }

    #[test]
    fn five_hundred_times_less_than_data_parallelism() {
        assert_eq!(RUN.share_of_data_parallel(4.0), 1.0 / 500.0);
        // fp32 changes against 16-bit gradients: twice that.
        assert_eq!(RUN.share_of_data_parallel(2.0), 2.0 / 500.0);
        // Streaming DiLoCo, table 1: 441 TB against 1.10 TB, which H = 100, 4-bit values and 16-bit gradients give.
        let streaming = LocalSgd { inner_steps: 100.0, bytes_per_value: 0.5, ..RUN };
        assert!((1.0 / streaming.share_of_data_parallel(2.0) / (441.0 / 1.10) - 1.0).abs() < 0.01);
    }

    #[test]
    fn bandwidth_is_the_inverse_of_efficiency() {
        // 500·(1/0.9 − 1) = 55.56 s for 7·10⁹ bytes: 126 MB/s.
        let needed = RUN.bandwidth_for(0.9).unwrap_or(0.0);
        assert!((needed - 1.26e8).abs() < 1.0, "{needed}");
        for run in [RUN, LocalSgd { fragments: 5.0, overlap_steps: 3.0, link: Link { latency_s: 0.05, ..RUN.link }, ..RUN }] {
            for efficiency in [0.5, 0.75, 0.9, 0.95] {
                let bytes_per_s = run.bandwidth_for(efficiency).unwrap_or(0.0);
                let reached = LocalSgd { link: Link { bytes_per_s, ..run.link }, ..run }.round().efficiency();
                assert!((reached - efficiency).abs() < 1e-9);
            }
        }
        // Data parallelism needs 500 times as much.
        assert!((data_parallel_bandwidth(RUN, 4.0, 0.9).unwrap_or(0.0) / needed - 500.0).abs() < 1e-6);
    }

    #[test]
    fn what_no_bandwidth_can_mend() {
        assert_eq!(RUN.bandwidth_for(1.0), None);
        assert_eq!(LocalSgd { link: Link { latency_s: 100.0, ..RUN.link }, ..RUN }.bandwidth_for(0.9), None);
        assert_eq!(LocalSgd { replicas: 1.0, ..RUN }.bandwidth_for(1.0), Some(0.0));
        assert_eq!(LocalSgd { replicas: 1.0, ..RUN }.round().exposed_s, 0.0);
    }

    #[test]
    fn extremes_stay_finite() {
        for bytes_per_s in [1e-9, 1.0, 1e15] {
            for params in [1.0, 1e15] {
                for inner_steps in [0.0, 1.0, 1e9] {
                    for inner_step_s in [0.0, 1e-9, 1e9] {
                        let link = Link { bytes_per_s, latency_s: 1e3 };
                        let run =
                            LocalSgd { params, inner_steps, inner_step_s, fragments: 1e6, overlap_steps: 1.0, replicas: 1e6, link, ..RUN };
                        let round = run.round();
                        assert!(round.round_s.is_finite() && round.efficiency().is_finite() && (0.0..=1.0).contains(&round.efficiency()));
                        assert!(run.run_s(1e15, 1.0).is_finite() && run.bandwidth_for(0.5).is_none_or(f64::is_finite));
                    }
                }
            }
        }
    }
}
