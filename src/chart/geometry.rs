//! Points, boxes, and cutting to a box: plotters clips nothing and draws no dashes.

/// (x, y), CSS pixels from the top left.
pub type Point = (f64, f64);

/// A box with its sides along the axes, CSS pixels; `left <= right`, `top <= bottom`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// Smallest x.
    pub left: f64,
    /// Smallest y.
    pub top: f64,
    /// Largest x.
    pub right: f64,
    /// Largest y.
    pub bottom: f64,
}

impl Rect {
    /// Largest x less smallest x.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Largest y less smallest y.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Whether the two share an area.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    /// Whether `other` lies wholly within.
    pub fn holds(&self, other: &Rect) -> bool {
        self.left <= other.left && other.right <= self.right && self.top <= other.top && other.bottom <= self.bottom
    }

    /// Grown by `by` on all four sides.
    pub(super) fn grown(&self, by: f64) -> Rect {
        Rect { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    /// Moved sideways so that it lies between `left` and `right`; at `left` if it is too wide.
    pub(super) fn moved_between(&self, left: f64, right: f64) -> Rect {
        let to = self.left.min(right - self.width()).max(left);
        Rect { left: to, right: to + self.width(), ..*self }
    }
}

/// The part of the segment within `rect` (Liang–Barsky), `None` if there is none.
pub(super) fn clip_segment(a: Point, b: Point, rect: &Rect) -> Option<(Point, Point)> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (speed, room) in [(-dx, a.0 - rect.left), (dx, rect.right - a.0), (-dy, a.1 - rect.top), (dy, rect.bottom - a.1)] {
        if speed == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if speed < 0.0 {
            enter = enter.max(room / speed);
        } else {
            leave = leave.min(room / speed);
        }
    }
    let at = |t: f64| (a.0 + t * dx, a.1 + t * dy);
    (enter <= leave).then(|| (if enter > 0.0 { at(enter) } else { a }, if leave < 1.0 { at(leave) } else { b }))
}

/// The parts of the polyline within `rect`, in order. A line of one point stays one if it lies within.
pub(super) fn clip_line(points: &[Point], rect: &Rect) -> Vec<Vec<Point>> {
    if let [only] = points {
        return if clip_segment(*only, *only, rect).is_some() { vec![vec![*only]] } else { Vec::new() };
    }
    let mut runs: Vec<Vec<Point>> = Vec::new();
    for pair in points.windows(2) {
        let Some((from, to)) = clip_segment(pair[0], pair[1], rect) else {
            continue;
        };
        match runs.last_mut() {
            Some(run) if run.last() == Some(&from) => run.push(to),
            _ => runs.push(vec![from, to]),
        }
    }
    runs
}

/// The polygon cut to `rect` (Sutherland–Hodgman); empty if nothing is left.
pub(super) fn clip_polygon(points: &[Point], rect: &Rect) -> Vec<Point> {
    // For each side of the box, how far inside of it a point is.
    let sides: [fn(Point, &Rect) -> f64; 4] = [|p, r| p.0 - r.left, |p, r| r.right - p.0, |p, r| p.1 - r.top, |p, r| r.bottom - p.1];
    let mut polygon = points.to_vec();
    for inside in sides {
        let mut kept = Vec::with_capacity(polygon.len() + 4);
        for (i, &point) in polygon.iter().enumerate() {
            let before = polygon[(i + polygon.len() - 1) % polygon.len()];
            let (d0, d1) = (inside(before, rect), inside(point, rect));
            if (d0 < 0.0) != (d1 < 0.0) {
                let t = d0 / (d0 - d1);
                kept.push((before.0 + t * (point.0 - before.0), before.1 + t * (point.1 - before.1)));
            }
            if d1 >= 0.0 {
                kept.push(point);
            }
        }
        polygon = kept;
    }
    if polygon.len() < 3 { Vec::new() } else { polygon }
}

/// The polyline as dashes `on` long and `off` apart, both positive, measured along the line.
pub(super) fn dashes(points: &[Point], on: f64, off: f64) -> Vec<Vec<Point>> {
    let mut dashes = Vec::new();
    let Some(&first) = points.first() else {
        return dashes;
    };
    let (mut drawing, mut left, mut open) = (true, on, vec![first]);
    for pair in points.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let t = done / length;
            let here = (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1));
            if drawing {
                open.push(here);
                dashes.push(std::mem::take(&mut open));
            } else {
                open = vec![here];
            }
            drawing = !drawing;
            left = if drawing { on } else { off };
        }
        left -= length - done;
        if drawing {
            open.push(b);
        }
    }
    if drawing && open.len() > 1 {
        dashes.push(open);
    }
    dashes
}

/// Diagonals from bottom left to top right across `rect`, `step` apart sideways; they stay in line from box to box.
pub(super) fn hatching(rect: &Rect, step: f64) -> Vec<(Point, Point)> {
    let first = ((rect.left + rect.top) / step).ceil() as i64;
    let last = ((rect.right + rect.bottom) / step).floor() as i64;
    (first..=last)
        .filter_map(|i| {
            let sum = i as f64 * step;
            clip_segment((sum - rect.bottom, rect.bottom), (sum - rect.top, rect.top), rect)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Rect = Rect { left: 0.0, top: 0.0, right: 10.0, bottom: 10.0 };

    #[test]
    fn lines_are_cut_at_the_box_and_broken_outside() {
        let line = [(-5.0, 5.0), (5.0, 5.0), (5.0, 15.0), (8.0, 15.0), (8.0, 5.0)];
        let runs = clip_line(&line, &BOX);
        assert_eq!(runs, [vec![(0.0, 5.0), (5.0, 5.0), (5.0, 10.0)], vec![(8.0, 10.0), (8.0, 5.0)]]);
        assert_eq!(clip_line(&[(3.0, 3.0)], &BOX), [vec![(3.0, 3.0)]]);
        assert!(clip_line(&[(3.0, 30.0)], &BOX).is_empty());
        assert!(clip_line(&[(-1.0, 12.0), (11.0, 12.0)], &BOX).is_empty());
    }

    #[test]
    fn polygons_are_cut_at_the_box() {
        let cut = clip_polygon(&[(-5.0, 2.0), (5.0, 2.0), (5.0, 4.0), (-5.0, 4.0)], &BOX);
        assert!(cut.iter().all(|&(x, _)| (0.0..=5.0).contains(&x)) && cut.len() == 4, "{cut:?}");
        assert!(clip_polygon(&[(-5.0, 2.0), (-4.0, 2.0), (-4.0, 4.0)], &BOX).is_empty());
        assert!(clip_polygon(&[], &BOX).is_empty());
    }

    #[test]
    fn dashes_follow_the_bends() {
        let bent = dashes(&[(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)], 3.0, 1.0);
        assert_eq!(bent, [vec![(0.0, 0.0), (3.0, 0.0)], vec![(4.0, 0.0), (5.0, 0.0), (5.0, 2.0)], vec![(5.0, 3.0), (5.0, 5.0)]]);
        assert!(dashes(&[], 3.0, 1.0).is_empty());
        assert!(dashes(&[(1.0, 1.0)], 3.0, 1.0).is_empty());
    }

    #[test]
    fn hatching_stays_in_its_box() {
        let lines = hatching(&BOX, 4.0);
        assert_eq!(lines.len(), 6);
        assert!(lines.iter().flat_map(|(a, b)| [a, b]).all(|p| BOX.grown(1e-9).holds(&Rect {
            left: p.0,
            right: p.0,
            top: p.1,
            bottom: p.1
        })));
    }
}
