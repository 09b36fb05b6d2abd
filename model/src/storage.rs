//! Reading the data: what the training asks of the storage, and how long it takes to bring a data set to its place.

use super::cluster::Link;

/// Bytes of a token id on disk while the vocabulary has fewer than [`SHORT_VOCAB`] entries: 16 bit.
pub const SHORT_TOKEN_BYTES: f64 = 2.0;

/// Bytes of a token id on disk for larger vocabularies: 32 bit.
pub const LONG_TOKEN_BYTES: f64 = 4.0;

/// Entries of the vocabulary from which Megatron-LM stores 32 bit (`optimal_dtype` in `megatron/core/datasets/indexed_dataset.py`).
pub const SHORT_VOCAB: f64 = 65_500.0;

/// Times are held below this, so that they stay finite over the slowest link.
const LONGEST_S: f64 = 1e18;

/// Bytes of a token id on disk.
pub fn token_bytes(vocab: f64) -> f64 {
    if vocab < SHORT_VOCAB { SHORT_TOKEN_BYTES } else { LONG_TOKEN_BYTES }
}

/// What a training reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loading {
    /// Samples (images, sequences, tokens) per second that all machines together train on while they don't wait for data.
    pub samples_per_s: f64,
    /// Bytes of one of them in the storage.
    pub sample_bytes: f64,
    /// Machines that share the samples, at least 1.
    pub machines: f64,
    /// Share of the reads that a cache in the machine answers, 0 to 1: from the second epoch on what fits, in the first nothing.
    pub cached_share: f64,
}

/// What a storage gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Storage {
    /// Bytes per second for all machines together; for disks inside the machines, their number times one.
    pub bytes_per_s: f64,
    /// Bytes per second that one machine can take in.
    pub machine_bytes_per_s: f64,
}

/// Asked against given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Bytes per second that the training asks for in all.
    pub needed_bytes_per_s: f64,
    /// The same per machine.
    pub machine_needed_bytes_per_s: f64,
    /// Bytes per second that the storage can deliver to these machines.
    pub given_bytes_per_s: f64,
    /// Share of its speed that the training reaches, above 0 to 1; 1 if the storage keeps up.
    pub speed: f64,
}

impl Reading {
    /// Whether training waits for data.
    pub fn waits(&self) -> bool {
        self.speed < 1.0
    }
}

impl Loading {
    /// Required rate = samples per second · bytes · uncached share; loading runs beside the computation, so the slower of the two sets the speed.
    pub fn reading(&self, storage: &Storage) -> Reading {
        let machines = self.machines.max(1.0);
        let needed = self.samples_per_s * self.sample_bytes * (1.0 - self.cached_share.clamp(0.0, 1.0));
        let given = storage.bytes_per_s.min(storage.machine_bytes_per_s * machines);
        let speed = if needed > given { given / needed } else { 1.0 };
        Reading { needed_bytes_per_s: needed, machine_needed_bytes_per_s: needed / machines, given_bytes_per_s: given, speed }
    }

    /// The most machines of `machine_samples_per_s` each that the storage feeds without making them wait: at least nought, not rounded.
    pub fn machines_fed(&self, storage: &Storage, machine_samples_per_s: f64) -> f64 {
        let machine_needed = machine_samples_per_s * self.sample_bytes * (1.0 - self.cached_share.clamp(0.0, 1.0));
        if machine_needed > storage.machine_bytes_per_s {
            return 0.0;
        }
        (storage.bytes_per_s / machine_needed.max(f64::MIN_POSITIVE)).min(LONGEST_S)
    }
}

/// Seconds to bring `bytes` over a link, once.
pub fn stage_s(bytes: f64, link: Link) -> f64 {
    link.send_s(bytes).min(LONGEST_S)
}

/// Seconds to gather `site_bytes` from each of `sites` places over their uplinks at one receiver of `receiver_bytes_per_s`:
/// the slower of one uplink and the receiver's link.
pub fn gather_s(sites: f64, site_bytes: f64, uplink: Link, receiver_bytes_per_s: f64) -> f64 {
    stage_s(site_bytes, uplink).max(sites.max(1.0) * site_bytes / receiver_bytes_per_s).min(LONGEST_S)
}

/// Seconds to bring one copy each to `machines` machines from one source: through the source's link one after the other, or, with `relayed`, as a
/// chain that hands pieces on (van de Geijn's broadcast: the time of one copy, to first order).
pub fn distribute_s(bytes: f64, machines: f64, source: Link, relayed: bool) -> f64 {
    let copies = if relayed { 1.0 } else { machines.max(1.0) };
    stage_s(bytes * copies, source)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight machines that take 2,500 images of 100 kB a second each.
    const IMAGES: Loading = Loading { samples_per_s: 20_000.0, sample_bytes: 1e5, machines: 8.0, cached_share: 0.0 };

    #[test]
    fn images_by_hand() {
        // 2 GB/s in all, 250 MB/s each; a storage of 1 GB/s holds them to half.
        let reading = IMAGES.reading(&Storage { bytes_per_s: 1e9, machine_bytes_per_s: 1e9 });
        assert_eq!((reading.needed_bytes_per_s, reading.machine_needed_bytes_per_s), (2e9, 2.5e8));
        assert_eq!((reading.given_bytes_per_s, reading.speed), (1e9, 0.5));
        assert!(reading.waits());
        // 1 Gbit/s per machine: 125 MB/s of 250.
        let narrow = IMAGES.reading(&Storage { bytes_per_s: 1e11, machine_bytes_per_s: 1.25e8 });
        assert_eq!((narrow.given_bytes_per_s, narrow.speed), (1e9, 0.5));
        // Three quarters cached: 500 MB/s.
        let cached = Loading { cached_share: 0.75, ..IMAGES }.reading(&Storage { bytes_per_s: 1e9, machine_bytes_per_s: 1e9 });
        assert!(!cached.waits() && cached.needed_bytes_per_s == 5e8);
    }

    #[test]
    fn tokens_need_next_to_nothing() {
        // A million tokens a second, 32-bit ids: 4 MB/s.
        let tokens = Loading { samples_per_s: 1e6, sample_bytes: token_bytes(128_256.0), machines: 16.0, cached_share: 0.0 };
        assert_eq!(tokens.reading(&Storage { bytes_per_s: 1e8, machine_bytes_per_s: 1e8 }).needed_bytes_per_s, 4e6);
        assert_eq!((token_bytes(50_257.0), token_bytes(65_499.0), token_bytes(65_500.0)), (2.0, 2.0, 4.0));
    }

    #[test]
    fn machines_that_a_storage_feeds() {
        let storage = Storage { bytes_per_s: 1e9, machine_bytes_per_s: 1e9 };
        assert_eq!(IMAGES.machines_fed(&storage, 2_500.0), 4.0);
        assert_eq!(IMAGES.machines_fed(&Storage { machine_bytes_per_s: 1e8, ..storage }, 2_500.0), 0.0);
    }

    #[test]
    fn staging_and_gathering_by_hand() {
        // A terabyte over 40 Mbit/s: 200,000 s, more than two days; over 10 Gbit/s: 800 s.
        let home = Link { bytes_per_s: 5e6, latency_s: 0.0 };
        assert_eq!(stage_s(1e12, home), 200_000.0);
        assert_eq!(stage_s(1e12, Link { bytes_per_s: 1.25e9, latency_s: 0.0 }), 800.0);
        // Ten sites of 100 GB each, at once: 20,000 s; the receiver's 25 MB/s makes it 40,000.
        assert_eq!(gather_s(10.0, 1e11, home, 1.25e9), 20_000.0);
        assert_eq!(gather_s(10.0, 1e11, home, 2.5e7), 40_000.0);
        assert_eq!(distribute_s(1e12, 8.0, Link { bytes_per_s: 1.25e9, latency_s: 0.0 }, false), 6_400.0);
        assert_eq!(distribute_s(1e12, 8.0, Link { bytes_per_s: 1.25e9, latency_s: 0.0 }, true), 800.0);
    }

    #[test]
    fn extremes_stay_finite() {
        for rate in [1e-12, 1.0, 1e18] {
            for samples_per_s in [0.0, 1e12] {
                let loading = Loading { samples_per_s, sample_bytes: 1e12, machines: 0.0, cached_share: 2.0 };
                for cached_share in [0.0, 1.0, 2.0] {
                    let storage = Storage { bytes_per_s: rate, machine_bytes_per_s: rate };
                    let reading = Loading { cached_share, ..loading }.reading(&storage);
                    assert!(reading.speed > 0.0 && reading.speed <= 1.0 && reading.needed_bytes_per_s.is_finite());
                    assert!(Loading { cached_share, ..loading }.machines_fed(&storage, samples_per_s).is_finite());
                }
                let link = Link { bytes_per_s: rate, latency_s: 1.0 };
                assert!(gather_s(1e9, 1e18, link, rate).is_finite() && distribute_s(1e18, 1e9, link, false).is_finite());
            }
        }
    }
}
