//! Finding room: labels apart from each other, and off the lines where they can be.

use super::geometry::{Point, Rect, clip_segment};
use super::label::Block;

/// Moves intervals of (wanted middle, length) apart by at least `gap` and into `lo..hi`, each as near to its wanted place as the others
/// allow and in the order given. Returns their starts; `None` if there is no room for all.
pub(super) fn spread(wanted: &[(f64, f64)], gap: f64, lo: f64, hi: f64) -> Option<Vec<f64>> {
    struct Group {
        first: usize,
        start: f64,
        length: f64,
    }
    let whole: f64 = wanted.iter().map(|(_, length)| length + gap).sum::<f64>() - gap;
    if whole > hi - lo {
        return None;
    }
    // Neighbours that would touch become a group, placed where its members lie best on average; groups may touch in turn.
    let placed = |first: usize, members: &[(f64, f64)]| {
        let mut length = -gap;
        let mut sum = 0.0;
        for (middle, own) in members {
            length += gap;
            sum += middle - (length + own / 2.0);
            length += own;
        }
        Group { first, start: (sum / members.len() as f64).min(hi - length).max(lo), length }
    };
    let mut groups: Vec<Group> = Vec::new();
    for (i, item) in wanted.iter().enumerate() {
        let mut group = placed(i, std::slice::from_ref(item));
        while let Some(before) = groups.last().filter(|before| before.start + before.length + gap > group.start) {
            group = placed(before.first, &wanted[before.first..=i]);
            groups.pop();
        }
        groups.push(group);
    }
    let mut starts = Vec::with_capacity(wanted.len());
    for (g, group) in groups.iter().enumerate() {
        let end = groups.get(g + 1).map_or(wanted.len(), |next| next.first);
        let mut at = group.start;
        for (_, length) in &wanted[group.first..end] {
            starts.push(at);
            at += length + gap;
        }
    }
    Some(starts)
}

/// What a label on the plot must not, or should not, cover.
pub(super) struct Scene<'a> {
    /// The label stays within.
    pub(super) room: Rect,
    /// Labels placed so far: never covered.
    pub(super) taken: Vec<Rect>,
    /// Lines, in pixels: avoided.
    pub(super) lines: Vec<&'a [Point]>,
    /// Marks: avoided more.
    pub(super) marks: Vec<Point>,
    /// Dotted verticals: avoided.
    pub(super) verticals: Vec<f64>,
}

impl Scene<'_> {
    /// The cheapest of the candidates (area, own cost in pixels of detour) that covers no label; `None` if there is none.
    pub(super) fn best(&self, candidates: impl IntoIterator<Item = (Rect, f64)>) -> Option<Rect> {
        candidates
            .into_iter()
            .filter_map(|(area, own)| Some((area, own + self.cost(&area)?)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(area, _)| area)
    }

    fn cost(&self, area: &Rect) -> Option<f64> {
        if !self.room.holds(area) || self.taken.iter().any(|taken| taken.overlaps(&area.grown(3.0))) {
            return None;
        }
        let near = area.grown(1.0);
        let covered = |line: &&[Point]| {
            let inside = line.windows(2).filter_map(|pair| clip_segment(pair[0], pair[1], &near));
            let length: f64 = inside.map(|(a, b)| (b.0 - a.0).hypot(b.1 - a.1)).sum();
            if length > 0.0 { 60.0 + length } else { 0.0 }
        };
        let lines: f64 = self.lines.iter().map(covered).sum();
        let near = area.grown(7.0);
        let on_mark = |m: &&Point| (near.left..near.right).contains(&m.0) && (near.top..near.bottom).contains(&m.1);
        let marks = self.marks.iter().filter(on_mark).count();
        let verticals = self.verticals.iter().filter(|&&x| (area.left - 2.0..area.right + 2.0).contains(&x)).count();
        Some(lines + 200.0 * marks as f64 + 50.0 * verticals as f64)
    }
}

/// Places for a label along its own line, best near the line's end: after the end, then above and below, going back.
pub(super) fn along(line: &[&[Point]], block: &Block, room: &Rect) -> Vec<(Rect, f64)> {
    const STEPS: usize = 16;
    const OFF: f64 = 4.0;
    let (Some(start), Some(end)) = (line.first().and_then(|run| run.first()), line.last().and_then(|run| run.last())) else {
        return Vec::new();
    };
    let mut places = vec![(block.at(end.0 + 7.0, end.1), 0.0)];
    for step in 0..=STEPS {
        let right = end.0 + (start.0 - end.0) * step as f64 / STEPS as f64;
        let left = (right - block.width).max(room.left);
        let strip = Rect { left, right: left + block.width, ..*room };
        let inside = line.iter().flat_map(|run| run.windows(2)).filter_map(|pair| clip_segment(pair[0], pair[1], &strip));
        let (top, bottom) =
            inside.flat_map(|(a, b)| [a.1, b.1]).fold((f64::INFINITY, f64::NEG_INFINITY), |(top, bottom), y| (top.min(y), bottom.max(y)));
        if top > bottom {
            continue;
        }
        // On a steep stretch the label hangs in the air beside its line.
        let own = 3.0 * step as f64 + 0.5 * (bottom - top);
        places.push((block.at(left, top - OFF - block.height / 2.0), own + 1.0));
        places.push((block.at(left, bottom + OFF + block.height / 2.0), own + 4.0));
    }
    places
}

/// Places around a point, the upper right first.
pub(super) fn around(point: Point, block: &Block) -> Vec<(Rect, f64)> {
    let (w, h) = (block.width, block.height);
    let (near, level) = (9.0, h / 2.0 + 9.0);
    let offsets = [
        (near, -level),
        (-near - w, -level),
        (near, level),
        (-near - w, level),
        (-w / 2.0, -level - 4.0),
        (-w / 2.0, level + 4.0),
        (near + 4.0, 0.0),
        (-near - 4.0 - w, 0.0),
    ];
    offsets.iter().enumerate().map(|(i, (dx, dy))| (block.at(point.0 + dx, point.1 + dy), i as f64)).collect()
}

/// Between the edge of a hatched range and its label.
pub(super) const SPAN_PAD: f64 = 4.0;

/// Places in a hatched range from top to bottom, then beside it.
pub(super) fn in_or_beside(span: &Rect, block: &Block) -> Vec<(Rect, f64)> {
    let heights = (0..=8).map(|i| f64::from(i) / 8.0);
    let middle = |share: f64| {
        let half = block.height / 2.0 + SPAN_PAD;
        span.top + half + share * (span.height() - 2.0 * half).max(0.0)
    };
    let fits = block.width + 2.0 * SPAN_PAD <= span.width();
    let centred = (span.left + span.right - block.width) / 2.0;
    heights
        .flat_map(|share| {
            let (y, own) = (middle(share), 8.0 * share);
            let inside = fits.then(|| (block.at(centred, y), own));
            let beside = [span.right + SPAN_PAD, span.left - SPAN_PAD - block.width].map(|left| (block.at(left, y), own + 40.0));
            inside.into_iter().chain(beside)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_are_far_apart_stay_where_they_want_to_be() {
        assert_eq!(spread(&[(10.0, 4.0), (50.0, 4.0)], 2.0, 0.0, 100.0), Some(vec![8.0, 48.0]));
    }

    #[test]
    fn labels_that_touch_share_the_detour() {
        assert_eq!(spread(&[(50.0, 10.0), (50.0, 10.0)], 2.0, 0.0, 100.0), Some(vec![39.0, 51.0]));
        assert_eq!(spread(&[(0.0, 10.0), (3.0, 10.0), (95.0, 10.0)], 0.0, 0.0, 100.0), Some(vec![0.0, 10.0, 90.0]));
    }

    #[test]
    fn what_has_no_room_is_said() {
        assert_eq!(spread(&[(0.0, 60.0), (0.0, 60.0)], 0.0, 0.0, 100.0), None);
        assert_eq!(spread(&[], 2.0, 0.0, 100.0), Some(vec![]));
    }

    #[test]
    fn a_label_goes_where_it_covers_nothing() {
        let line = [(0.0, 50.0), (100.0, 50.0)];
        let other = [(0.0, 42.0), (100.0, 42.0)];
        let room = Rect { left: 0.0, top: 0.0, right: 100.0, bottom: 100.0 };
        let scene = Scene { room, taken: vec![], lines: vec![&line, &other], marks: vec![], verticals: vec![] };
        let block = Block::new(vec!["cluster".into()], &|_| 40.0).unwrap();
        let area = scene.best(along(&[&line], &block, &room)).unwrap();
        assert!(area.top > 50.0, "below its line, because another runs above: {area:?}");
    }
}
