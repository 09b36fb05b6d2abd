//! Carbon that was emitted to make the hardware, and the share of it that a run uses up.
//!
//! The emissions of making are spread evenly over the hours of use, as Luccioni 2022 does for BLOOM (<https://arxiv.org/abs/2211.02001>, section 4.1).
//! Shorter lives and idle hours raise the share of each hour. The carbon of the electricity is `money::Bill::co2_kg`; add the two, never mix them.

/// Hours of a year.
pub const HOURS_PER_YEAR: f64 = 8_760.0;

/// Kilograms of CO₂-equivalents of making one HGX H100 baseboard of eight GPUs, cradle to gate, without the server around it (NVIDIA product carbon
/// footprint, <https://images.nvidia.com/aem-dam/Solutions/documents/HGX-H100-PCF-Summary.pdf>).
pub const HGX_H100_BOARD_KG: f64 = 1_312.0;

/// The same for one HGX B200 baseboard (<https://images.nvidia.com/aem-dam/Solutions/documents/HGX-B200-PCF-Summary.pdf>).
pub const HGX_B200_BOARD_KG: f64 = 2_274.0;

/// Kilograms of making one server without its GPUs, as Luccioni 2022 takes it from a comparable HPE server.
pub const BLOOM_SERVER_KG: f64 = 2_500.0;

/// Kilograms of making one GPU there, an estimate for want of a figure from its maker.
pub const BLOOM_GPU_KG: f64 = 150.0;

/// Years of use there.
pub const BLOOM_LIFE_YEARS: f64 = 6.0;

/// Share of these years in use there.
pub const BLOOM_UTILISATION: f64 = 0.85;

/// Utilisation is held to this and above: hours that are never used can't carry a share.
const LOWEST_UTILISATION: f64 = 1e-6;

/// A server with its GPUs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Embodied {
    /// Kilograms of CO₂-equivalents of making the server, its GPUs not included.
    pub server_kg: f64,
    /// Kilograms of making one GPU, with its share of the baseboard.
    pub gpu_kg: f64,
    /// GPUs per server, at least 1.
    pub gpus_per_server: f64,
    /// Hours from the first day to the last, used or not.
    pub life_hours: f64,
    /// Share of these hours in use, above 0 to 1.
    pub utilisation: f64,
}

impl Embodied {
    /// Kilograms per GPU, with its share of the server.
    pub fn kg_per_gpu(&self) -> f64 {
        self.gpu_kg + self.server_kg / self.gpus_per_server.max(1.0)
    }

    /// Kilograms per GPU-hour of use: kilograms per GPU/(life · utilisation).
    pub fn kg_per_gpu_hour(&self) -> f64 {
        self.kg_per_gpu() / (self.life_hours.max(1.0) * self.utilisation.clamp(LOWEST_UTILISATION, 1.0))
    }

    /// Kilograms that a run of `gpu_hours` GPU-hours uses up.
    pub fn run_kg(&self, gpu_hours: f64) -> f64 {
        self.kg_per_gpu_hour() * gpu_hours
    }

    /// Share of making in the whole carbon of a run, 0 to 1, where its electricity emits `operation_kg`.
    pub fn share(&self, gpu_hours: f64, operation_kg: f64) -> f64 {
        let making_kg = self.run_kg(gpu_hours);
        let all_kg = making_kg + operation_kg;
        if all_kg > 0.0 { making_kg / all_kg } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BLOOM's servers: eight A100 each.
    const BLOOM: Embodied = Embodied {
        server_kg: BLOOM_SERVER_KG,
        gpu_kg: BLOOM_GPU_KG,
        gpus_per_server: 8.0,
        life_hours: BLOOM_LIFE_YEARS * HOURS_PER_YEAR,
        utilisation: BLOOM_UTILISATION,
    };

    #[test]
    fn the_published_figures_of_bloom() {
        // 6 · 8,760 · 0.85 = 44,676 h: a server hour 0.056 kg, a GPU hour 0.003 kg (the paper rounds so); 1.08 million GPU-hours: 11.2 t.
        let server_hour = Embodied { gpu_kg: 0.0, gpus_per_server: 1.0, ..BLOOM }.kg_per_gpu_hour();
        assert!((server_hour - 0.056).abs() < 5e-4, "{server_hour}");
        let gpu_hour = Embodied { server_kg: 0.0, ..BLOOM }.kg_per_gpu_hour();
        assert!((gpu_hour - 0.003).abs() < 5e-4, "{gpu_hour}");
        assert!((server_hour * 1_082_990.0 / 8.0 - 7_570.0).abs() < 10.0 && (gpu_hour * 1_082_990.0 - 3_640.0).abs() < 10.0);
        assert!((BLOOM.run_kg(1_082_990.0) / 11_200.0 - 1.0).abs() < 0.01, "{}", BLOOM.run_kg(1_082_990.0));
        // Beside it 24.7 t for the electricity in use and 14.6 t idle: 22 % of 50.5 t.
        assert!((BLOOM.share(1_082_990.0, 39_300.0) - 0.222).abs() < 1e-3);
    }

    #[test]
    fn an_hour_by_hand() {
        // (2,400/8 + 164)/(40,000 · 0.5) = 464/20,000.
        let server =
            Embodied { server_kg: 2_400.0, gpu_kg: HGX_H100_BOARD_KG / 8.0, gpus_per_server: 8.0, life_hours: 4e4, utilisation: 0.5 };
        assert_eq!(server.kg_per_gpu(), 464.0);
        assert!((server.kg_per_gpu_hour() - 0.0232).abs() < 1e-12);
        assert!((server.run_kg(1_000.0) - 23.2).abs() < 1e-9);
    }

    #[test]
    fn both_boards_agree_with_the_decrease_that_their_maker_states() {
        // Per FLOP at dense 16 bit, 989 and 2,250 TFLOP/s a GPU, NVIDIA states 24 % less for the B200 (0.66 → 0.50 g per exaFLOP,
        // developer.nvidia.com/blog/?p=106112).
        let decrease = 1.0 - (HGX_B200_BOARD_KG / 2_250.0) / (HGX_H100_BOARD_KG / 989.0);
        assert!((decrease - 0.24).abs() < 0.005, "{decrease}");
    }

    #[test]
    fn idle_hours_double_the_share() {
        let half = Embodied { utilisation: BLOOM_UTILISATION / 2.0, ..BLOOM };
        assert!((half.kg_per_gpu_hour() / BLOOM.kg_per_gpu_hour() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn extremes_stay_finite() {
        for utilisation in [0.0, 1e-9, 1.0, 7.0] {
            for life_hours in [0.0, 1e9] {
                let server = Embodied { utilisation, life_hours, gpus_per_server: 0.0, server_kg: 1e9, ..BLOOM };
                for gpu_hours in [0.0, 1e15] {
                    assert!(server.run_kg(gpu_hours).is_finite());
                    assert!((0.0..=1.0).contains(&server.share(gpu_hours, 0.0)));
                }
            }
        }
    }
}
