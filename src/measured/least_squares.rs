//! Nonlinear least squares with a robust loss: what the fits of this room share.

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::{DMatrix, DVector, Dyn, Owned};

/// Square below a relative error of `at`, linear beyond: the square root of twice the pseudo-Huber loss, with the error's sign.
pub fn robust(ratio_ln: f64, at: f64) -> f64 {
    let error = ratio_ln / at;
    error.signum() * (2.0 * ((1.0 + error * error).sqrt() - 1.0)).sqrt()
}

struct Problem<F> {
    z: DVector<f64>,
    /// Step of the difference quotients.
    h: f64,
    residuals: F,
}

impl<F: Fn(&DVector<f64>) -> DVector<f64>> LeastSquaresProblem<f64, Dyn, Dyn> for Problem<F> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, z: &DVector<f64>) {
        self.z.copy_from(z);
    }

    fn params(&self) -> DVector<f64> {
        self.z.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        Some((self.residuals)(&self.z))
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let columns: Vec<DVector<f64>> = (0..self.z.len())
            .map(|at| {
                let moved = |by: f64| {
                    let mut z = self.z.clone();
                    z[at] += by;
                    (self.residuals)(&z)
                };
                (moved(self.h) - moved(-self.h)) / (2.0 * self.h)
            })
            .collect();
        Some(DMatrix::from_columns(&columns))
    }
}

/// The parameters that make the sum of the squares of `residuals` least, searched from `start` with difference quotients of step `h`.
pub fn minimise(
    solver: LevenbergMarquardt<f64>,
    start: DVector<f64>,
    h: f64,
    residuals: impl Fn(&DVector<f64>) -> DVector<f64>,
) -> DVector<f64> {
    solver.minimize(Problem { z: start, h, residuals }).0.z
}
