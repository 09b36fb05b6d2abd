//! The map: who wins at which number of GPUs and which bandwidth, and by how much.

use super::Answers;
use super::sweep::with_bandwidth;
use crate::locale::quantity::{bandwidth, count};
use crate::locale::{Lang, fill, number};
use crate::model::{Cluster, Estimate};

/// A cell of the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// GPUs of the cluster.
    pub gpus: u32,
    /// Gbit/s per GPU.
    pub gbit: f64,
    /// Time of the one machine over the time of the cluster: above 1 the cluster wins. `None` where the job does not fit in the cluster.
    pub gain: Option<f64>,
}

/// Bandwidths of the rows, Gbit/s per GPU, the fastest first.
pub const GBITS: [f64; 9] = [1600.0, 800.0, 400.0, 100.0, 25.0, 10.0, 1.0, 0.1, 0.01];

/// Numbers of GPUs of the columns.
pub const GPUS: [u32; 11] = [8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16_384, 65_536];

/// The map, row by row.
pub fn map(answers: &Answers) -> Vec<Vec<Cell>> {
    let setup = &answers.setup;
    let single = answers.single.fits.then_some(answers.single.time_s);
    let estimator = setup.estimator();
    // The row above, cell by cell, and the cell before: each is a hint.
    let mut above: [Option<Estimate>; GPUS.len()] = [None; GPUS.len()];
    let mut row = |gbit: f64| {
        let mut cells = Vec::with_capacity(GPUS.len());
        for (column, gpus) in GPUS.into_iter().enumerate() {
            let cluster = Cluster { gpus, ..with_bandwidth(setup, gbit) };
            let before = column.checked_sub(1).and_then(|before| above[before]);
            let near: Vec<&Estimate> = above[column].iter().chain(&before).collect();
            let estimate = estimator.estimate(&cluster, &near);
            let fits = estimate.filter(|estimate| estimate.fits);
            cells.push(Cell { gpus, gbit, gain: fits.map(|estimate| single.map_or(f64::INFINITY, |single| single / estimate.time_s)) });
            above[column] = estimate;
        }
        cells
    };
    GBITS.map(&mut row).to_vec()
}

/// What stands in a cell.
pub fn words(cell: &Cell, lang: Lang) -> String {
    let m = lang.messages();
    match cell.gain {
        None => "–".to_string(),
        Some(gain) if gain.is_infinite() => m.map_only.to_string(),
        Some(gain) if gain >= 1000.0 => format!("{}×", count(gain, 2, lang)),
        Some(gain) => format!("{}×", number::significant(gain, 2, lang)),
    }
}

/// The finding over the map.
pub fn title(cells: &[Vec<Cell>], lang: Lang) -> String {
    let m = lang.messages();
    let wins = |cell: &&Cell| cell.gain.is_some_and(|gain| gain > 1.0);
    let all = cells.iter().flatten().count();
    let won = cells.iter().flatten().filter(wins).count();
    let slowest = cells.iter().rev().flatten().find(wins);
    match slowest {
        Some(cell) => {
            let (won, all) = (number::fixed(won as f64, 0, lang), number::fixed(all as f64, 0, lang));
            fill(m.map_title, &[("won", &won), ("all", &all), ("bandwidth", &bandwidth(cell.gbit, 2, lang))])
        }
        None => m.map_never.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answers;
    use crate::scenario::Scenario;

    #[test]
    fn more_bandwidth_never_loses() {
        let cells = map(&answers(&Scenario::default()).unwrap());
        assert_eq!((cells.len(), cells[0].len()), (GBITS.len(), GPUS.len()));
        for column in 0..GPUS.len() {
            let gains: Vec<f64> = cells.iter().filter_map(|row| row[column].gain).collect();
            assert!(gains.windows(2).all(|pair| pair[0] >= pair[1] * 0.98), "{} GPUs: {gains:?}", GPUS[column]);
        }
        assert!(title(&cells, Lang::En).contains("of 99"));
    }
}
