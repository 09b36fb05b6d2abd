//! What travels when the data stay: updates in place of raw data.

use crate::model::federated::Federation;

/// Bytes of a federated run beside those of gathering the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traffic {
    /// Tokens of the data set.
    pub tokens: f64,
    /// Bytes of these tokens: what stays where it is.
    pub raw_bytes: f64,
    /// Sites.
    pub sites: f64,
    /// Rounds of the run, whole ones.
    pub rounds: f64,
    /// Bytes that one site loads and sends in a round.
    pub site_round_bytes: f64,
    /// Bytes of models and updates over all sites and rounds.
    pub update_bytes: f64,
    /// Seconds of the run.
    pub time_s: f64,
}

/// What a run over all tokens of the federation moves, and what gathering a data set of `tokens` tokens would have moved.
pub fn traffic(federation: &Federation, tokens: f64) -> Traffic {
    let rounds = federation.rounds_for_epochs(1.0).ceil();
    let run = federation.run(rounds);
    Traffic {
        tokens,
        raw_bytes: tokens * federation.sample_bytes,
        sites: federation.clients,
        rounds,
        site_round_bytes: federation.round().client_bytes,
        update_bytes: run.bytes,
        time_s: run.total_s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Link;

    /// Four sites share 20 billion tokens; a billion parameters of two bytes each; 500 steps of a million tokens between two rounds.
    fn four_sites() -> Federation {
        let link = Link { bytes_per_s: 1e9, latency_s: 0.0 };
        Federation {
            clients: 4.0,
            chosen_share: 1.0,
            dropout: 0.0,
            params: 1e9,
            bytes_per_value: 2.0,
            update_share: 1.0,
            secure_expansion: 1.0,
            samples_per_client: 5e9,
            sample_bytes: 4.0,
            flop_per_sample: 1.0,
            // 500 steps of a million tokens are 1.25e8 tokens for each of four sites, a fortieth of its own.
            local_epochs: 0.025,
            device_flop_per_s: 1e6,
            down: link,
            up: link,
            server_bytes_per_s: 4e9,
            speed_sigma: 0.0,
        }
    }

    #[test]
    fn worked_by_hand() {
        let moved = traffic(&four_sites(), 2e10);
        // 2e10 tokens of 4 bytes; 2e10 tokens in rounds of 5e8 are 40; each site loads and sends 2 GB; 4 sites, 40 rounds.
        assert_eq!(moved.raw_bytes, 80e9);
        assert!((moved.rounds - 40.0).abs() < 1e-9, "{}", moved.rounds);
        assert_eq!(moved.site_round_bytes, 4e9);
        assert!((moved.update_bytes / 640e9 - 1.0).abs() < 1e-9, "{}", moved.update_bytes);
        // A round: 2 s down, 125 s of computing, 2 s up.
        assert!((moved.time_s / (40.0 * 129.0) - 1.0).abs() < 1e-6, "{}", moved.time_s);
    }

    #[test]
    fn a_data_set_that_is_passed_through_twice_is_gathered_once() {
        let twice = traffic(&four_sites(), 1e10);
        assert_eq!(twice.raw_bytes, 40e9);
        assert_eq!(twice.update_bytes, traffic(&four_sites(), 2e10).update_bytes);
    }
}
