//! Makrai's rules: finite stones, true cycles, continuations, claims.

use super::{ContinuationLimits, EndRule, GameEnd, GameEvent, IllegalEvent, KoChoice, Phase, Protocol};
use crate::{Board, Color, Counting, Game, IllegalMove, Point, bitboard::Bitboard};

/// What the last verification of a chain showed.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    chain: Bitboard<11>,
    verifications: u32,
    /// Whether it was captured.
    captured: bool,
}

/// The stopped game, while play on a copy of it verifies a claim.
#[derive(Clone, Debug)]
pub(super) struct Verification {
    game: Game,
    /// The claim's place among the claims.
    claim: usize,
}

impl Protocol {
    /// Whether the player still has stones.
    pub(super) fn check_supply(&self, by: Color) -> Result<(), IllegalEvent> {
        let EndRule::Continuations(limits) = self.conduct.ending else { return Ok(()) };
        let [own, other] = [by, by.opponent()].map(|color| self.prisoners(color));
        if own.saturating_sub(other) > limits.stone_supply {
            return Err(IllegalMove::OutOfStones(limits.stone_supply).into());
        }
        Ok(())
    }

    /// Looks whether the state was there before, where that ends a game: the state of the game on the board, and what is claimed in kos.
    pub(super) fn note_state(&mut self) {
        if !matches!(self.conduct.ending, EndRule::Continuations(_)) {
            return;
        }
        let claimed = self.kos.claimed();
        let begun = self.game.ply_count() as usize - self.claimed_kos.len();
        let then = |ply: u32| self.claimed_kos.get((ply as usize).checked_sub(begun)?);
        let recurs = self.game.same_states().map_while(then).any(|kos| *kos == claimed);
        self.claimed_kos.push(claimed);
        match self.phase {
            _ if !recurs => {}
            Phase::Verifying => self.judge(),
            _ => self.finish(GameEnd::Repeated),
        }
    }

    /// Begins to play from a stop; history begins anew.
    fn go_on(&mut self, phase: Phase) {
        self.phase = phase;
        self.passes = 0;
        self.kos = super::Kos::default();
        self.claimed_kos.clear();
        self.note_state();
    }

    /// Returns the limits of continuations, or the error that the rule has no such event.
    pub(super) fn limits(&self, event: &GameEvent) -> Result<ContinuationLimits, IllegalEvent> {
        match self.conduct.ending {
            EndRule::Continuations(limits) => Ok(limits),
            _ => Err(self.no_such_event(event)),
        }
    }

    pub(super) fn check_demand(&self, choice: KoChoice, event: &GameEvent) -> Result<(), IllegalEvent> {
        let limits = self.limits(event)?;
        if self.phase != Phase::Stopped {
            return Err(self.wrong_phase(event));
        }
        if self.continuations >= limits.continuations {
            return Err(IllegalEvent::NoContinuationsLeft(limits.continuations));
        }
        if choice == KoChoice::Modified && !limits.challenges {
            return Err(IllegalEvent::NoChallenges);
        }
        Ok(())
    }

    pub(super) fn check_modify_ko(&self, event: &GameEvent) -> Result<(), IllegalEvent> {
        let limits = self.limits(event)?;
        match self.phase {
            Phase::Continued(_) if !limits.challenges => Err(IllegalEvent::NoChallenges),
            // Every ply adds a state to that with which the continuation began.
            Phase::Continued(KoChoice::Basic) if self.claimed_kos.len() == 1 => Ok(()),
            Phase::Continued(_) => Err(IllegalEvent::TooLateToModify),
            _ => Err(self.wrong_phase(event)),
        }
    }

    pub(super) fn continue_with(&mut self, choice: KoChoice) {
        self.continuations += 1;
        self.clear_marks();
        self.claims.clear();
        self.go_on(Phase::Continued(choice));
    }

    pub(super) fn check_claim(&self, point: Point, event: &GameEvent) -> Result<(), IllegalEvent> {
        let limits = self.limits(event)?;
        if self.conduct.rules.counting == Counting::Area {
            return Err(self.no_such_event(event));
        }
        if self.phase != Phase::Stopped {
            return Err(self.wrong_phase(event));
        }
        let chain = self.chain(point).ok_or(IllegalEvent::NoStone)?;
        match self.claims.iter().find(|claim| claim.chain == chain) {
            Some(claim) if claim.verifications >= limits.verifications => {
                Err(IllegalEvent::NoVerificationsLeft(limits.verifications))
            }
            None if self.claims.len() >= limits.claims as usize => {
                Err(IllegalEvent::NoClaimsLeft(limits.claims))
            }
            _ => Ok(()),
        }
    }

    /// Begins to verify a claim. Whichever status was claimed, the chain is captured or it is not.
    pub(super) fn verify(&mut self, point: Point) {
        let Some(chain) = self.chain(point) else { return };
        let claim = self.claims.iter().position(|claim| claim.chain == chain).unwrap_or_else(|| {
            self.claims.push(Claim { chain, verifications: 0, captured: false });
            self.claims.len() - 1
        });
        self.claims[claim].verifications += 1;
        self.claims[claim].captured = false;
        let verification = Verification { game: self.game.clone(), claim };
        self.verification = Some(Box::new(verification));
        self.go_on(Phase::Verifying);
    }

    /// While a claim is verified: looks whether its chain was taken.
    pub(super) fn note_captures(&mut self, removed: Bitboard<11>) {
        if let Some(verification) = &self.verification {
            let claim = &mut self.claims[verification.claim];
            claim.captured |= claim.chain.intersects(removed);
        }
    }

    /// Ends a verification: the stopped position is restored.
    pub(super) fn judge(&mut self) {
        let Some(verification) = self.verification.take() else { return };
        self.game = verification.game;
        self.kos = super::Kos::default();
        self.claimed_kos.clear();
        self.phase = Phase::Stopped;
    }

    /// These dead stones, corrected by what claims have shown.
    pub(super) fn with_claims(&self, dead: Bitboard<11>) -> Bitboard<11> {
        self.claims.iter().fold(dead, |dead, claim| {
            if claim.captured { dead | claim.chain } else { dead.without(claim.chain) }
        })
    }
}

/// The kos of one continuation in which somebody captured.
#[derive(Clone, Debug, Default)]
pub(super) struct Kos(Vec<Ko>);

/// Captures use the *same ko* as long as they use the same two points and no stone beside these changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ko {
    /// In ascending order.
    points: [Point; 2],
    /// Whether Black, White captured.
    pub(super) captured: [bool; 2],
    /// Whether Black and White have prepared a capture by a challenge: the next capture then locks the ko.
    pub(super) prepared: [bool; 2],
    /// Whether Black, White may not retake or challenge.
    pub(super) locked: [bool; 2],
}

impl Ko {
    fn new(point: Point, taken: Point) -> Self {
        let points = if point < taken { [point, taken] } else { [taken, point] };
        Self { points, captured: [false; 2], prepared: [false; 2], locked: [false; 2] }
    }
}

impl Kos {
    /// Returns what is known about the ko of two points.
    pub(super) fn get(&self, point: Point, taken: Point) -> Ko {
        let ko = Ko::new(point, taken);
        self.0.iter().find(|known| known.points == ko.points).copied().unwrap_or(ko)
    }

    /// Returns the ko of two points, which it adds if it is new.
    pub(super) fn entry(&mut self, point: Point, taken: Point) -> &mut Ko {
        let ko = Ko::new(point, taken);
        let place = self.0.iter().position(|known| known.points == ko.points).unwrap_or_else(|| {
            self.0.push(ko);
            self.0.len() - 1
        });
        &mut self.0[place]
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
        // A stone that is put and taken off again changes nothing.
        let changed = removed ^ board.set_of([point]);
        self.0.retain(|ko| {
            let points = board.set_of(ko.points);
            !board.geometry().adjacent(points).without(points).intersects(changed)
        });
        let Some(taken) = taken else { return };
        let ko = self.entry(point, taken);
        ko.captured[color.index()] = true;
        if std::mem::take(&mut ko.prepared[color.index()]) {
            ko.locked[color.opponent().index()] = true;
        }
    }

    /// A regular pass clears all locks.
    pub(super) fn unlock(&mut self) {
        self.0.iter_mut().for_each(|ko| ko.locked = [false; 2]);
    }

    /// The kos in which something is prepared or locked, which decides what is legal later, in ascending order of points.
    fn claimed(&self) -> Vec<Ko> {
        let is_claimed = |ko: &&Ko| ko.prepared != [false; 2] || ko.locked != [false; 2];
        let claimed = self.0.iter().filter(is_claimed).map(|&ko| Ko { captured: [false; 2], ..ko });
        let mut claimed: Vec<Ko> = claimed.collect();
        claimed.sort_unstable_by_key(|ko| ko.points);
        claimed
    }
}

impl<const W: usize> Board<W> {
    /// The stone that a move of the player to move on the empty `point` takes in a *ko capture*: it captures exactly this one stone, joins no
    /// other, and has one liberty, so that by shape it could be retaken. Does not check whether the move is legal.
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
