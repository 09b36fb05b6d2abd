use super::*;

/// A hundred clients of 600 images of 100 kB; 25 million fp32 values; 100 Mbit/s down, 40 Mbit/s up.
const FEDERATION: Federation = Federation {
    clients: 100.0,
    chosen_share: 0.1,
    dropout: 0.0,
    params: 25e6,
    bytes_per_value: 4.0,
    update_share: 1.0,
    secure_expansion: 1.0,
    samples_per_client: 600.0,
    sample_bytes: 1e5,
    flop_per_sample: 1e9,
    local_epochs: 5.0,
    device_flop_per_s: 1e12,
    down: Link { bytes_per_s: 12.5e6, latency_s: 0.0 },
    up: Link { bytes_per_s: 5e6, latency_s: 0.0 },
    server_bytes_per_s: 1e12,
    speed_sigma: 0.0,
};

fn near(found: f64, expected: f64, relative: f64) {
    assert!((found / expected - 1.0).abs() < relative, "{found} is not near {expected}");
}

#[test]
fn a_round_by_hand() {
    // 100 MB: 8 s down, 20 s up; 600 · 5 · 10⁹ / 10¹² = 3 s of work.
    let round = FEDERATION.round();
    assert_eq!((round.chosen, round.reporting), (10.0, 10.0));
    near(round.download_s, 8.0, 1e-9);
    near(round.compute_s, 3.0, 1e-9);
    near(round.upload_s, 20.0, 1e-9);
    assert!(round.wait_s < 1e-9);
    near(round.round_s, 31.0, 1e-9);
    assert_eq!((round.client_bytes, round.bytes, round.samples), (2e8, 2e9, 30_000.0));
}

#[test]
fn a_run_and_gathering_by_hand() {
    let run = FEDERATION.run(50.0);
    near(run.total_s, 1_550.0, 1e-9);
    assert_eq!((run.bytes, run.mean_client_bytes), (1e11, 1e9));
    // 60,000 samples an epoch, 30,000 a round: twenty epochs are forty rounds.
    assert_eq!(FEDERATION.rounds_for_epochs(20.0), 40.0);
    // 60 MB per client at 5 MB/s: 12 s; 6 GB in all, as much as three rounds move.
    let gathering = FEDERATION.gathering();
    near(gathering.gather_s, 12.0, 1e-9);
    assert_eq!((gathering.bytes, gathering.rounds_of_equal_bytes), (6e9, 3.0));
}

#[test]
fn the_server_can_be_the_bottleneck() {
    // Ten clients share 50 MB/s: 20 s each way, above the clients' own 8 s down.
    let round = Federation { server_bytes_per_s: 5e7, ..FEDERATION }.round();
    near(round.download_s, 20.0, 1e-9);
    near(round.upload_s, 20.0, 1e-9);
    // At 10 MB/s the seven that report take 70 s, the ten that load 100 s.
    let round = Federation { server_bytes_per_s: 1e7, dropout: 0.3, ..FEDERATION }.round();
    near(round.download_s, 100.0, 1e-9);
    near(round.upload_s, 70.0, 1e-9);
    near(Federation { server_bytes_per_s: 1e8, ..FEDERATION }.gathering().gather_s, 60.0, 1e-9);
}

#[test]
fn compression_and_secure_aggregation_change_the_upload_only() {
    let round = Federation { update_share: 0.01, secure_expansion: SECURE_EXPANSION_THOUSAND, ..FEDERATION }.round();
    near(round.upload_s, 0.346, 1e-9);
    near(round.download_s, 8.0, 1e-9);
    near(round.client_bytes, 101.73e6, 1e-9);
}

#[test]
fn who_drops_out_has_loaded_but_not_sent() {
    let round = Federation { dropout: 0.3, ..FEDERATION }.round();
    near(round.reporting, 7.0, 1e-12);
    near(round.bytes, 10.0 * 1e8 + 7.0 * 1e8, 1e-12);
    near(round.samples, 21_000.0, 1e-12);
    assert_eq!(Federation { dropout: 1.0, ..FEDERATION }.round().reporting, 1.0);
}

#[test]
fn the_slowest_sets_the_pace_and_the_parts_add_up() {
    let round = Federation { speed_sigma: 0.5, ..FEDERATION }.round();
    near(round.round_s, 31.0 * expected_slowest(10.0, 0.5), 1e-9);
    near(round.download_s + round.compute_s + round.upload_s + round.wait_s, round.round_s, 1e-12);
    // A server that takes longer than the slowest client hides the waiting.
    assert_eq!(Federation { speed_sigma: 0.1, server_bytes_per_s: 1e6, ..FEDERATION }.round().wait_s, 0.0);
}

#[test]
fn one_client_takes_the_mean_of_the_log_normal() {
    // e^(σ²/2).
    for sigma in [0.0, 0.25, 0.5, 1.0, 2.0] {
        near(expected_slowest(1.0, sigma), (sigma * sigma / 2.0f64).exp(), 2e-3);
    }
    // Expected largest of two normals is 1/√π: to first order 1 + σ/√π.
    near(expected_slowest(2.0, 0.01), 1.0 + 0.01 / std::f64::consts::PI.sqrt(), 1e-4);
}

#[test]
fn the_slowest_agrees_with_a_simulation() {
    // SplitMix64 and Box–Muller; the maximum of `count` log-normals, 20,000 times.
    let mut state = 42u64;
    let mut uniform = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((mixed ^ (mixed >> 31)) >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    };
    for (count, sigma) in [(2, 0.5), (10, 0.25), (10, 1.0), (50, 0.5)] {
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..20_000 {
            let mut largest = f64::NEG_INFINITY;
            for _ in 0..count {
                let normal = (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
                largest = normal.max(largest);
            }
            let slowest = (sigma * largest).exp();
            sum += slowest;
            squares += slowest * slowest;
        }
        let mean = sum / 20_000.0;
        let error = ((squares / 20_000.0 - mean * mean) / 20_000.0).sqrt();
        let found = expected_slowest(f64::from(count), sigma);
        assert!((found - mean).abs() < 4.0 * error + 1e-3 * mean, "{count} at {sigma}: {found}, simulated {mean} ± {error}");
    }
}

#[test]
fn masks_explain_most_of_the_measured_expansion() {
    // 16 bit and 2¹⁰ clients: 26/16 = 1.625 of 1.73; 2¹⁴ clients: 30/16 = 1.875 of 1.98.
    assert_eq!(masked_expansion(16.0, 1024.0), 1.625);
    assert_eq!(masked_expansion(16.0, 16_384.0), 1.875);
    assert!(masked_expansion(16.0, 1024.0) < SECURE_EXPANSION_THOUSAND);
    assert!(masked_expansion(16.0, 16_384.0) < SECURE_EXPANSION_SIXTEEN_THOUSAND);
}

#[test]
fn extremes_stay_finite() {
    for clients in [0.0, 1.0, 1e9] {
        for rate in [1e-9, 1.0, 1e18] {
            for sigma in [0.0, 1.0, 100.0] {
                for samples in [0.0, 1e15] {
                    let link = Link { bytes_per_s: rate, latency_s: 1.0 };
                    let federation = Federation {
                        clients,
                        params: 1e15,
                        samples_per_client: samples,
                        device_flop_per_s: rate,
                        down: link,
                        up: link,
                        server_bytes_per_s: rate,
                        speed_sigma: sigma,
                        dropout: 1.0,
                        ..FEDERATION
                    };
                    let (round, run, gathering) = (federation.round(), federation.run(1e6), federation.gathering());
                    for value in [round.round_s, round.bytes, run.total_s, run.mean_client_bytes, gathering.gather_s] {
                        assert!(value.is_finite() && value >= 0.0);
                    }
                    assert!(gathering.rounds_of_equal_bytes.is_finite() && federation.rounds_for_epochs(1e3).is_finite());
                }
            }
        }
    }
}
