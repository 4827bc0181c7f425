//! Kos under modified rules: who captured, what is prepared, what is locked.

use crate::{Board, Color, Point, bitboard::Bitboard};

/// The kos of one continuation in which somebody captured.
#[derive(Clone, Debug, Default)]
pub(super) struct Kos(Vec<Ko>);

/// Captures use the *same ko* as long as they use the same two points and no stone beside these changed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ko {
    /// In ascending order.
    points: [Point; 2],
    /// Whether Black, White captured.
    captured: [bool; 2],
    /// Whether Black, White prepared a capture by a challenge.
    prepared: [bool; 2],
    /// Whether Black, White may not retake or challenge.
    locked: [bool; 2],
}

/// What is prepared and locked in one ko, as far as it decides what is legal.
pub(super) type Claimed = ([Point; 2], [bool; 2], [bool; 2]);

fn sorted(one: Point, other: Point) -> [Point; 2] {
    if one < other { [one, other] } else { [other, one] }
}

impl Kos {
    fn find(&self, point: Point, taken: Point) -> Option<&Ko> {
        self.0.iter().find(|ko| ko.points == sorted(point, taken))
    }

    /// Whether this player captured in the ko.
    pub(super) fn has_captured(&self, color: Color, point: Point, taken: Point) -> bool {
        self.find(point, taken).is_some_and(|ko| ko.captured[color.index()])
    }

    /// Whether this player's next capture in the ko locks it.
    pub(super) fn is_prepared(&self, color: Color, point: Point, taken: Point) -> bool {
        self.find(point, taken).is_some_and(|ko| ko.prepared[color.index()])
    }

    /// Whether this player may not capture in the ko.
    pub(super) fn is_locked(&self, color: Color, point: Point, taken: Point) -> bool {
        self.find(point, taken).is_some_and(|ko| ko.locked[color.index()])
    }

    /// Prepares this player's capture in a ko in which the opponent captured.
    pub(super) fn prepare(&mut self, color: Color, point: Point, taken: Point) {
        let ko = self.0.iter_mut().find(|ko| ko.points == sorted(point, taken));
        ko.expect("a ko in which the opponent captured").prepared[color.index()] = true;
    }

    /// Takes note of a move on `point` that removed these stones; `taken` is the stone that it took in a ko, if it did.
    pub(super) fn play(
        &mut self,
        board: &Board,
        color: Color,
        point: Point,
        removed: Bitboard<11>,
        taken: Option<Point>,
    ) {
        let changed = removed | board.set_of([point]);
        self.0.retain(|ko| {
            let points = board.set_of(ko.points);
            !board.geometry().adjacent(points).without(points).intersects(changed)
        });
        let Some(taken) = taken else { return };
        let points = sorted(point, taken);
        let place = self.0.iter().position(|ko| ko.points == points).unwrap_or_else(|| {
            self.0.push(Ko { points, captured: [false; 2], prepared: [false; 2], locked: [false; 2] });
            self.0.len() - 1
        });
        let ko = &mut self.0[place];
        ko.captured[color.index()] = true;
        if std::mem::take(&mut ko.prepared[color.index()]) {
            ko.locked[color.opponent().index()] = true;
        }
    }

    /// A regular pass clears all locks.
    pub(super) fn unlock(&mut self) {
        self.0.iter_mut().for_each(|ko| ko.locked = [false; 2]);
    }

    /// What decides about later captures, in ascending order of points.
    pub(super) fn claimed(&self) -> Vec<Claimed> {
        let mut claimed: Vec<Claimed> = self
            .0
            .iter()
            .filter(|ko| ko.prepared != [false; 2] || ko.locked != [false; 2])
            .map(|ko| (ko.points, ko.prepared, ko.locked))
            .collect();
        claimed.sort_unstable();
        claimed
    }
}

impl<const W: usize> Board<W> {
    /// The stone that a move of the player to move on the empty `point` takes in a *ko capture*: it captures exactly this one stone, joins no
    /// other, and has one liberty, so that by shape it could be retaken. Whether the move is legal is not asked.
    #[must_use]
    pub fn ko_capture(&self, point: Point) -> Option<Point> {
        let color = self.to_play();
        let geometry = self.geometry();
        let bit = geometry.bit(point);
        let captured = self.captured_by(color, bit);
        let is_alone = geometry.neighbours(bit).without(self.stone_set(color.opponent())).is_empty();
        (captured.is_single() && is_alone).then(|| geometry.point(captured.first()))
    }
}
