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
    /// Dead stones. A chain is dead as a whole if one of its stones is named.
    pub dead: &'a [Point],
    /// Stones in seki, in addition to the groups that a [tax](Tax) finds. A chain is in seki as a whole if one of its stones is named, and the
    /// regions beside it count for nobody. Leave it empty under rules that count points in seki.
    pub seki: &'a [Point],
    /// Stones of this colour that were removed during the game (Black, White).
    pub prisoners: [u32; 2],
    /// Stones that Black was given.
    pub handicap_stones: u32,
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
    /// Neutral points: dame, and points in a seki that are not counted. They do not enter the margin.
    pub neutral: u32,
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

impl<const W: usize> Position<W> {
    /// Scores the position as the end of a game. Counting, tax and handicap bonus are as the rules say; ko and suicide play no role.
    ///
    /// Dead stones are taken off first. What then belongs to a colour, stones and points that reach only them, falls into *groups*: connected
    /// parts. A group is in seki when one of its points is beside a dame, or a stone of it in atari. Under a tax the points that groups in
    /// seki surround do not count, nor the dead stones among them, which stay as they are. So dame must be filled before the count.
    ///
    /// Nothing is judged here: what `context` does not name dead is alive. With the [stones that are unconditionally
    /// dead](Position::unconditionally_dead) this is KataGo's score.
    ///
    /// # Source
    /// The Japanese rules of 1989, article 8: living stones with dame are in seki. KataGo: *Supported Go Rules*, taxes.
    #[must_use]
    pub fn score(&self, rules: Rules, context: &ScoringContext<'_>) -> Score {
        let geometry = self.geometry();
        let chains_of = |points: &[Point]| {
            let named = geometry.set_of(points.iter().filter(|&&point| self.size().contains(point)));
            Color::BOTH.map(|color| geometry.flood(named, self.stone_set(color)))
        };
        let (dead, seki) = (chains_of(context.dead), chains_of(context.seki));
        let living = Color::BOTH.map(|color| self.stone_set(color).without(dead[color.index()]));
        let empty = geometry.on_board.without(living[0] | living[1]);
        let beside_seki = geometry.flood(geometry.adjacent(seki[0] | seki[1]), empty);
        let surrounded = surrounded(geometry, living);
        let (in_seki, independent) = match rules.tax {
            Tax::None => (Bitboard::EMPTY, [0; 2]),
            Tax::Seki | Tax::All => groups(geometry, living, surrounded),
        };
        let counted = surrounded.map(|points| points.without(in_seki | beside_seki));
        let mut score = Score {
            surrounded: counted.map(|points| points.count()),
            handicap_bonus: rules.handicap_bonus.points(context.handicap_stones),
            neutral: empty.without(counted[0] | counted[1]).count(),
            ..Score::default()
        };
        if rules.tax == Tax::All {
            score.taxed_groups = independent;
        }
        match rules.counting {
            Counting::Area => score.stones = living.map(|stones| stones.count()),
            Counting::Territory => {
                score.prisoners = Color::BOTH.map(|color| {
                    let loser = color.opponent().index();
                    context.prisoners[loser] + dead[loser].without(in_seki).count()
                });
            }
        }
        score
    }
}

/// The points of the groups of a finished position that are in seki, stones and surrounded ones, and the number of the other groups (Black, White).
fn groups<const W: usize>(
    geometry: &Geometry<W>,
    living: [Bitboard<W>; 2],
    surrounded: [Bitboard<W>; 2],
) -> (Bitboard<W>, [u32; 2]) {
    let empty = geometry.on_board.without(living[0] | living[1]);
    let beside_dame = geometry.adjacent(empty.without(surrounded[0] | surrounded[1]));
    let (mut in_seki, mut independent) = (Bitboard::EMPTY, [0; 2]);
    for color in Color::BOTH.map(Color::index) {
        let is_in_atari = |chain: &Bitboard<W>| (geometry.adjacent(*chain) & empty).is_single();
        let chains = geometry.parts(living[color]).filter(is_in_atari);
        let in_atari = chains.fold(Bitboard::EMPTY, |all, chain| all | chain);
        for group in geometry.parts(living[color] | surrounded[color]) {
            if group.intersects(beside_dame | in_atari) {
                in_seki |= group;
            } else {
                independent[color] += 1;
            }
        }
    }
    (in_seki, independent)
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
            let context = ScoringContext { dead, seki, ..ScoringContext::default() };
            board.position().score("territory".parse().unwrap(), &context)
        };
        let dead = [Point::new(0, 2), Point::new(4, 2)];
        let expected = Score { surrounded: [3, 3], prisoners: [1, 1], neutral: 4, ..Score::default() };
        assert_eq!(count(&dead, &[]), expected);
        // Living stones inside make a region neutral, and so does a seki beside it.
        let expected = Score { surrounded: [1, 1], neutral: 6, ..Score::default() };
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
        assert_eq!(area.neutral, board.area().neutral);
        assert_eq!(score(&board.to_string(), "area", &dead).of(Color::Black), 4);
        let territory = score(&board.to_string(), "territory", &dead);
        assert_eq!((territory.surrounded, territory.prisoners, territory.margin()), ([2, 1], [2, 2], 1));
    }

    #[test]
    fn in_a_seki_points_and_dead_stones_do_not_count_under_a_tax() {
        let dead = [Point::new(0, 0)];
        for tax in ["seki-tax", "group-tax"] {
            let seki = score("O . X X . O O .", &format!("territory+{tax}"), &dead);
            let expected = Score { prisoners: [1, 2], neutral: 4, ..Score::default() };
            assert_eq!(seki, expected);
            let area = score("O . X X . O O .", &format!("area+{tax}"), &dead);
            assert_eq!(area, Score { stones: [2, 2], neutral: 4, ..Score::default() });
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
