//! Kinds of seki.

use super::{ChainStatus, Status};
use crate::{Color, Position, bitboard::Bitboard, names::names};

/// The kind of a seki. The definitions are in `docs/status.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SekiKind {
    /// Neither side has an eye: all they have are liberties, or larger empty regions, that both reach.
    NoEyes,
    /// Each side has one eye.
    EyeEach,
    /// One side has eyes, the other has none.
    EyeAgainstNone,
    /// Two kos: whoever is put into atari by one answers in the other.
    DoubleKo,
    /// None of these.
    Other,
}

names! {
    /// All kinds.
    SekiKind {
        NoEyes = "no-eyes",
        EyeEach = "eye-each",
        EyeAgainstNone = "eye-against-none",
        DoubleKo = "double-ko",
        Other = "other",
    }
}

/// Chains in seki that depend on each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seki {
    /// Its kind.
    pub kind: SekiKind,
    /// Places of its chains in the list of all chains, ascending.
    pub chains: Vec<usize>,
    /// Eyes of Black and White.
    pub eyes: [u32; 2],
    /// Points at which a stone could be taken in a ko.
    pub kos: u32,
}

impl<const W: usize> Position<W> {
    /// The sekis among all chains of the position: chains in seki that touch or have a liberty in common belong together, directly or by others.
    #[must_use]
    pub fn sekis(&self, chains: &[ChainStatus]) -> Vec<Seki> {
        if chains.iter().all(|chain| chain.status != Status::Seki) {
            return Vec::new();
        }
        let survey = Survey::new(self, chains);
        let mut left: Vec<usize> =
            (0..chains.len()).filter(|&chain| chains[chain].status == Status::Seki).collect();
        let mut sekis = Vec::new();
        while let Some(first) = left.first().copied() {
            let members = survey.connected(first, &mut left);
            sekis.push(survey.seki(members));
        }
        sekis
    }

    /// Empty points of Black and White in seki: those that only stones of this colour reach, in regions beside a chain in seki. Dead chains are
    /// [taken off](Self::taken_off) first, and their points count as empty.
    #[must_use]
    pub fn points_in_seki(&self, chains: &[ChainStatus]) -> [u32; 2] {
        let geometry = self.geometry();
        let in_seki = chains.iter().filter(|chain| chain.status == Status::Seki);
        let seki = geometry.set_of(in_seki.flat_map(|chain| &chain.stones));
        let position = self.without(self.taken_off(chains).flat_map(|chain| &chain.stones));
        let in_seki = geometry.flood(geometry.adjacent(seki), position.empty());
        position.owned().map(|points| (points & in_seki).count())
    }
}

/// A position and its chains as sets.
struct Survey<'a, const W: usize> {
    position: &'a Position<W>,
    chains: &'a [ChainStatus],
    sets: Vec<Bitboard<W>>,
}

impl<'a, const W: usize> Survey<'a, W> {
    fn new(position: &'a Position<W>, chains: &'a [ChainStatus]) -> Self {
        let sets = chains.iter().map(|chain| position.geometry().set_of(&chain.stones)).collect();
        Self { position, chains, sets }
    }

    /// Takes the chains that belong together with the first one out of those that are left.
    fn connected(&self, first: usize, left: &mut Vec<usize>) -> Vec<usize> {
        let (geometry, empty) = (self.position.geometry(), self.position.empty());
        let (mut members, mut seen) = (Vec::new(), self.sets[first]);
        loop {
            let near = geometry.adjacent(seen);
            let near = near | geometry.adjacent(near & empty) | seen;
            let (found, others): (Vec<usize>, Vec<usize>) =
                left.iter().partition(|&&chain| self.sets[chain].intersects(near));
            if found.is_empty() {
                members.sort_unstable();
                return members;
            }
            seen = found.iter().fold(seen, |seen, &chain| seen | self.sets[chain]);
            members.extend(found);
            *left = others;
        }
    }

    fn seki(&self, chains: Vec<usize>) -> Seki {
        let side = |color: Color| {
            let own = chains.iter().filter(|&&chain| self.chains[chain].color == color);
            own.fold(Bitboard::EMPTY, |all, &chain| all | self.sets[chain])
        };
        let sides = Color::BOTH.map(side);
        let kos = self.kos(sides[0] | sides[1]);
        let eyes = Color::BOTH.map(|color| self.eyes(color, sides[color.index()], kos));
        let kos = kos.count();
        let kind = match eyes {
            _ if kos >= 2 => SekiKind::DoubleKo,
            [0, 0] => SekiKind::NoEyes,
            [1, 1] => SekiKind::EyeEach,
            [_, 0] | [0, _] => SekiKind::EyeAgainstNone,
            _ => SekiKind::Other,
        };
        Seki { kind, chains, eyes, kos }
    }

    /// The points at which a single stone could be taken and the taker retaken, if the point or the stone is beside these chains.
    fn kos(&self, seki: Bitboard<W>) -> Bitboard<W> {
        let (geometry, empty) = (self.position.geometry(), self.position.empty());
        let mut kos = Bitboard::EMPTY;
        for (chain, &stones) in self.chains.iter().zip(&self.sets) {
            let liberties = geometry.adjacent(stones) & empty;
            let (Some(liberty), false, 1) =
                (liberties.iter().next(), liberties.has_several(), stones.count())
            else {
                continue;
            };
            let around = geometry.neighbours(liberty);
            let is_enclosed = around.without(self.position.stone_set(chain.color)).is_empty();
            let others = self.position.stone_set(chain.color).without(stones);
            let mut beside = geometry.parts(others).filter(|other| other.intersects(*around));
            if is_enclosed
                && (geometry.adjacent(stones) | *around | stones).intersects(seki)
                && beside.all(|other| (geometry.adjacent(other) & empty).has_several())
            {
                kos.insert(liberty);
            }
        }
        kos
    }

    /// Eyes: regions that only these chains of one colour enclose, and in which no chain of the opponent is other than dead.
    fn eyes(&self, color: Color, side: Bitboard<W>, kos: Bitboard<W>) -> u32 {
        let (geometry, position) = (self.position.geometry(), self.position);
        let dead = self.chains.iter().zip(&self.sets).filter(|(chain, _)| chain.status == Status::Dead);
        let dead = dead.fold(Bitboard::EMPTY, |all, (_, &stones)| all | stones);
        let living = position.stone_set(color.opponent()).without(dead);
        let others = position.stone_set(color).without(side);
        let outside = geometry.on_board.without(position.stone_set(color));
        let is_eye = |region: &Bitboard<W>| {
            let around = geometry.adjacent(*region);
            around.intersects(side) && !around.intersects(others) && !(living | kos).intersects(*region)
        };
        geometry.parts(outside).filter(is_eye).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Ko, Suicide, life::StatusSolver};

    fn sekis(diagram: &str, limit: usize) -> (Position, Vec<ChainStatus>, Vec<Seki>) {
        let board: Board = Board::from_diagram(diagram, Suicide::Forbidden).unwrap();
        let position = board.position();
        let chains = StatusSolver::with_limit(Suicide::Forbidden, Ko::Simple, limit).chains(&position);
        let sekis = position.sekis(&chains);
        (position, chains, sekis)
    }

    fn only(diagram: &str) -> Seki {
        let (position, chains, mut sekis) = sekis(diagram, 100_000);
        assert_eq!(sekis.len(), 1, "{position:#}{chains:?}");
        sekis.remove(0)
    }

    #[test]
    fn two_shared_liberties() {
        let seki = only(
            ". X X O . X O O .
             X X X O . X O O O
             . X X O X X O O .
             X X X X O O O O O",
        );
        assert_eq!((seki.kind, seki.eyes), (SekiKind::NoEyes, [0, 0]));
        assert_eq!(seki.chains.len(), 2);
    }

    #[test]
    fn one_eye_each() {
        let seki = only(
            ". X X O . O . X . X O O .
             X X X O O O X X X X O O O
             . X X X X X O O O O O O .
             X X X X X X O O O O O O O",
        );
        assert_eq!((seki.kind, seki.eyes), (SekiKind::EyeEach, [1, 1]));
    }

    #[test]
    fn eyes_against_none() {
        let seki = only(
            ". O X . X . O . X . X O .
             O O X X X O O O X X X O O
             . O O O O X X X O O O O .
             O O O O O X . X O O O O O
             O O O O O X X X O O O O O
             O O O O O X . X O O O O O",
        );
        assert_eq!((seki.kind, seki.eyes), (SekiKind::EyeAgainstNone, [2, 0]));
        assert_eq!(seki.chains.len(), 3);
    }

    /// Stones that are in seki themselves make no eye of the region in which they stand.
    #[test]
    fn stones_in_atari() {
        let seki = only(
            "O X O X . O X . X X X
             O X O X O O X X X . X
             O X O X O X X X X X X
             . X O O O X X X X X X
             X X O X X X X X X X X
             . O O X X X X X X X X",
        );
        assert_eq!((seki.kind, seki.eyes), (SekiKind::NoEyes, [0, 0]));
        assert_eq!(seki.chains.len(), 4);
    }

    const DOUBLE_KO: &str = ". X O X . X X O . O X .
                             X X O O X X X X O O X X
                             . X O O O . O O O O X .
                             X X X X O O O X X X X X
                             X X X X X X X X X X X X";

    /// The statuses are given: a search of this part looks at too many states for a test.
    #[test]
    fn double_ko() {
        let (position, mut chains, _) = sekis(DOUBLE_KO, 10);
        for chain in &mut chains {
            chain.status = match chain.stones.len() {
                6 | 16 => Status::Seki,
                1 => Status::Ko,
                _ => Status::Alive,
            };
        }
        let sekis = position.sekis(&chains);
        assert_eq!(sekis.len(), 1);
        assert_eq!((sekis[0].kind, sekis[0].kos, sekis[0].eyes), (SekiKind::DoubleKo, 2, [0, 0]));
    }

    #[test]
    fn points_in_seki_are_those_of_its_eyes() {
        let (position, chains, _) = sekis(
            ". X X O . O . X . X O O .
             X X X O O O X X X X O O O
             . X X X X X O O O O O O .
             X X X X X X O O O O O O O",
            100_000,
        );
        assert_eq!(position.points_in_seki(&chains), [1, 1]);
        assert_eq!(position.taken_off(&chains).count(), 0);
    }

    #[test]
    fn dead_chains_are_worth_their_points_twice() {
        let (position, chains, sekis) = sekis(
            ". X . O X
             X X O O .
             . X O . O
             X X O O O",
            100_000,
        );
        let dead: Vec<usize> = chains
            .iter()
            .filter(|chain| chain.status == Status::Dead)
            .map(|chain| chain.stones.len())
            .collect();
        assert_eq!((dead, sekis.len()), (vec![1], 0), "{position}");
        // The stone is taken off; it, and the empty point beside it, become White's.
        let after = position.without(position.taken_off(&chains).flat_map(|chain| &chain.stones));
        assert_eq!(after.area().margin() - position.area().margin(), -3);
    }
}
