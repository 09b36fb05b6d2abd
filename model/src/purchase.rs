//! Bought against rented: what an hour of a GPU of one's own costs, and when that is less than rent.
//!
//! Which rows of `data/purchase.csv` feed which field (columns `usd_low`, `usd_typical`, `usd_high`): `srv-*` and `ws-*` → `server_usd` (whole
//! machines; `gpu-*` are single modules and need a host added); `net-ib-*` → `network_usd_per_gpu`, by the size of the cluster; `all-in-*` → in place
//! of both, as its figure contains server, network and facility (then `hosting_usd_per_kw_month` is nought); `elec-*` → `usd_per_kwh`; `pue-*` → `pue`;
//! `colo-*` → `hosting_usd_per_kw_month` (power is billed on top); `storage-*` belongs to the rent of storage and not here.

/// Hours of a year.
pub const HOURS_PER_YEAR: f64 = 8_760.0;

/// Utilisation is held to this and above: an hour that is never used costs more than any number says.
const LOWEST_UTILISATION: f64 = 1e-6;

/// A machine, or a cluster of equal ones, of one's own. Amounts in US dollars of one and the same year; no interest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Purchase {
    /// Price of one server.
    pub server_usd: f64,
    /// GPUs in it, at least 1.
    pub gpus_per_server: f64,
    /// Share of switches, cables and optics per GPU; nought for a single machine.
    pub network_usd_per_gpu: f64,
    /// Share of the price that is got back at the end, 0 to 1.
    pub residual_share: f64,
    /// Hours from purchase to the end of use, used or not.
    pub life_hours: f64,
    /// Share of these hours in which the GPUs train, above 0 to 1.
    pub utilisation: f64,
    /// Watts per GPU in use, its share of the server included.
    pub watts_per_gpu: f64,
    /// Watts per GPU while idle.
    pub idle_watts_per_gpu: f64,
    /// Facility power over IT power.
    pub pue: f64,
    /// US dollars per kilowatt-hour.
    pub usd_per_kwh: f64,
    /// Rent of rack space per kilowatt of IT power and month, power not included.
    pub hosting_usd_per_kw_month: f64,
    /// Staff per GPU and year.
    pub staff_usd_per_gpu_year: f64,
    /// Hours of work until the first training runs, per GPU.
    pub setup_hours_per_gpu: f64,
    /// US dollars per hour of that work.
    pub setup_usd_per_hour: f64,
}

/// US dollars per GPU-hour of use, in parts that add up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HourCost {
    /// Price less what is got back, spread over the hours of use.
    pub capital_usd: f64,
    /// Electricity, that of the idle hours included.
    pub power_usd: f64,
    /// Rack space.
    pub hosting_usd: f64,
    /// Staff.
    pub staff_usd: f64,
    /// Setting up, spread over the hours of use.
    pub setup_usd: f64,
}

impl HourCost {
    /// The sum of the parts.
    pub fn total_usd(&self) -> f64 {
        self.capital_usd + self.power_usd + self.hosting_usd + self.staff_usd + self.setup_usd
    }
}

impl Purchase {
    /// US dollars per GPU on the first day: server, network and setting up.
    pub fn entry_usd_per_gpu(&self) -> f64 {
        self.hardware_usd_per_gpu() + self.setup_usd_per_gpu()
    }

    fn hardware_usd_per_gpu(&self) -> f64 {
        self.server_usd / self.gpus_per_server.max(1.0) + self.network_usd_per_gpu
    }

    fn setup_usd_per_gpu(&self) -> f64 {
        self.setup_hours_per_gpu * self.setup_usd_per_hour
    }

    fn utilisation(&self) -> f64 {
        self.utilisation.clamp(LOWEST_UTILISATION, 1.0)
    }

    /// Electricity of one GPU for one hour at `watts`, with the facility's share.
    fn power_usd_per_hour(&self, watts: f64) -> f64 {
        watts / 1e3 * self.pue * self.usd_per_kwh
    }

    fn hosting_usd_per_hour(&self) -> f64 {
        self.watts_per_gpu / 1e3 * self.hosting_usd_per_kw_month * 12.0 / HOURS_PER_YEAR
    }

    /// What a GPU-hour of use costs: what runs all the time is divided by the utilisation.
    pub fn hour(&self) -> HourCost {
        let used = self.utilisation();
        let used_hours = self.life_hours.max(1.0) * used;
        let idle_usd = self.power_usd_per_hour(self.idle_watts_per_gpu) * (1.0 - used) / used;
        HourCost {
            capital_usd: self.hardware_usd_per_gpu() * (1.0 - self.residual_share) / used_hours,
            power_usd: self.power_usd_per_hour(self.watts_per_gpu) + idle_usd,
            hosting_usd: self.hosting_usd_per_hour() / used,
            staff_usd: self.staff_usd_per_gpu_year / HOURS_PER_YEAR / used,
            setup_usd: self.setup_usd_per_gpu() / used_hours,
        }
    }

    /// The utilisation from which owning is cheaper than renting at `rent_usd` per GPU-hour. The cost of an hour is F/u + p, so u = F/(rent − p).
    /// `None` if owning never is, not even in full use.
    pub fn break_even_utilisation(&self, rent_usd: f64) -> Option<f64> {
        let full = Purchase { utilisation: 1.0, ..*self }.hour();
        let idle_usd = self.power_usd_per_hour(self.idle_watts_per_gpu);
        let always_usd = full.capital_usd + full.hosting_usd + full.staff_usd + full.setup_usd + idle_usd;
        let in_use_usd = full.power_usd - idle_usd;
        let share = always_usd / (rent_usd - in_use_usd);
        (rent_usd > in_use_usd && share <= 1.0).then_some(share)
    }

    /// Hours of use per GPU after which the sum of the rent at `rent_usd` has passed the purchase, at this utilisation and with what is got back
    /// already taken off. May lie beyond the machine's life: compare with `life_hours · utilisation`. `None` if running it alone costs as much as rent.
    pub fn break_even_hours(&self, rent_usd: f64) -> Option<f64> {
        let hour = self.hour();
        let saved_usd = rent_usd - hour.power_usd - hour.hosting_usd - hour.staff_usd;
        let hours = (self.hardware_usd_per_gpu() * (1.0 - self.residual_share) + self.setup_usd_per_gpu()) / saved_usd;
        (saved_usd > 0.0 && hours.is_finite()).then_some(hours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight GPUs for 320,000 dollars over 40,000 hours, in use half of them.
    const OWN: Purchase = Purchase {
        server_usd: 320_000.0,
        gpus_per_server: 8.0,
        network_usd_per_gpu: 2_000.0,
        residual_share: 0.0,
        life_hours: 40_000.0,
        utilisation: 0.5,
        watts_per_gpu: 1_000.0,
        idle_watts_per_gpu: 200.0,
        pue: 1.5,
        usd_per_kwh: 0.2,
        hosting_usd_per_kw_month: 146.0,
        staff_usd_per_gpu_year: 876.0,
        setup_hours_per_gpu: 10.0,
        setup_usd_per_hour: 100.0,
    };

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn an_hour_by_hand() {
        let hour = OWN.hour();
        near(hour.capital_usd, 42_000.0 / 20_000.0);
        // 1 kW · 1.5 · 0.2 = 0.30 in use, and 0.06 for the one idle hour that goes with it.
        near(hour.power_usd, 0.36);
        // 146 · 12 / 8,760 = 0.20 per hour, half of them used.
        near(hour.hosting_usd, 0.4);
        near(hour.staff_usd, 0.2);
        near(hour.setup_usd, 0.05);
        near(hour.total_usd(), 3.11);
        near(OWN.entry_usd_per_gpu(), 43_000.0);
    }

    #[test]
    fn what_is_got_back_counts() {
        near(Purchase { residual_share: 0.25, ..OWN }.hour().capital_usd, 31_500.0 / 20_000.0);
    }

    #[test]
    fn at_the_break_even_utilisation_both_cost_the_same() {
        // Always: 1.05 + 0.2 + 0.1 + 0.025 + 0.06 = 1.435; in use 0.24 more: at 2.99 of rent 1.435/2.75 = 0.5218.
        let share = OWN.break_even_utilisation(2.99).unwrap_or(0.0);
        near(share, 1.435 / 2.75);
        near(Purchase { utilisation: share, ..OWN }.hour().total_usd(), 2.99);
        assert_eq!(OWN.break_even_utilisation(1.0), None);
        assert_eq!(OWN.break_even_utilisation(0.1), None);
    }

    #[test]
    fn hours_until_the_purchase_has_paid() {
        // 43,000 / (4.96 − 0.36 − 0.4 − 0.2) = 10,750 hours of use.
        let hours = OWN.break_even_hours(4.96).unwrap_or(0.0);
        assert!((hours - 10_750.0).abs() < 1e-6, "{hours}");
        assert_eq!(OWN.break_even_hours(0.9), None);
        // At the rent that equals the full cost it is the whole life.
        assert!((OWN.break_even_hours(3.11).unwrap_or(0.0) - 20_000.0).abs() < 1e-6);
    }

    #[test]
    fn extremes_stay_finite() {
        for utilisation in [0.0, 1e-12, 1.0, 5.0] {
            for life_hours in [0.0, 1e-3, 1e9] {
                let own = Purchase { utilisation, life_hours, server_usd: 1e12, gpus_per_server: 0.0, ..OWN };
                assert!(own.hour().total_usd().is_finite());
                for rent in [0.0, 0.24, 1e12] {
                    assert!(own.break_even_hours(rent).is_none_or(f64::is_finite));
                    assert!(own.break_even_utilisation(rent).is_none_or(|share| (0.0..=1.0).contains(&share)));
                }
            }
        }
    }
}
