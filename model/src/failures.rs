//! A run with failures, played event by event: where the first-order formula fails, and what a cluster gains that goes on with fewer machines.
//!
//! Failures are exponential and independent per machine. For [`Recovery::Restart`] the mean is known exactly (Daly 2006, equation 20:
//! `reliability::stretch`); the simulation adds what no closed form gives: elastic recovery, and the spread between runs.

use super::reliability::{Reliability, Uptime};

/// What happens after a failure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recovery {
    /// Everything stops, a spare machine takes the place of the failed one, all read the last checkpoint. For a machine without a spare,
    /// `restart_s` has to contain its repair.
    Restart,
    /// The others read the last checkpoint and go on; the failed machine comes back at the first checkpoint after its repair, which costs
    /// another restart.
    Elastic {
        /// Seconds from a failure until the machine could take part again.
        repair_s: f64,
    },
}

/// A run and what disturbs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// Useful seconds of the run with all machines up.
    pub run_s: f64,
    /// Machines, at least 1.
    pub machines: u32,
    /// Mean seconds between two failures of one machine.
    pub machine_mtbf_s: f64,
    /// Seconds of work between two checkpoints.
    pub interval_s: f64,
    /// Seconds that a checkpoint takes; training waits.
    pub checkpoint_s: f64,
    /// Seconds from a failure until training goes on. It may itself be struck by a failure, and then begins anew.
    pub restart_s: f64,
    /// What happens after a failure.
    pub recovery: Recovery,
}

/// Mean over the trials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Useful time over elapsed time, 0 to 1: of the whole run, all machines counted.
    pub goodput: f64,
    /// Standard error of that mean; nought for one trial.
    pub goodput_error: f64,
    /// Failures per trial.
    pub failures: f64,
    /// Share of the trials that reached the end within [`MOST_EVENTS`] events; the goodput of the others is that up to there.
    pub finished: f64,
}

/// Events after which a trial is given up: bounds the time of a hopeless one.
pub const MOST_EVENTS: u32 = 200_000;

/// Random numbers from a seed: SplitMix64 (Steele, Lea, Flood 2014), enough for this and the same on every machine.
#[derive(Clone, Copy, Debug)]
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Exponential with this mean; the uniform number lies above nought, so that the logarithm is finite.
    fn exponential(&mut self, mean: f64) -> f64 {
        let uniform = ((self.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        -mean * uniform.ln()
    }
}

/// The state of one trial.
struct Trial {
    course: Course,
    random: SplitMix64,
    elapsed_s: f64,
    /// Useful seconds that are safe in a checkpoint.
    saved_s: f64,
    /// When each failed machine is ready again; the first is the next one.
    repairs_s: Vec<f64>,
    failures: u32,
}

impl Trial {
    /// Machines that are up, at least one: the last one is restarted rather than done without.
    fn up(&self) -> f64 {
        (f64::from(self.course.machines) - self.repairs_s.len() as f64).max(1.0)
    }

    fn time_to_failure_s(&mut self) -> f64 {
        let mean = self.course.machine_mtbf_s / self.up();
        self.random.exponential(mean)
    }

    fn fail(&mut self, after_s: f64) {
        self.elapsed_s += after_s;
        self.failures += 1;
        if let Recovery::Elastic { repair_s } = self.course.recovery
            && self.up() > 1.0
        {
            self.repairs_s.push(self.elapsed_s + repair_s.max(0.0));
        }
    }

    /// A restart; failures within it begin it anew.
    fn restart(&mut self, events: &mut u32) {
        while *events < MOST_EVENTS {
            *events += 1;
            let failure_s = self.time_to_failure_s();
            if failure_s >= self.course.restart_s {
                self.elapsed_s += self.course.restart_s;
                return;
            }
            self.fail(failure_s);
        }
    }

    /// Plays the trial to its end or to the last event allowed; true if it reached its end.
    fn play(&mut self) -> bool {
        let work_s = self.course.interval_s.clamp(1e-3, self.course.run_s.max(1e-3));
        let mut events = 0;
        while self.saved_s < self.course.run_s && events < MOST_EVENTS {
            events += 1;
            // Machines that are ready join at a checkpoint, all at once.
            let ready = self.repairs_s.iter().take_while(|at| **at <= self.elapsed_s).count();
            if ready > 0 {
                self.repairs_s.drain(..ready);
                self.restart(&mut events);
                continue;
            }
            let speed = self.up() / f64::from(self.course.machines.max(1));
            let left_s = (self.course.run_s - self.saved_s) / speed;
            let segment_s = work_s + self.course.checkpoint_s;
            // Whole segments until the end, the next failure or the next repair: the memoryless failure may be drawn anew after each.
            let to_repair_s = self.repairs_s.first().map_or(f64::INFINITY, |at| (at - self.elapsed_s).max(0.0));
            let until_repair = (to_repair_s / segment_s).ceil().max(1.0);
            let full = (left_s / work_s).floor();
            let segments = full.min(until_repair);
            let (planned_s, gained_s) = if full >= 1.0 {
                (segments * segment_s, segments * work_s)
            } else {
                // The last, shorter one; its checkpoint keeps the result.
                (left_s + self.course.checkpoint_s, left_s)
            };
            let failure_s = self.time_to_failure_s();
            if failure_s >= planned_s {
                self.elapsed_s += planned_s;
                self.saved_s += gained_s * speed;
                if full < 1.0 {
                    return true;
                }
            } else {
                self.saved_s += (failure_s / segment_s).floor().min(full) * work_s * speed;
                self.fail(failure_s);
                self.restart(&mut events);
            }
        }
        self.saved_s >= self.course.run_s
    }
}

/// Plays `trials` runs from `seed`; the same seed gives the same outcome. Takes of the order of the number of failures, not of the checkpoints.
pub fn simulate(course: Course, trials: u32, seed: u64) -> Outcome {
    let mut random = SplitMix64(seed);
    let (mut sum, mut squares, mut failures, mut finished) = (0.0, 0.0, 0.0, 0.0);
    let count = trials.max(1);
    for _ in 0..count {
        let random = SplitMix64(random.next());
        let mut trial = Trial { course, random, elapsed_s: 0.0, saved_s: 0.0, repairs_s: Vec::new(), failures: 0 };
        finished += if trial.play() { 1.0 } else { 0.0 };
        let useful_s = trial.saved_s.min(course.run_s);
        let goodput = if trial.elapsed_s > 0.0 { (useful_s / trial.elapsed_s).min(1.0) } else { 1.0 };
        sum += goodput;
        squares += goodput * goodput;
        failures += f64::from(trial.failures);
    }
    let trials = f64::from(count);
    let mean = sum / trials;
    let variance = (squares / trials - mean * mean).max(0.0);
    let goodput_error = if count > 1 { (variance / (trials - 1.0)).sqrt() } else { 0.0 };
    Outcome { goodput: mean, goodput_error, failures: failures / trials, finished: finished / trials }
}

/// Failures at work that a course is cut to: enough for the mean.
const ENOUGH_FAILURES: f64 = 500.0;

/// The course of a run of `run_s` useful seconds on `machines` machines, with the checkpoints that `uptime` has. A run with many failures is cut:
/// its goodput is settled long before its end.
pub fn course(run_s: f64, machines: u32, uptime: &Uptime, reliability: &Reliability) -> Course {
    let alone_s = match reliability.recovery {
        Recovery::Elastic { repair_s } if machines <= 1 => repair_s,
        _ => 0.0,
    };
    Course {
        run_s: run_s.min(ENOUGH_FAILURES * uptime.mtbf_s),
        machines,
        machine_mtbf_s: uptime.mtbf_s * f64::from(machines.max(1)),
        interval_s: uptime.interval_s,
        checkpoint_s: uptime.checkpoint_s,
        restart_s: reliability.restart_s + alone_s,
        recovery: reliability.recovery,
    }
}

/// The first-order goodput 1 − δ/τ − τ/(2M) − R/M (Young 1974). Valid only while each term is small: it falls below nought where a run still
/// gets on, and where [`simulate`] says so.
pub fn first_order_goodput(interval_s: f64, checkpoint_s: f64, mtbf_s: f64, restart_s: f64) -> f64 {
    1.0 - checkpoint_s / interval_s - interval_s / (2.0 * mtbf_s) - restart_s / mtbf_s
}

#[cfg(test)]
mod tests {
    use super::super::reliability::{elastic_stretch, stretch, uptime};
    use super::*;

    /// A day between failures of the cluster, forty seconds a checkpoint, five minutes a restart.
    const COURSE: Course = Course {
        run_s: 2_600.0 * 2_000.0,
        machines: 100,
        machine_mtbf_s: 86_400.0 * 100.0,
        interval_s: 2_600.0,
        checkpoint_s: 40.0,
        restart_s: 300.0,
        recovery: Recovery::Restart,
    };

    fn exact(course: Course) -> f64 {
        1.0 / stretch(course.interval_s, course.checkpoint_s, course.machine_mtbf_s / f64::from(course.machines), course.restart_s)
    }

    #[test]
    fn agrees_with_daly_from_rare_to_frequent_failures() {
        for mtbf_s in [86_400.0, 21_600.0, 7_200.0, 2_600.0] {
            let course = Course { machine_mtbf_s: mtbf_s * 100.0, ..COURSE };
            let outcome = simulate(course, 200, 1);
            // A run's goodput is 1 over a mean time of 2,000 segments: its bias is far below four standard errors.
            let off = (outcome.goodput - exact(course)).abs();
            assert!(off < 4.0 * outcome.goodput_error, "M = {mtbf_s}: {outcome:?} against {}", exact(course));
            assert!(outcome.goodput_error < 0.005 && outcome.finished == 1.0);
        }
    }

    #[test]
    fn the_first_order_is_right_for_rare_failures_and_wrong_for_frequent_ones() {
        let off = |mtbf_s: f64| {
            let course = Course { machine_mtbf_s: mtbf_s * 100.0, ..COURSE };
            let first = first_order_goodput(course.interval_s, course.checkpoint_s, mtbf_s, course.restart_s);
            (first, simulate(course, 100, 2).goodput)
        };
        let (first, played) = off(86_400.0);
        assert!((first - played).abs() < 0.005);
        // A failure every 1,500 s: 1 − 0.015 − 0.867 − 0.2 is below nought, yet the run gets on at about a third of its speed.
        let (first, played) = off(1_500.0);
        assert!(first < 0.0 && (0.2..0.4).contains(&played), "{first} {played}");
    }

    #[test]
    fn failures_by_hand() {
        // 5.2 million useful seconds, a little longer with overheads, one failure a day: about 60 · 1.034.
        let outcome = simulate(COURSE, 200, 3);
        let expected = COURSE.run_s / exact(COURSE) / 86_400.0;
        assert!((outcome.failures / expected - 1.0).abs() < 0.03, "{outcome:?} against {expected}");
    }

    #[test]
    fn without_failures_only_the_checkpoints_cost() {
        let outcome = simulate(Course { machine_mtbf_s: 1e300, ..COURSE }, 3, 4);
        assert!((outcome.goodput - 2_600.0 / 2_640.0).abs() < 1e-9);
        assert_eq!((outcome.failures, outcome.goodput_error), (0.0, 0.0));
        // A run shorter than the interval: one checkpoint at its end.
        let outcome = simulate(Course { run_s: 1_000.0, machine_mtbf_s: 1e300, ..COURSE }, 1, 4);
        assert!((outcome.goodput - 1_000.0 / 1_040.0).abs() < 1e-9);
    }

    #[test]
    fn elastic_wins_where_a_spare_is_long_in_coming() {
        // The repair takes two days. Waiting for it stops all; the elastic cluster loses a hundredth of its speed meanwhile.
        let repair_s = 2.0 * 86_400.0;
        let waiting = simulate(Course { restart_s: repair_s, ..COURSE }, 20, 5);
        let elastic = simulate(Course { recovery: Recovery::Elastic { repair_s }, ..COURSE }, 100, 5);
        assert!(waiting.goodput < 0.3 && elastic.goodput > 0.9, "{waiting:?} {elastic:?}");
        // By hand: two of a hundred machines are out on average, and each failure costs a second restart for the return.
        let expected = exact(COURSE) - 0.02 - 300.0 / 86_400.0;
        assert!((elastic.goodput - expected).abs() < 0.01, "{} against {expected}", elastic.goodput);
    }

    #[test]
    fn the_elastic_form_agrees_while_little_is_out_and_not_beyond() {
        let both = |mtbf_s: f64, repair_s: f64| {
            let course = Course { machine_mtbf_s: mtbf_s * 100.0, recovery: Recovery::Elastic { repair_s }, ..COURSE };
            let closed = 1.0 / elastic_stretch(course.interval_s, course.checkpoint_s, mtbf_s, course.restart_s, 100.0, repair_s);
            (closed, simulate(course, 100, 6).goodput)
        };
        for (mtbf_s, repair_s) in [(86_400.0, 3_600.0), (86_400.0, 2.0 * 86_400.0), (21_600.0, 86_400.0), (43_200.0, 10.0 * 86_400.0)] {
            let (closed, played) = both(mtbf_s, repair_s);
            assert!((closed / played - 1.0).abs() < 0.02, "M = {mtbf_s}, repair {repair_s}: {closed} against {played}");
        }
        // A failure every ten minutes, five for each restart: machines return together, which saves restarts that the form counts.
        let (closed, played) = both(600.0, 86_400.0);
        assert!(closed < 0.95 * played, "{closed} against {played}");
    }

    #[test]
    fn a_course_plays_what_an_estimate_says() {
        for (recovery, machines) in
            [(Recovery::Restart, 2_048), (Recovery::Elastic { repair_s: 86_400.0 }, 2_048), (Recovery::Elastic { repair_s: 86_400.0 }, 1)]
        {
            let reliability = Reliability { gpu_hours_per_failure: 50_677.0, checkpoint_bytes_per_s: 1.2e9, restart_s: 900.0, recovery };
            let uptime = uptime(405e9, 1e7, f64::from(machines) * 8.0, f64::from(machines), &reliability);
            let played = simulate(course(1e7, machines, &uptime, &reliability), 40, 8).goodput;
            assert!((played / uptime.goodput - 1.0).abs() < 0.03, "{recovery:?} on {machines}: {played} against {}", uptime.goodput);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_outcome() {
        assert_eq!(simulate(COURSE, 5, 7), simulate(COURSE, 5, 7));
        assert_ne!(simulate(COURSE, 5, 7), simulate(COURSE, 5, 8));
    }

    #[test]
    fn hopeless_runs_end_and_stay_finite() {
        for recovery in [Recovery::Restart, Recovery::Elastic { repair_s: 1e9 }, Recovery::Elastic { repair_s: 0.0 }] {
            for machine_mtbf_s in [1e-6, 1.0, 1e12] {
                for interval_s in [0.0, 1e-3, 1e12] {
                    let course = Course { machines: 3, machine_mtbf_s, interval_s, recovery, ..COURSE };
                    let outcome = simulate(course, 1, 9);
                    assert!((0.0..=1.0).contains(&outcome.goodput) && outcome.failures.is_finite());
                }
            }
        }
    }
}
