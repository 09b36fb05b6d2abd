//! How far predictions lie from what was measured.

use serde::Serialize;

/// Error of a set of predictions; shares, not percents.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize)]
pub struct Score {
    /// Rows.
    pub n: usize,
    /// Mean of |predicted/measured − 1|.
    pub mape: f64,
    /// Median of it.
    pub median: f64,
    /// Nine rows of ten lie below.
    pub p90: f64,
    /// Largest.
    pub max: f64,
    /// Mean of predicted/measured − 1.
    pub bias: f64,
    /// Share of the rows whose measured value lies inside the stated 80 % band.
    pub coverage80: f64,
    /// Mean error of memory, over the rows that state it.
    pub memory_mape: Option<f64>,
    /// Rows that state memory.
    pub memory_n: usize,
    /// Mean regret of choosing by prediction among measured plans.
    pub regret_mean: Option<f64>,
    /// Nine groups of ten lie below.
    pub regret_p90: Option<f64>,
    /// Groups of rows that differ in the plan only.
    pub regret_groups: usize,
}

/// One prediction beside what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair<'a> {
    /// Measured seconds.
    pub measured: f64,
    /// Predicted seconds.
    pub predicted: f64,
    /// Whether the measured value lies in the stated band.
    pub inside: bool,
    /// Predicted over measured memory, where it was measured.
    pub memory_ratio: Option<f64>,
    /// Rows with the same key differ in the plan only.
    pub group: &'a str,
}

/// The value below which `share` of the sorted values lie: linear between neighbours.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = share.clamp(0.0, 1.0) * last as f64;
    // Inside the slice by the clamp.
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (n, sum) = values.fold((0.0, 0.0), |(n, sum), value| (n + 1.0, sum + value));
    (n > 0.0).then(|| sum / n)
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The measured time of the plan with the least prediction over the best measured one, minus 1, for each group of two rows or more.
pub fn regrets(pairs: &[Pair]) -> Vec<f64> {
    let mut groups = std::collections::BTreeMap::<&str, Vec<&Pair>>::new();
    for pair in pairs {
        groups.entry(pair.group).or_default().push(pair);
    }
    let regret = |group: &Vec<&Pair>| {
        let picked = group.iter().min_by(|a, b| a.predicted.total_cmp(&b.predicted))?;
        let best = group.iter().map(|pair| pair.measured).min_by(f64::total_cmp)?;
        (group.len() > 1).then(|| picked.measured / best - 1.0)
    };
    groups.values().filter_map(regret).collect()
}

/// The score of `pairs`.
pub fn score(pairs: &[Pair]) -> Score {
    let errors = sorted(pairs.iter().map(|pair| (pair.predicted / pair.measured - 1.0).abs()));
    let regrets = sorted(regrets(pairs).into_iter());
    let memory = || pairs.iter().filter_map(|pair| pair.memory_ratio).map(|ratio| (ratio - 1.0).abs());
    Score {
        n: pairs.len(),
        mape: mean(errors.iter().copied()).unwrap_or_default(),
        median: quantile(&errors, 0.5),
        p90: quantile(&errors, 0.9),
        max: errors.last().copied().unwrap_or_default(),
        bias: mean(pairs.iter().map(|pair| pair.predicted / pair.measured - 1.0)).unwrap_or_default(),
        coverage80: mean(pairs.iter().map(|pair| f64::from(u8::from(pair.inside)))).unwrap_or_default(),
        memory_mape: mean(memory()),
        memory_n: memory().count(),
        regret_mean: mean(regrets.iter().copied()),
        regret_p90: (!regrets.is_empty()).then(|| quantile(&regrets, 0.9)),
        regret_groups: regrets.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(measured: f64, predicted: f64, group: &str) -> Pair<'_> {
        Pair { measured, predicted, inside: (predicted / measured - 1.0).abs() < 0.15, memory_ratio: None, group }
    }

    #[test]
    fn by_hand() {
        let pairs = [pair(10.0, 11.0, "a"), pair(10.0, 8.0, "a"), pair(20.0, 20.0, "b")];
        let s = score(&pairs);
        assert!((s.mape - 0.1).abs() < 1e-12 && (s.median - 0.1).abs() < 1e-12 && (s.max - 0.2).abs() < 1e-12);
        assert!((s.p90 - 0.18).abs() < 1e-12);
        assert!((s.bias + 0.1 / 3.0).abs() < 1e-12);
        assert!((s.coverage80 - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!((s.n, s.regret_groups, s.memory_mape), (3, 1, None));
    }

    #[test]
    fn regret_is_what_the_wrong_choice_costs() {
        // Predicted best is the second plan; it took 12, the best took 10. A group of one leaves no choice.
        let pairs = [pair(10.0, 11.0, "a"), pair(12.0, 9.0, "a"), pair(5.0, 9.0, "b")];
        assert_eq!(regrets(&pairs).len(), 1);
        assert!((regrets(&pairs)[0] - 0.2).abs() < 1e-12);
    }

    #[test]
    fn nothing_has_no_error() {
        assert_eq!(score(&[]), Score::default());
    }
}
