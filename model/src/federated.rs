//! Federated averaging: the data stays with the clients, the model travels.
//!
//! Per round the server chooses a share of the clients; each loads the model, trains some epochs on its own samples and sends its update, and the
//! slowest of them sets the pace (FedAvg, McMahan 2017, <https://arxiv.org/abs/1602.05629>). How many rounds reach the quality of gathered training
//! depends on how much the clients' data differs, and is no business of this file: rounds are given, or counted to equal samples.

use super::cluster::Link;

/// Uploaded bytes with secure aggregation over plain ones: 2¹⁰ clients, 2²⁰ values of 16 bit (Bonawitz 2017, abstract,
/// <https://eprint.iacr.org/2017/281>).
pub const SECURE_EXPANSION_THOUSAND: f64 = 1.73;

/// The same for 2¹⁴ clients and 2²⁴ values.
pub const SECURE_EXPANSION_SIXTEEN_THOUSAND: f64 = 1.98;

/// Times and counts are held below this, so that they stay finite over the slowest link.
const MOST: f64 = 1e18;

/// Clients, their data and their links. Clients are alike but for their speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Federation {
    /// Clients in all, at least 1.
    pub clients: f64,
    /// Share of them that a round chooses, 0 to 1; at least one client.
    pub chosen_share: f64,
    /// Share of the chosen that load the model but never report, 0 to 1; at least one reports.
    pub dropout: f64,
    /// Parameters.
    pub params: f64,
    /// Bytes per parameter of the model that is sent to the clients.
    pub bytes_per_value: f64,
    /// Bytes of an update over those of the model: 1 uncompressed, 0.01 for a hundredfold compression.
    pub update_share: f64,
    /// Uploaded bytes over plain ones with secure aggregation; 1 without.
    pub secure_expansion: f64,
    /// Samples (or tokens) per client.
    pub samples_per_client: f64,
    /// Raw bytes of one of them.
    pub sample_bytes: f64,
    /// FLOPs to train on one of them, forward and backward.
    pub flop_per_sample: f64,
    /// Epochs over its own samples that a client takes per round.
    pub local_epochs: f64,
    /// FLOP/s that the median client reaches.
    pub device_flop_per_s: f64,
    /// From the server to the median client.
    pub down: Link,
    /// From the median client to the server.
    pub up: Link,
    /// Bytes per second of the server, each direction, shared by all that load or send at once.
    pub server_bytes_per_s: f64,
    /// σ of the logarithm of the clients' time (log-normal, median 1): 0 all alike; at 0.5 one in six takes 1.65 times the median or more.
    pub speed_sigma: f64,
}

/// One round, its time in parts that add up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// Clients that load the model.
    pub chosen: f64,
    /// Clients whose update arrives.
    pub reporting: f64,
    /// Seconds in all.
    pub round_s: f64,
    /// Seconds to load the model, median client.
    pub download_s: f64,
    /// Seconds of local training, median client.
    pub compute_s: f64,
    /// Seconds to send the update, median client.
    pub upload_s: f64,
    /// Seconds from there until the slowest has reported.
    pub wait_s: f64,
    /// Bytes that a reporting client loads and sends.
    pub client_bytes: f64,
    /// Bytes that the server sends and receives.
    pub bytes: f64,
    /// Samples that go into the new model, local epochs counted.
    pub samples: f64,
}

/// Several rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// Rounds.
    pub rounds: f64,
    /// Seconds.
    pub total_s: f64,
    /// Bytes over the server's link.
    pub bytes: f64,
    /// Bytes of a client on average, over all rounds, also those that pass it by.
    pub mean_client_bytes: f64,
}

/// The alternative: every client sends its raw data once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gathering {
    /// Raw bytes of all clients.
    pub bytes: f64,
    /// Seconds until the last one has sent them.
    pub gather_s: f64,
    /// Rounds after which the federation has moved as many bytes.
    pub rounds_of_equal_bytes: f64,
}

impl Federation {
    /// Bytes of the model, as a client loads it.
    pub fn model_bytes(&self) -> f64 {
        self.params * self.bytes_per_value
    }

    /// Bytes of one update, as a client sends it.
    pub fn update_bytes(&self) -> f64 {
        self.model_bytes() * self.update_share * self.secure_expansion.max(1.0)
    }

    fn clients(&self) -> f64 {
        self.clients.max(1.0)
    }

    fn slowest(&self, of: f64) -> f64 {
        expected_slowest(of, self.speed_sigma)
    }

    /// One round.
    pub fn round(&self) -> Round {
        let chosen = (self.clients() * self.chosen_share).ceil().clamp(1.0, self.clients());
        let reporting = (chosen * (1.0 - self.dropout)).clamp(1.0, chosen);
        let own_down_s = self.down.send_s(self.model_bytes()).min(MOST);
        let own_up_s = self.up.send_s(self.update_bytes()).min(MOST);
        let compute_s = (self.samples_per_client * self.local_epochs * self.flop_per_sample / self.device_flop_per_s).min(MOST);
        let download_s = own_down_s.max(chosen * self.model_bytes() / self.server_bytes_per_s).min(MOST);
        let upload_s = own_up_s.max(reporting * self.update_bytes() / self.server_bytes_per_s).min(MOST);
        let typical_s = download_s + compute_s + upload_s;
        // The slowest client needs its own time; a server that keeps all waiting anyway hides part of it.
        let wait_s = (self.slowest(reporting) * (own_down_s + compute_s + own_up_s) - typical_s).clamp(0.0, MOST);
        Round {
            chosen,
            reporting,
            round_s: typical_s + wait_s,
            download_s,
            compute_s,
            upload_s,
            wait_s,
            client_bytes: self.model_bytes() + self.update_bytes(),
            bytes: chosen * self.model_bytes() + reporting * self.update_bytes(),
            samples: reporting * self.samples_per_client * self.local_epochs,
        }
    }

    /// `rounds` rounds one after the other.
    pub fn run(&self, rounds: f64) -> Run {
        let round = self.round();
        let bytes = round.bytes * rounds;
        Run { rounds, total_s: (round.round_s * rounds).min(MOST), bytes, mean_client_bytes: bytes / self.clients() }
    }

    /// Rounds until the model has seen as many samples as gathered training in `epochs` epochs over all data.
    pub fn rounds_for_epochs(&self, epochs: f64) -> f64 {
        (self.clients() * self.samples_per_client * epochs / self.round().samples.max(f64::MIN_POSITIVE)).min(MOST)
    }

    /// What gathering the raw data would move, and how long it takes over the clients' uplinks and the server's link.
    pub fn gathering(&self) -> Gathering {
        let client_bytes = self.samples_per_client * self.sample_bytes;
        let bytes = self.clients() * client_bytes;
        let own_s = (self.up.send_s(client_bytes) * self.slowest(self.clients())).min(MOST);
        let gather_s = own_s.max(bytes / self.server_bytes_per_s).min(MOST);
        Gathering { bytes, gather_s, rounds_of_equal_bytes: (bytes / self.round().bytes.max(f64::MIN_POSITIVE)).min(MOST) }
    }
}

/// Uploaded bytes with masks over plain ones, without keys and shares: a sum of n values of b bits needs b + ⌈log₂ n⌉ bits, and so does each masked
/// value (Bonawitz 2017, where the inputs are added modulo n times their range). A lower bound of the measured figures above.
pub fn masked_expansion(bits_per_value: f64, clients: f64) -> f64 {
    1.0 + clients.max(1.0).log2().ceil() / bits_per_value.max(1.0)
}

/// Expected time of the slowest of `count` clients over the median one, log-normal with `sigma` (held to 0 to 3): the mean of the largest order
/// statistic, ∫ e^(σz) d(Φ(z)^count), by the midpoint rule. Blom's quantile (Φ⁻¹((k−⅜)/(k+¼)), Blom 1958) in place of the mean is 4 to 17 % low
/// for ten clients at σ between 0.5 and 1.
pub fn expected_slowest(count: f64, sigma: f64) -> f64 {
    const STEPS: u32 = 256;
    let (count, sigma) = (count.max(1.0), sigma.clamp(0.0, 3.0));
    let (low, high) = (-8.0, 8.0 + sigma);
    let width = (high - low) / f64::from(STEPS);
    // Φ(z)^count through the upper tail, which stays exact where Φ is nearly 1.
    let below = |z: f64| (count * (-upper_tail(z)).ln_1p()).exp();
    let mut sum = 0.0;
    let mut before = 0.0;
    for step in 1..=STEPS {
        let z = low + width * f64::from(step);
        let here = if step == STEPS { 1.0 } else { below(z) };
        sum += (sigma * (z - width / 2.0)).exp() * (here - before);
        before = here;
    }
    sum
}

/// 1 − Φ(z), relative error below 1.2·10⁻⁷ (the rational Chebyshev fit of erfc in Press and others, Numerical Recipes, 2nd edition, section 6.2).
fn upper_tail(z: f64) -> f64 {
    const FIT: [f64; 10] =
        [-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277];
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.5 * x);
    let erfc = t * (FIT.iter().rev().fold(0.0, |sum, coefficient| sum * t + coefficient) - x * x).exp();
    // Held below 1, so that the logarithm of its complement stays finite.
    if z >= 0.0 { erfc / 2.0 } else { (1.0 - erfc / 2.0).min(1.0 - 1e-16) }
}

#[cfg(test)]
mod tests;
