//! Money, energy and carbon of a run.

/// Prices and power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// US dollars per GPU and hour; `None` where no price is known.
    pub usd_per_gpu_hour: Option<f64>,
    /// Watts per GPU, its share of the server included.
    pub watts_per_gpu: f64,
    /// Facility power over IT power.
    pub pue: f64,
    /// US dollars per kilowatt-hour.
    pub usd_per_kwh: f64,
    /// Grams of CO₂-equivalents per kilowatt-hour.
    pub grams_per_kwh: f64,
}

/// What a run takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bill {
    /// GPUs × hours, idle ones included: they are paid for.
    pub gpu_hours: f64,
    /// US dollars of rent.
    pub usd: Option<f64>,
    /// Kilowatt-hours at the facility's meter.
    pub kwh: f64,
    /// US dollars of that electricity. Rent contains it; who owns the machine pays it.
    pub electricity_usd: f64,
    /// Kilograms of CO₂-equivalents of that electricity.
    pub co2_kg: f64,
}

/// Cost = hours × GPUs × price, exactly; energy = watts × GPUs × hours × PUE.
pub fn bill(hours: f64, gpus: f64, rates: &Rates) -> Bill {
    let gpu_hours = hours * gpus;
    let kwh = rates.watts_per_gpu * gpu_hours * rates.pue / 1e3;
    Bill {
        gpu_hours,
        usd: rates.usd_per_gpu_hour.map(|price| price * gpu_hours),
        kwh,
        electricity_usd: kwh * rates.usd_per_kwh,
        co2_kg: kwh * rates.grams_per_kwh / 1e3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_on_eight_gpus() {
        let rates = Rates { usd_per_gpu_hour: Some(3.0), watts_per_gpu: 1000.0, pue: 1.5, usd_per_kwh: 0.2, grams_per_kwh: 400.0 };
        let bill = bill(24.0, 8.0, &rates);
        assert_eq!(bill.usd, Some(24.0 * 8.0 * 3.0));
        assert_eq!(bill.kwh, 288.0);
        assert!((bill.electricity_usd - 57.6).abs() < 1e-9);
        assert!((bill.co2_kg - 115.2).abs() < 1e-9);
    }

    #[test]
    fn an_unknown_price_is_no_price() {
        let rates = Rates { usd_per_gpu_hour: None, watts_per_gpu: 300.0, pue: 1.0, usd_per_kwh: 0.2, grams_per_kwh: 400.0 };
        assert_eq!(bill(1.0, 1.0, &rates).usd, None);
    }
}
