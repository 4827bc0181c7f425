//! The statuses of a position with their proofs: lines of play, and proofs in zones of an open board.

use super::{
    ChainStatus, Proof,
    parts::{Borders, Part},
    search::{
        line::LocalMove, local_board::LocalBoard, proof_number::ProofNumberSearch, safety::SafetySearch,
    },
    solver::{Basis, Chain},
    zones::{Proved, Zone, ZoneSolver},
};
use crate::{Board, Color, IllegalMove, Move, Point, Position, Suicide, bitboard::Bitboard};

/// Moves with the players who make them.
type ColoredMoves = Vec<(Color, Move)>;

/// The statuses of the chains of a position, and what they are based on.
#[derive(Clone, Debug)]
pub struct StatusReport<'a, const W: usize = 11> {
    pub(super) zones: ZoneSolver<'a, W>,
    /// States that a search of a part may visit.
    pub(super) limit: usize,
    /// The borders of the parts that are searched: unconditionally alive stones, then safe groups as well.
    pub(super) borders: [Borders<W>; 2],
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

impl<const W: usize> StatusReport<'_, W> {
    /// Returns the chains, Black's first, each colour in the order of first stones.
    pub fn chains(&self) -> impl Iterator<Item = &ChainStatus> {
        self.chains.iter().map(|chain| &chain.solved)
    }

    /// Returns the points on which the status of the chain on `point` depends, in row-major order: the part of the board whose search
    /// decided it, or else the part that unconditionally alive stones and unconditional territory leave around it. It is empty for chains
    /// that these decide.
    #[must_use]
    pub fn part(&self, point: Point) -> Vec<Point> {
        let position = self.zones.position;
        let part = self.chain_at(point).and_then(|chain| match chain.basis {
            Some(Basis::Part(part)) => Some(part),
            _ => self.borders[0].part_at(position, point),
        });
        part.into_iter().flat_map(|part| position.geometry().points_of(part)).collect()
    }

    fn chain_at(&self, point: Point) -> Option<&Chain<W>> {
        let bit = self.zones.position.geometry().bit(point);
        self.chains.iter().find(|chain| chain.set.contains(bit))
    }

    /// Returns the line that answers a question about the chain on `point` when `first` moves first.
    ///
    /// Returns `None` where no line shows the answer: unconditional life decides the chain; its part of the board is too large and it is not
    /// captured in a zone of the open board; the search gives up; or the answer depends on repetition.
    #[must_use]
    pub fn line(&self, point: Point, question: Question, first: Color) -> Option<Line> {
        self.chain_at(point).filter(|chain| chain.solved.proof != Proof::Benson)?;
        let suicide = self.zones.suicide;
        let in_part = |part: Part| part.line(point, question, first, suicide, self.limit);
        self.small_parts(point).find_map(in_part).or_else(|| match question {
            Question::Capture => self.capture_in_zones(point, first),
            Question::Life => None,
        })
    }

    /// Lists the part around a point between unconditionally alive stones and, if it is another one, the part between safe groups, where they
    /// are small enough.
    fn small_parts(&self, point: Point) -> impl Iterator<Item = Part> {
        let position = self.zones.position;
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
            let chain = proved.captured.filter(|chain| chain.contains(bit))?;
            self.capture(&proved.zone, chain, first)
        })
    }

    fn capture(&self, zone: &Zone<W>, chain: Bitboard<W>, first: Color) -> Option<Line> {
        let ZoneSolver { position, suicide, limit, .. } = self.zones;
        let (board, stones) = zone.local_board(position, suicide)?;
        let search = ProofNumberSearch::without_losses(&board, zone.capture_goal(chain.first()));
        let allowed = |before: &[LocalMove], point| self.is_legal(zone, before, point);
        let (moves, _, visits) = search.line(stones, first, limit, &allowed)?;
        Some(Line { moves: self.plies(zone, first, &moves), end: LineEnd::Captured, visits })
    }

    /// Returns the proof in a zone of the open board on which the status of the chain on `point` is based. Returns `None` where it is based
    /// on unconditional life or on a search of a part of the board (see [`line`](Self::line)).
    ///
    /// Cost: about that of the searches that found the proof.
    #[must_use]
    pub fn zone_proof(&self, point: Point) -> Option<ZoneProof> {
        let Some(Basis::Zone(number)) = self.chain_at(point)?.basis else { return None };
        let Proved { captured, zone, .. } = &self.proved[number];
        let geometry = self.zones.position.geometry();
        let points_of = |set: Bitboard<W>| -> Vec<Point> { geometry.points_of(set).collect() };
        let (claim, moves, visits) = match *captured {
            None => self.answers(zone)?,
            Some(chain) => {
                let line = self.capture(zone, chain, zone.owner.opponent())?;
                (ZoneClaim::Captures(points_of(chain)), line.moves, line.visits)
            }
        };
        Some(ZoneProof {
            claim,
            owner: zone.owner,
            chains: zone.chains.iter().map(|&chain| points_of(chain)).collect(),
            anchors: points_of(zone.anchors & geometry.adjacent(zone.area)),
            points: points_of(zone.area),
            moves,
            visits,
        })
    }

    /// Searches a zone whose chains are safe for the owner's answers and a line of play.
    fn answers(&self, zone: &Zone<W>) -> Option<(ZoneClaim, ColoredMoves, usize)> {
        let ZoneSolver { position, suicide, limit, .. } = self.zones;
        let (board, stones) = zone.local_board(position, suicide)?;
        let mut search = SafetySearch::new(&board, zone.owner);
        let (_, visits) = search.proof(stones, limit);
        let allowed = |before: &[LocalMove], point| self.is_legal(zone, before, point);
        let replies = search.replies(stones, limit, &[], &allowed)?;
        let line = search.line(stones, limit, &allowed)?;
        let points: Vec<Point> = position.geometry().points_of(zone.area).collect();
        let needed = replies.iter().filter_map(|reply| Some((points[reply.attack], points[reply.answer?])));
        let claim = ZoneClaim::Safe { answers: needed.collect() };
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
