//! How a game begins: the first position and the handicap.

use std::collections::HashSet;

use super::{Conduct, EndRule, Event, Phase, Protocol, Refusal, Start, agreement::Marks, kos::Kos};
use crate::{
    BoardSize, Color, Game, Point,
    board::NoLiberty,
    game::{StarOrder, fixed_handicap, max_fixed_handicap},
    rules::Handicap,
};

/// Prisoners that White hands over for each class beyond nine stones.
const PRISONERS_PER_CLASS: u32 = 5;

/// A handicap that a board or a rule set does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a handicap of {stones} stones: {size} has {most} at most under these rules")]
pub struct NoSuchHandicap {
    /// Stones asked for.
    pub stones: u32,
    /// The most there are.
    pub most: u32,
    /// The board.
    pub size: BoardSize,
}

impl Protocol {
    /// A game from the empty board. Where handicap stones are fixed they stand already, and White is to move; where they are free, Black puts
    /// them.
    ///
    /// # Errors
    /// A handicap that the board or the rules do not have.
    pub fn new(size: BoardSize, conduct: Conduct) -> Result<Self, NoSuchHandicap> {
        let mut protocol = Self::of_game(Game::new(size, conduct.rules), conduct);
        if conduct.handicap >= 2 {
            protocol.begin_handicap()?;
        }
        Ok(protocol)
    }

    /// A game from a position with this player to move, without handicap stones beside it.
    ///
    /// # Errors
    /// A chain without liberties.
    pub fn from_position(
        size: BoardSize,
        conduct: Conduct,
        stones: impl IntoIterator<Item = (Point, Color)>,
        to_play: Color,
    ) -> Result<Self, NoLiberty> {
        let mut game = Game::new(size, conduct.rules);
        game.set_position(stones, to_play)?;
        Ok(Self::of_game(game, conduct))
    }

    /// The same with stones of Black and of White that were taken before the game began.
    #[must_use]
    pub fn with_prisoners(mut self, stones: [u32; 2]) -> Self {
        self.handed_over = stones;
        self.start.prisoners = stones;
        // The state at the start has these prisoners.
        self.seen.clear();
        self.note_state();
        self
    }

    fn of_game(game: Game, conduct: Conduct) -> Self {
        let start = Start { position: game.board().position(), prisoners: [0; 2], to_play: game.to_play() };
        let mut protocol = Self {
            start,
            conduct,
            phase: Phase::Playing,
            game,
            record: Vec::new(),
            handed_over: [0; 2],
            passes: 0,
            marks: [Marks::NONE; 2],
            agreed: Marks::NONE,
            continuations: 0,
            kos: Kos::default(),
            seen: HashSet::new(),
            claims: Vec::new(),
            verification: None,
        };
        protocol.note_state();
        protocol
    }

    fn begin_handicap(&mut self) -> Result<(), NoSuchHandicap> {
        let size = self.game.board().size();
        let stones = self.conduct.handicap;
        let invalid = |most: usize| NoSuchHandicap { stones, most: most as u32, size };
        if self.conduct.rules.handicap == Handicap::Free {
            // One point at least stays for White.
            let most = size.point_count() - 1;
            self.phase = Phase::Handicap { left: stones };
            return if stones as usize <= most { Ok(()) } else { Err(invalid(most)) };
        }
        // Beyond nine stones, which only boards with nine star points have, prisoners are handed over.
        let most = max_fixed_handicap(size);
        let beyond = stones.saturating_sub(9);
        if stones > most && most < 9 {
            return Err(invalid(most as usize));
        }
        let points = fixed_handicap(size, stones - beyond, StarOrder::Traditional);
        let stones = points.map_err(|_| invalid(most as usize))?.map(|point| (point, Color::Black));
        self.game.set_position(stones, Color::White).expect("star points have liberties");
        self.handed_over[Color::White.index()] = PRISONERS_PER_CLASS * beyond;
        self.start.position = self.game.board().position();
        self.start.prisoners = self.handed_over;
        self.start.to_play = Color::White;
        Ok(())
    }

    pub(super) fn check_handicap(&self, by: Color, points: &[Point], event: &Event) -> Result<(), Refusal> {
        if self.conduct.ending != EndRule::Marking {
            return Err(self.no_such_event(event));
        }
        let Phase::Handicap { left } = self.phase else { return Err(self.wrong_phase(event)) };
        self.check_turn(by)?;
        let board = self.game.board();
        let is_on_board = points.iter().all(|&point| board.size().contains(point));
        if !is_on_board
            || points.len() != left as usize
            || board.set_of(points.iter().copied()).count() != left
        {
            return Err(Refusal::HandicapPoints(left));
        }
        let mut trial = Game::<11>::new(board.size(), self.conduct.rules);
        let stones = points.iter().map(|&point| (point, Color::Black));
        trial.set_position(stones, Color::White).map_err(|_| Refusal::HandicapPoints(left))
    }

    pub(super) fn place_handicap(&mut self, points: &[Point]) {
        let stones = points.iter().map(|&point| (point, Color::Black));
        self.game.set_position(stones, Color::White).expect("checked before");
        self.phase = Phase::Playing;
    }
}
