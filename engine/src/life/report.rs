//! The statuses of a position with their proofs: lines of play, and proofs in zones of an open board.

use super::{
    ChainStatus, Proof,
    parts::{Borders, Part},
    search::{
        line::LocalMove, local_board::LocalBoard, proof_number::ProofNumberSearch, safety::SafetySearch,
    },
    solver::{Basis, Chain},
    zones::{Claim, MAX_VISITS, Proved, Zone, ZoneSolver},
};
use crate::{
    Board, BoardSize, Color, IllegalMove, Move, Point, Position, Suicide, bitboard::Bitboard, position::Image,
};

/// Moves with the players who make them.
type ColoredMoves = Vec<(Color, Move)>;

/// The statuses of the chains of a position, and what they are based on.
#[derive(Clone, Debug)]
pub struct StatusReport<const W: usize = 11> {
    /// The position that was searched: an image of the given one.
    pub(super) zones: ZoneSolver<W>,
    /// States that a search of a part may visit.
    pub(super) limit: usize,
    /// The borders of the parts that were searched: unconditionally alive stones, then safe groups as well.
    pub(super) borders: Vec<Borders<W>>,
    pub(super) proved: Vec<Proved<W>>,
    pub(super) chains: Vec<Chain<W>>,
}

/// A question about a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Can its opponent capture it?
    Capture,
    /// Can its owner make it unconditionally alive?
    Life,
}

/// A line of play that answers a question about a chain. The player who succeeds plays the shortest way found, the other resists as long as
/// possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The plies, players in turn. Ko forbids nothing.
    pub moves: Vec<(Color, Move)>,
    /// Why the line ends.
    pub end: LineEnd,
    /// States visited by the search that found it.
    pub visits: usize,
}

/// Why a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnd {
    /// The chain is captured.
    Captured,
    /// The chain is unconditionally alive, or connected to stones that were safe from the start.
    Alive,
    /// The player who wants to capture the chain, or to make it unconditionally alive, has only a pass left in this part of the board.
    NoMove,
}

/// A proof in a zone: the *owner*, playing only inside it, reaches what is claimed, whatever the opponent plays and whatever stands
/// elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneProof {
    /// What is proved.
    pub claim: ZoneClaim,
    /// The player who reaches it.
    pub owner: Color,
    /// The owner's chains in the zone.
    pub chains: Vec<Vec<Point>>,
    /// Stones of the owner beside the zone that are safe already, whatever is played in it.
    pub anchors: Vec<Point>,
    /// The points that the proof uses: empty, or with stones of the opponent.
    pub points: Vec<Point>,
    /// A line of play, the opponent first, until no move of the opponent needs an answer or the chain is captured. Ko forbids nothing.
    pub moves: Vec<(Color, Move)>,
    /// States visited by a search that finds the proof; 1 for a static proof.
    pub visits: usize,
}

/// What is proved about a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZoneClaim {
    /// The owner never loses a stone of the chains.
    Safe {
        /// The opponent's moves that need an answer, each with one.
        answers: Vec<(Point, Point)>,
    },
    /// The owner captures this chain, although the opponent moves first.
    Captures(Vec<Point>),
}

impl<const W: usize> StatusReport<W> {
    /// Turns the chains back into the position of this size that these images turn into the one that was searched. In a symmetric position, equal
    /// chains get the same status.
    pub(super) fn turn_back(&mut self, images: &[Image], size: BoardSize) {
        let geometry = self.zones.position.geometry();
        let back = |chain: &Chain<W>| {
            let point_back = |point| images[0].symmetry.inverse().apply(point, geometry.size);
            let mut stones: Vec<Point> = chain.solved.stones.iter().copied().map(point_back).collect();
            stones.sort_by_key(|stone| stone.index(size));
            let equal = images.iter().map(|&image| {
                let bit = geometry.bit(image.symmetry.apply(stones[0], size));
                let equal = self.chains.iter().find(|chain| chain.set.contains(bit));
                (equal.expect("chains stay chains"), image)
            });
            let (equal, image) = equal.min_by_key(|(chain, _)| chain.is_unknown()).expect("an image");
            let color = images[0].color(chain.solved.color);
            Chain { image, solved: ChainStatus { color, stones, ..equal.solved }, ..*equal }
        };
        let mut chains: Vec<Chain<W>> = self.chains.iter().map(back).collect();
        chains.sort_by_key(|chain| (chain.solved.color.index(), chain.solved.stones[0].index(size)));
        self.chains = chains;
    }

    /// Returns the chains, Black's first, each colour in the order of first stones.
    pub fn chains(&self) -> impl Iterator<Item = &ChainStatus> {
        self.chains.iter().map(|chain| &chain.solved)
    }

    /// Returns the points on which the status of the chain on `point` depends, in row-major order: the part of the board whose search
    /// decided it, or else the part that unconditionally alive stones and unconditional territory leave around it. It is empty for chains
    /// that these decide, and where there is no chain.
    #[must_use]
    pub fn part(&self, point: Point) -> Vec<Point> {
        let Some((chain, image)) = self.chain_at(point) else { return Vec::new() };
        let part = match chain.basis {
            Some(Basis::Part(part)) => Some(part),
            _ => self.borders[0].part_at(&self.zones.position, image),
        };
        part.map_or_else(Vec::new, |part| self.points_of(chain, part))
    }

    /// Returns the chain on a point, and where the point lies in the position that was searched.
    fn chain_at(&self, point: Point) -> Option<(&Chain<W>, Point)> {
        let chain = self.chains.iter().find(|chain| chain.solved.stones.contains(&point))?;
        let symmetry = chain.image.symmetry;
        let size = symmetry.inverse().image_size(self.zones.position.size());
        Some((chain, symmetry.apply(point, size)))
    }

    /// Returns where a point of the position that was searched lies in the given one, for the proof of this chain.
    fn turned_back(&self, chain: &Chain<W>, point: Point) -> Point {
        chain.image.symmetry.inverse().apply(point, self.zones.position.size())
    }

    /// Returns the points of a set in the given position, for the proof of this chain.
    fn points_of(&self, chain: &Chain<W>, set: Bitboard<W>) -> Vec<Point> {
        let points = self.zones.position.geometry().points_of(set);
        let mut points: Vec<Point> = points.map(|point| self.turned_back(chain, point)).collect();
        points.sort_by_key(|&Point { x, y }| (y, x));
        points
    }

    /// Returns the line that answers a question about the chain on `point` when `first` moves first.
    ///
    /// Returns `None` where no line shows the answer: unconditional life decides the chain; its part of the board is too large and it is not
    /// captured in a zone of the open board; the search gives up; or the answer depends on repetition.
    #[must_use]
    pub fn line(&self, point: Point, question: Question, first: Color) -> Option<Line> {
        let (chain, image) = self.chain_at(point)?;
        if chain.solved.proof == Proof::Benson {
            return None;
        }
        let (suicide, first) = (self.zones.suicide, chain.image.color(first));
        let in_part = |part: Part| part.line(image, question, first, suicide, self.limit);
        let mut line = self.small_parts(image).find_map(in_part).or_else(|| match question {
            Question::Capture => self.capture_in_zones(image, first),
            Question::Life => None,
        })?;
        self.turn_line_back(chain, &mut line.moves);
        Some(line)
    }

    fn turn_line_back(&self, chain: &Chain<W>, moves: &mut ColoredMoves) {
        for (color, mv) in moves {
            *color = chain.image.color(*color);
            if let Move::Play(point) = mv {
                *point = self.turned_back(chain, *point);
            }
        }
    }

    /// Lists the part around a point between unconditionally alive stones and those between safe groups, where they are small enough.
    fn small_parts(&self, point: Point) -> impl Iterator<Item = Part> {
        let position = &self.zones.position;
        let mut last = None;
        self.borders.iter().filter_map(move |borders| {
            let is_small = |part: &Bitboard<W>| part.count() as usize <= LocalBoard::MAX_POINTS;
            let is_new = |part: &Bitboard<W>| last.replace(*part) != Some(*part);
            let part = borders.part_at(position, point).filter(is_small).filter(is_new)?;
            Some(borders.part(position, part))
        })
    }

    /// Returns the line by which the chain on a point is captured in the first zone that proves it.
    fn capture_in_zones(&self, point: Point, first: Color) -> Option<Line> {
        let bit = self.zones.position.geometry().bit(point);
        let mut proved = self.proved.iter();
        proved.find_map(|proved| {
            let chain = proved.captured().filter(|chain| chain.contains(bit))?;
            self.capture(&proved.zone, chain, first)
        })
    }

    fn capture(&self, zone: &Zone<W>, chain: Bitboard<W>, first: Color) -> Option<Line> {
        let (board, stones) = zone.local_board(&self.zones.position, self.zones.suicide)?;
        let search = ProofNumberSearch::without_losses(&board, zone.capture_goal(chain.first()));
        let allowed = |before: &[LocalMove], point| self.is_legal(zone, before, point);
        let (moves, _, visits) = search.line(stones, first, self.zone_limit(), &allowed)?;
        Some(Line { moves: self.plies(zone, first, &moves), end: LineEnd::Captured, visits })
    }

    /// Returns the proof in a zone of the open board on which the status of the chain on `point` is based. Returns `None` where it is based
    /// on unconditional life or on a search of a part of the board (see [`line`](Self::line)).
    ///
    /// Cost: about that of the searches that found the proof.
    #[must_use]
    pub fn zone_proof(&self, point: Point) -> Option<ZoneProof> {
        let (chain, _) = self.chain_at(point)?;
        let Some(Basis::Zone(number)) = chain.basis else { return None };
        let Proved { claim, zone, .. } = &self.proved[number];
        let points_of = |set: Bitboard<W>| self.points_of(chain, set);
        let (claim, mut moves, visits) = match *claim {
            Claim::Safe => self.answers(chain, zone)?,
            Claim::Captures(captured) => {
                let line = self.capture(zone, captured, zone.owner.opponent())?;
                (ZoneClaim::Captures(points_of(captured)), line.moves, line.visits)
            }
        };
        self.turn_line_back(chain, &mut moves);
        Some(ZoneProof {
            claim,
            owner: chain.image.color(zone.owner),
            chains: zone.chains.iter().map(|&chain| points_of(chain)).collect(),
            anchors: points_of(zone.anchors_beside(self.zones.position.geometry())),
            points: points_of(zone.area),
            moves,
            visits,
        })
    }

    /// Returns how many states a search of a zone may visit.
    fn zone_limit(&self) -> usize {
        self.limit.min(MAX_VISITS)
    }

    /// Searches a zone whose chains are safe for the owner's answers and a line of play.
    fn answers(&self, chain: &Chain<W>, zone: &Zone<W>) -> Option<(ZoneClaim, ColoredMoves, usize)> {
        let ZoneSolver { position, suicide, .. } = &self.zones;
        let limit = self.zone_limit();
        let (board, stones) = zone.local_board(position, *suicide)?;
        let mut search = SafetySearch::new(&board, zone.owner);
        let (_, visits) = search.proof(stones, limit);
        let allowed = |before: &[LocalMove], point| self.is_legal(zone, before, point);
        let replies = search.replies(stones, limit, &[], &allowed)?;
        let line = search.line(stones, limit, &allowed)?;
        let points: Vec<Point> =
            position.geometry().points_of(zone.area).map(|point| self.turned_back(chain, point)).collect();
        let needed = replies.iter().filter_map(|reply| Some((points[reply.attack], points[reply.answer?])));
        let mut answers: Vec<_> = needed.collect();
        answers.sort_by_key(|&(Point { x, y }, _)| (y, x));
        let claim = ZoneClaim::Safe { answers };
        Some((claim, self.plies(zone, zone.owner.opponent(), &line), visits))
    }

    /// Returns whether the opponent of a zone's owner may play on a point of it after these alternating moves, on the real board. In the zone
    /// the move may be legal only because stones outside cannot be captured there.
    fn is_legal(&self, zone: &Zone<W>, before: &[LocalMove], point: usize) -> bool {
        let opponent = zone.owner.opponent();
        let first = if before.len().is_multiple_of(2) { opponent } else { zone.owner };
        let mut plies = self.plies(zone, first, before);
        plies.extend(self.plies(zone, opponent, &[Some(point)]));
        self.zones.position.after_plies(plies, self.zones.suicide).is_ok()
    }

    /// Returns alternating moves in a zone as plies on the board.
    fn plies(&self, zone: &Zone<W>, first: Color, moves: &[LocalMove]) -> Vec<(Color, Move)> {
        let points: Vec<Point> = self.zones.position.geometry().points_of(zone.area).collect();
        alternating(first, moves, |point| points[point])
    }
}

/// Turns alternating moves on a local board into plies. `place` says where a point of the local board lies.
pub(super) fn alternating(first: Color, moves: &[LocalMove], place: impl Fn(usize) -> Point) -> ColoredMoves {
    let moves = moves.iter().map(|mv| mv.map_or(Move::Pass, |point| Move::Play(place(point))));
    [first, first.opponent()].into_iter().cycle().zip(moves).collect()
}

impl<const W: usize> Position<W> {
    /// Returns the position after the plies of a line. Ko forbids nothing, and players need not alternate.
    ///
    /// # Errors
    /// Returns why the first illegal ply is illegal.
    ///
    /// # Panics
    /// Panics when a chain of this position has no liberty.
    pub fn after_plies(
        &self,
        plies: impl IntoIterator<Item = (Color, Move)>,
        suicide: Suicide,
    ) -> Result<Self, IllegalMove> {
        let mut board: Board<W> = Board::new(self.size(), suicide);
        plies.into_iter().try_fold(self.clone(), |position, (color, mv)| {
            // A new position has no history, so ko forbids nothing.
            board.set_position(position.colored_stones(), color).expect("every chain has a liberty");
            board.play(mv)?;
            Ok(board.position())
        })
    }
}
