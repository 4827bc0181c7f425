//! Counting a position.

mod area;

pub use area::{AreaCount, AreaTally};

use crate::{
    Color, Counting, Game, Komi, Point, Position, Rules, bitboard::Bitboard, geometry::Geometry, rules::Tax,
};
use area::surrounded;

/// What the score of a game depends on beside the stones on the board and the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoringContext<'a> {
    /// Dead stones, every one of them. [`Position::marked_with`] gives those that are marked together.
    pub dead: &'a [Point],
    /// How it is known which groups are in seki.
    pub seki: SekiBy<'a>,
    /// Stones of this colour that were removed during the game (Black, White).
    pub prisoners: [u32; 2],
    /// Stones that Black was given.
    pub handicap_stones: u32,
}

/// How it is known which groups are in seki.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SekiBy<'a> {
    /// By the position: under a [tax](Tax), groups beside a dame and groups with a stone in atari are in seki. Without a tax none is.
    #[default]
    Dame,
    /// By agreement of the players, under all rules: the chains that these stones belong to, and no others. The regions beside them count for nobody.
    Agreed(&'a [Point]),
    /// By what is known of the chains: under a tax, the chains that these stones belong to, and no others, even if dame are still open. Without a tax none
    /// is in seki.
    Known(&'a [Point]),
}

/// Which stones are marked when a player names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkUnit {
    /// This stone alone: the players agree on points to empty.
    Point,
    /// Its chain.
    Chain,
    /// All stones of its colour in the same territory of the opponent.
    Territory,
}

/// What counts for whom (Black, White) at the end of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score {
    /// Living stones. None under territory counting.
    pub stones: [u32; 2],
    /// Points that this colour surrounds, those under dead stones included, and those that are taxed not.
    pub surrounded: [u32; 2],
    /// Opposing stones captured, and dead ones that are not in a seki. None under area counting.
    pub prisoners: [u32; 2],
    /// Living groups that give two points each.
    pub taxed_groups: [u32; 2],
    /// Points that White receives for handicap stones.
    pub handicap_bonus: u32,
    /// Points that neither player surrounds. They do not enter the margin.
    pub dame: u32,
    /// Empty points in a seki that count for nobody. They do not enter the margin.
    pub seki: u32,
}

impl Score {
    /// One player's points before komi.
    #[must_use]
    pub const fn of(&self, color: Color) -> i32 {
        let own = color.index();
        let bonus = match color {
            Color::Black => 0,
            Color::White => self.handicap_bonus,
        };
        let gained = self.stones[own] + self.surrounded[own] + self.prisoners[own] + bonus;
        gained as i32 - 2 * self.taxed_groups[own] as i32
    }

    /// Black's points minus White's, before komi.
    #[must_use]
    pub const fn margin(&self) -> i32 {
        self.of(Color::Black) - self.of(Color::White)
    }

    /// Black's result after komi in half points: positive when Black wins, zero for jigo.
    #[must_use]
    pub const fn result(&self, komi: Komi) -> i32 {
        komi.apply(self.margin())
    }
}

/// What each point of a finished position is. A point is a stone that is left standing, or it is in exactly one of the sets but `dead`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled<const W: usize> {
    pub(crate) score: Score,
    /// Points that count as surrounded (Black, White), those under dead stones included.
    pub(crate) territory: [Bitboard<W>; 2],
    /// Points that neither player surrounds.
    pub(crate) dame: Bitboard<W>,
    /// Points in seki that count for nobody.
    pub(crate) seki: Bitboard<W>,
    /// Stones that are taken off.
    pub(crate) dead: Bitboard<W>,
}

impl<const W: usize> Position<W> {
    /// Scores the position as the end of a game. Counting, tax and handicap bonus are as the rules say; ko and suicide play no role.
    ///
    /// Dead stones are taken off first. What then belongs to a colour, stones and points that reach only them, falls into *groups*: connected
    /// parts. Where the [context](SekiBy) does not say it, a group is in seki when one of its points is beside a dame, or a stone of it in
    /// atari. Under a tax the points that groups in seki surround do not count, nor the dead stones among them, which stay as they are. So dame
    /// must be filled before the count.
    ///
    /// Nothing is judged here: what `context` does not name dead is alive. With the [stones that are unconditionally
    /// dead](Position::unconditionally_dead) this is KataGo's score.
    ///
    /// # Source
    /// The Japanese rules of 1989, article 8: living stones with dame are in seki. KataGo: *Supported Go Rules*, taxes.
    #[must_use]
    pub fn score(&self, rules: Rules, context: &ScoringContext<'_>) -> Score {
        self.settle(rules, context).score
    }

    /// Decides what each point is, and [scores](Self::score) the position.
    pub(crate) fn settle(&self, rules: Rules, context: &ScoringContext<'_>) -> Settled<W> {
        let geometry = self.geometry();
        let named_dead = self.named(context.dead);
        let living = self.stone_sets().map(|stones| stones.without(named_dead));
        let empty = geometry.on_board.without(living[0] | living[1]);
        let surrounded = surrounded(geometry, living);
        let named_seki = match context.seki {
            SekiBy::Known(_) if rules.tax == Tax::None => None,
            SekiBy::Agreed(points) | SekiBy::Known(points) => {
                let named = self.named(points);
                let [black, white] = living.map(|stones| geometry.flood(named & stones, stones));
                Some(black | white)
            }
            SekiBy::Dame => None,
        };
        let groups = |chains| groups(geometry, living, surrounded, chains);
        let (in_seki, independent) = match (named_seki, rules.tax) {
            (Some(chains), _) => (geometry.flood(geometry.adjacent(chains), empty), groups(chains).1),
            (None, Tax::None) => (Bitboard::EMPTY, [0; 2]),
            (None, _) => groups(self.beside_dame(living, surrounded)),
        };
        let dead = named_dead.without(in_seki);
        let left_empty = self.empty() | dead;
        let territory = surrounded.map(|points| points.without(in_seki));
        let seki = left_empty & in_seki;
        let dame = left_empty.without(territory[0] | territory[1] | seki);
        let mut score = Score {
            surrounded: territory.map(|points| points.count()),
            handicap_bonus: rules.handicap_bonus.points(context.handicap_stones),
            dame: dame.count(),
            seki: seki.count(),
            ..Score::default()
        };
        if rules.tax == Tax::All {
            score.taxed_groups = independent;
        }
        match rules.counting {
            Counting::Area => score.stones = living.map(|stones| stones.count()),
            Counting::Territory => score.prisoners = self.prisoners_with(dead, context.prisoners),
        }
        Settled { score, territory, dame, seki, dead }
    }

    /// Those of these points where a stone is.
    pub(crate) fn named(&self, points: &[Point]) -> Bitboard<W> {
        let on_board = points.iter().filter(|&&point| self.size().contains(point));
        self.geometry().set_of(on_board).without(self.empty())
    }

    /// The stones that each player has captured (Black, White), these dead ones included, when so many of each colour were captured before.
    pub(crate) fn prisoners_with(&self, dead: Bitboard<W>, captured: [u32; 2]) -> [u32; 2] {
        Color::BOTH.map(|color| {
            let loser = color.opponent();
            captured[loser.index()] + (self.stone_set(loser) & dead).count()
        })
    }

    /// The points beside dame, and the stones in atari: groups with one of them are taken to be in seki.
    fn beside_dame(&self, living: [Bitboard<W>; 2], surrounded: [Bitboard<W>; 2]) -> Bitboard<W> {
        let geometry = self.geometry();
        let empty = geometry.on_board.without(living[0] | living[1]);
        let is_in_atari = |chain: &Bitboard<W>| (geometry.adjacent(*chain) & empty).is_single();
        let chains = living.into_iter().flat_map(|stones| geometry.parts(stones)).filter(is_in_atari);
        let dame = empty.without(surrounded[0] | surrounded[1]);
        chains.fold(geometry.adjacent(dame), |all, chain| all | chain)
    }

    /// The stones that are marked together with the one at a point, in row-major order; none when there is no stone.
    ///
    /// By [territory](MarkUnit::Territory) these are all stones of the colour that are connected with it by empty points and own stones, so that
    /// only the opponent's stones enclose them. Where stones of the colour surround points of their own there, it is not the opponent's territory
    /// alone, and only the chain is marked.
    ///
    /// ```
    /// use jigo_engine::{score::MarkUnit, Board, Point, Suicide};
    /// let board: Board = Board::from_diagram("OO.OX\n....X", Suicide::Forbidden)?;
    /// let count = |x, unit| board.position().marked_with(Point::new(x, 0), unit).count();
    /// assert_eq!([MarkUnit::Point, MarkUnit::Chain, MarkUnit::Territory].map(|unit| count(0, unit)), [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn marked_with(&self, point: Point, unit: MarkUnit) -> impl Iterator<Item = Point> {
        self.geometry().points_of(self.marked_set(point, unit))
    }

    pub(crate) fn marked_set(&self, point: Point, unit: MarkUnit) -> Bitboard<W> {
        let (geometry, stone) = (self.geometry(), self.named(&[point]));
        let Some(color) = Color::BOTH.into_iter().find(|&color| stone.intersects(self.stone_set(color)))
        else {
            return Bitboard::EMPTY;
        };
        let own = self.stone_set(color);
        let chain = geometry.flood(stone, own);
        match unit {
            MarkUnit::Point => stone,
            MarkUnit::Chain => chain,
            MarkUnit::Territory => {
                let region = geometry.flood(chain, self.empty() | own);
                let owned = surrounded(geometry, self.stone_sets())[color.index()];
                if region.intersects(owned) { chain } else { region & own }
            }
        }
    }
}

/// The points of the groups of a finished position that have one of these points, stones and surrounded ones, and the number of the other
/// groups (Black, White).
fn groups<const W: usize>(
    geometry: &Geometry<W>,
    living: [Bitboard<W>; 2],
    surrounded: [Bitboard<W>; 2],
    points: Bitboard<W>,
) -> (Bitboard<W>, [u32; 2]) {
    let (mut with, mut others) = (Bitboard::EMPTY, [0; 2]);
    for color in Color::BOTH.map(Color::index) {
        for group in geometry.parts(living[color] | surrounded[color]) {
            if group.intersects(points) {
                with |= group;
            } else {
                others[color] += 1;
            }
        }
    }
    (with, others)
}

impl<const W: usize> Game<W> {
    /// [Scores](Position::score) the game by its rules, with the prisoners taken so far.
    ///
    /// ```
    /// use jigo_engine::{rules::Preset, BoardSize, Game, Move, Point};
    /// let size = BoardSize::new(5, 1).unwrap();
    /// let mut game: Game = Game::new(size, Preset::Japanese.rules());
    /// game.play(Move::Play(Point::new(1, 0))).unwrap();
    /// game.play(Move::Play(Point::new(4, 0))).unwrap();
    /// let score = game.score(&[Point::new(4, 0)], 0);
    /// assert_eq!((score.surrounded, score.prisoners), ([4, 0], [1, 0]));
    /// ```
    #[must_use]
    pub fn score(&self, dead: &[Point], handicap_stones: u32) -> Score {
        let prisoners = Color::BOTH.map(|color| self.prisoners(color));
        let context = ScoringContext { dead, prisoners, handicap_stones, ..ScoringContext::default() };
        self.board().position().score(self.rules(), &context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Suicide};

    const ALIVE: &str = ". X . X O . O .
                     X X X X O O O O";

    fn score(diagram: &str, rules: &str, dead: &[Point]) -> Score {
        let board: Board = Board::from_diagram(diagram, Suicide::Forbidden).unwrap();
        let context =
            ScoringContext { dead, prisoners: [2, 1], handicap_stones: 3, ..ScoringContext::default() };
        board.position().score(rules.parse().unwrap(), &context)
    }

    #[test]
    fn dead_stones_become_prisoners_and_their_points_territory() {
        let diagram = ". X . O .\nX X . O O\nO X . O X\n. X . O .";
        let board: Board = Board::from_diagram(diagram, Suicide::Forbidden).unwrap();
        let count = |dead: &[Point], seki: &[Point]| {
            let seki = SekiBy::Agreed(seki);
            let context = ScoringContext { dead, seki, ..ScoringContext::default() };
            board.position().score("territory".parse().unwrap(), &context)
        };
        let dead = [Point::new(0, 2), Point::new(4, 2)];
        let expected = Score { surrounded: [3, 3], prisoners: [1, 1], dame: 4, ..Score::default() };
        assert_eq!(count(&dead, &[]), expected);
        // Living stones inside make a region neutral, and so does a seki beside it.
        let expected = Score { surrounded: [1, 1], dame: 6, ..Score::default() };
        assert_eq!(count(&[], &[]), expected);
        assert_eq!(count(&dead[1..], &[Point::new(1, 0)]).surrounded, [0, 3]);
    }

    #[test]
    fn without_tax_the_counts_of_area_and_territory() {
        let board: Board = Board::from_diagram("O . X X . O O .", Suicide::Forbidden).unwrap();
        let dead = [Point::new(0, 0)];
        let area = score(&board.to_string(), "area+bonus-n", &[]);
        assert_eq!((area.stones, area.surrounded), (board.area().stones, board.area().surrounded));
        assert_eq!(area.margin(), board.area().margin() - 3);
        assert_eq!((area.dame, area.seki), (board.area().neutral, 0));
        assert_eq!(score(&board.to_string(), "area", &dead).of(Color::Black), 4);
        let territory = score(&board.to_string(), "territory", &dead);
        assert_eq!((territory.surrounded, territory.prisoners, territory.margin()), ([2, 1], [2, 2], 1));
    }

    #[test]
    fn in_a_seki_points_and_dead_stones_do_not_count_under_a_tax() {
        let dead = [Point::new(0, 0)];
        for tax in ["seki-tax", "group-tax"] {
            let seki = score("O . X X . O O .", &format!("territory+{tax}"), &dead);
            let expected = Score { prisoners: [1, 2], dame: 1, seki: 2, ..Score::default() };
            assert_eq!(seki, expected);
            let area = score("O . X X . O O .", &format!("area+{tax}"), &dead);
            assert_eq!(area, Score { stones: [2, 2], dame: 1, seki: 2, ..Score::default() });
        }
    }

    #[test]
    fn a_group_that_is_not_in_seki_gives_two_points() {
        let seki = score(ALIVE, "area+seki-tax+bonus-n-1", &[]);
        assert_eq!((seki.of(Color::Black), seki.of(Color::White)), (8, 10));
        let all = score(ALIVE, "area+group-tax", &[]);
        assert_eq!(all.taxed_groups, [1, 1]);
        assert_eq!((all.of(Color::Black), all.of(Color::White)), (6, 6));
        // A chain in atari is taken to be in seki, and not taxed.
        let atari = score(". X X O O O\n. . X O . O\nX X X O O .", "area+group-tax", &[]);
        assert_eq!((atari.taxed_groups, atari.surrounded), ([1, 1], [3, 2]));
        let atari = score(". X O O O\nX X O . O\nX X O O .", "area+group-tax", &[]);
        assert_eq!((atari.taxed_groups, atari.surrounded), ([0, 1], [0, 2]));
    }
}
