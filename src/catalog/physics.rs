//! Rows of the catalogue as what the model reckons with.

use super::{Gpu, MATMUL_SHARE_UNMEASURED, StackRow};
use crate::model::{Device, Precision, Stack};

impl Gpu {
    /// The rates for a number format; `None` if there are no units for it. Where no multiplication was measured, the best one is taken to
    /// reach the usual share of the dense peak.
    pub fn device(&self, precision: Precision) -> Option<Device> {
        let unmeasured = MATMUL_SHARE_UNMEASURED.value;
        let wide_peak = match precision {
            Precision::Fp32 => self.peak_tf32.or(self.peak_fp32)?,
            Precision::Bf16 => self.peak_bf16?,
            Precision::Fp16 => self.peak_fp16?,
            Precision::Fp8 | Precision::Fp4 => self.peak_bf16.or(self.peak_fp16)?,
        };
        let measured = self.achieved_bf16.filter(|_| precision != Precision::Fp32);
        let wide = measured.unwrap_or(wide_peak * unmeasured);
        let (narrow, peak) = match precision {
            Precision::Fp8 | Precision::Fp4 => {
                let peak = self.peak_fp8?;
                let achieved = self.achieved_fp8.unwrap_or(peak * unmeasured);
                // Data sheets give nvfp4 twice the rate of fp8.
                (achieved, if precision == Precision::Fp4 { 2.0 * peak } else { peak })
            }
            _ => (wide, wide_peak),
        };
        Some(Device {
            wide_flop_per_s: wide,
            narrow_flop_per_s: narrow,
            peak_flop_per_s: peak,
            memory_bytes: self.memory_bytes,
            memory_bytes_per_s: self.memory_bytes_per_s,
        })
    }
}

impl StackRow {
    /// The constants on the GPU with this key; the prior's where nothing was measured.
    pub fn on(&self, gpu: &str) -> Stack {
        // The build holds that each stack has all constants or none, a test that they stand in this order.
        let mut stack = self.values.try_into().map_or(Stack::PRIOR, Stack::from_values);
        for (_, name, value) in self.factors.iter().filter(|(of, ..)| *of == gpu) {
            match *name {
                "gpu_factor" => stack.gpu_factor = *value,
                _ => stack.attention_factor = *value,
            }
        }
        stack
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::{STACK_CONSTANTS, STACKS};
    use crate::model::stack::CONSTANTS;

    #[test]
    fn the_catalogue_has_every_constant_in_this_order() {
        let names: Vec<&str> = CONSTANTS.iter().map(|constant| constant.name).collect();
        assert_eq!(STACK_CONSTANTS, names);
        for row in STACKS {
            assert_eq!(row.values.len(), names.len(), "{}", row.id);
            let windows = CONSTANTS.iter().zip(row.values).filter(|(constant, _)| constant.name.ends_with("_window"));
            assert!(windows.into_iter().all(|(_, value)| *value <= 1.0), "{}: nothing hides behind more than there is", row.id);
            assert!(row.factors.iter().all(|(_, name, _)| ["gpu_factor", "attention_factor"].contains(name)), "{}", row.id);
        }
    }
}
