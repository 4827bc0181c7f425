//! Records to games: the rules that a record names, and every move checked against them.
//!
//! The private property `JF` of the root has the fingerprint of the rules: of a [whole game](super::to_protocol), which has `JC`, the [fingerprint of
//! the conduct](conduct_fingerprint), of any other record that of the [rule set](rules_fingerprint) that `RU` names.

use jigo_engine::{
    AnyGame, Color, Game, IllegalMove, Ko, Move, Point, Rules, Suicide,
    board::NoLiberty,
    for_width,
    protocol::Conduct,
    rules::{Preset, RuleSet},
    score::AreaCount,
    simd::{Job, with_fast_bits},
};

use super::{Event, Record, Setup, SgfFault, SgfGame, whole::CONDUCT};
use crate::{
    fingerprint::{conduct_fingerprint, rules_fingerprint},
    record::SuperkoEvent,
};

/// What a record's game came to when it was played from the first move to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The rules that the moves were checked against.
    pub rules: Rules,
    /// Plies, passes included.
    pub plies: u32,
    /// Passes among the plies.
    pub passes: u32,
    /// Stones removed (Black, White) by capture or suicide. Stones taken off by an edit do not count.
    pub prisoners: [u32; 2],
    /// Changes of the position between the moves. Each one starts the history for ko and superko again.
    pub edits: u32,
    /// Plies after two passes in succession: play was resumed, or passing went on.
    pub plies_after_end: u32,
    /// The area of the last position, with all stones taken to be alive.
    pub area: AreaCount,
    /// Moves that recreated an earlier position since the start or the last edit. `ply` counts all plies before the move.
    pub repetitions: Vec<SuperkoEvent>,
}

/// Why a record cannot be played to its end, and where: in the byte of the game where its first position is at fault.
pub type ReplayFault = SgfFault<ReplayFaultKind>;

/// The reasons for which a record cannot be played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayFaultKind {
    /// A move that the rules forbid.
    #[error("{color} plays on `{}`: {rule}", point.to_sgf())]
    Illegal {
        /// Who plays.
        color: Color,
        /// Where.
        point: Point,
        /// The rule that forbids it.
        rule: IllegalMove,
    },
    /// Stones set up without a liberty.
    #[error("the chain at `{}` is set up without a liberty", .0.to_sgf())]
    NoLiberty(Point),
}

impl ReplayFaultKind {
    /// Returns a short name for tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Illegal { rule: IllegalMove::Occupied, .. } => "occupied point",
            Self::Illegal { rule: IllegalMove::Ko, .. } => "forbidden by simple ko",
            Self::Illegal { rule: IllegalMove::Suicide, .. } => "forbidden suicide",
            Self::Illegal { rule: IllegalMove::Superko { .. }, .. } => "forbidden by superko",
            Self::Illegal { .. } => "illegal move",
            Self::NoLiberty(_) => "setup without liberty",
        }
    }
}

/// Returns the rules that a record names in `RU`, as far as they bear on which moves are legal.
///
/// Known are the names of the [presets](Preset) and jigo's own notation, in any case and with blanks for hyphens, and the names that the file format
/// lists: `AGA`, `GOE`, `Japanese`, `NZ`; also `makrai-area` and `makrai-territory`. Ing's rules (`GOE`) allow suicide; of their ko rules only the
/// simple ko is checked. For everything else, and where nothing is named, the rules are Japanese: simple ko, no suicide.
#[must_use]
pub fn rules_of(game: &SgfGame) -> RuleSet {
    let name = rules_name(game).unwrap_or_default();
    match name.as_str() {
        "nz" => Preset::NewZealand.into(),
        "goe" | "ing" => {
            Rules { ko: Ko::Simple, suicide: Suicide::Allowed, ..Preset::Chinese.rules() }.into()
        }
        name => name.parse().unwrap_or(Preset::Japanese.into()),
    }
}

/// Returns the name in `RU`, in the form of the presets' names.
fn rules_name(game: &SgfGame) -> Option<String> {
    game.rules().map(|name| name.trim().to_ascii_lowercase().replace(' ', "-"))
}

/// Returns the conduct in `JC`.
fn stated_conduct(game: &SgfGame) -> Option<Conduct> {
    game.info.get(CONDUCT)?.parse().ok()
}

/// Plays a record from its first position to its last move.
///
/// The moves are played as written: the colours need not alternate, no stones are added for a handicap, and after two passes play may go on
/// ([`plies_after_end`](Replay::plies_after_end)). An edit between the moves starts the history again. What the record says about its result is not
/// checked.
///
/// A [whole game](super::to_protocol) is played by its main line alone, in which handing over a stone and challenging a ko are passes.
///
/// Cost: one new game, which [`replay_in`] saves, and the moves.
///
/// # Errors
/// The first [`ReplayFault`]. What the record holds from there on means nothing.
///
/// # Examples
/// ```
/// use jigo_selfplay::sgf::{read_collection, replay, rules_of};
/// let file = read_collection(b"(;SZ[5];B[ba];W[aa];B[ab];W[cc];B[aa];W[aa])");
/// let record = file[0].as_ref().unwrap();
/// let fault = replay(record, *rules_of(&record.game)).unwrap_err();
/// assert_eq!(fault.to_string(), "byte 38, move 6: White plays on `aa`: the point is occupied");
/// ```
pub fn replay(record: &Record, rules: Rules) -> Result<Replay, ReplayFault> {
    replay_in(&mut AnyGame::new(record.game.size, rules), record)
}

/// Plays a record in an existing game, in which the last position can be looked at then.
///
/// # Errors
/// As [`replay`]. The game then stands before the faulty move; where a setup is at fault, its board is empty.
///
/// # Panics
/// When the game's board is not of the record's size.
pub fn replay_in(game: &mut AnyGame, record: &Record) -> Result<Replay, ReplayFault> {
    assert_eq!(game.size(), record.game.size, "a record is played on a board of its size");
    for_width!(game.size(), W => with_fast_bits(PlayThrough { game: game.narrow_mut::<W>(), record }))
}

/// Plays a record, compiled for this processor.
struct PlayThrough<'a, const W: usize> {
    game: &'a mut Game<W>,
    record: &'a Record,
}

impl<const W: usize> Job for PlayThrough<'_, W> {
    type Output = Result<Replay, ReplayFault>;

    const HAS_LONG_BITBOARDS: bool = W >= 3;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { game, record } = self;
        game.clear();
        let replay = Replay {
            rules: game.rules(),
            plies: 0,
            passes: 0,
            prisoners: [0; 2],
            edits: 0,
            plies_after_end: 0,
            area: AreaCount { stones: [0; 2], surrounded: [0; 2], neutral: 0 },
            repetitions: Vec::new(),
        };
        let mut replayer = Replayer { game, passes_in_succession: 0, replay };
        if !record.game.setup.is_empty() {
            let fault = |kind| ReplayFault { byte: record.byte, move_number: None, kind };
            replayer.set_up(&record.game.setup).map_err(fault)?;
        }
        for (event, byte, move_number) in record.events() {
            let step = match event {
                Event::Play { color, mv } => replayer.play(*color, *mv),
                Event::Setup(setup) => {
                    replayer.replay.edits += 1;
                    replayer.set_up(setup)
                }
            };
            let move_number = Some(move_number).filter(|&number| number > 0);
            step.map_err(|kind| ReplayFault { byte, move_number, kind })?;
        }
        replayer.collect_prisoners();
        Ok(Replay { area: replayer.game.board().area(), ..replayer.replay })
    }
}

/// A record half played.
struct Replayer<'a, const W: usize> {
    game: &'a mut Game<W>,
    passes_in_succession: u32,
    replay: Replay,
}

impl<const W: usize> Replayer<'_, W> {
    #[inline(always)]
    fn play(&mut self, color: Color, mv: Move) -> Result<(), ReplayFaultKind> {
        self.game.set_to_play(color);
        let is_after_end = self.passes_in_succession >= 2;
        match mv {
            Move::Pass => {
                self.game.pass();
                self.replay.passes += 1;
                self.passes_in_succession += 1;
            }
            Move::Play(point) => {
                let illegal = |rule| ReplayFaultKind::Illegal { color, point, rule };
                self.game.check_point(point).map_err(illegal)?;
                let repetition = self.game.play_unchecked(point).repetition;
                let ply = self.replay.plies;
                self.replay.repetitions.extend(repetition.map(|repetition| SuperkoEvent { ply, repetition }));
                self.passes_in_succession = 0;
            }
        }
        self.replay.plies += 1;
        self.replay.plies_after_end += u32::from(is_after_end);
        Ok(())
    }

    fn set_up(&mut self, setup: &Setup) -> Result<(), ReplayFaultKind> {
        let to_play = setup.to_play.unwrap_or(self.game.to_play());
        if setup.points().next().is_none() {
            self.game.set_to_play(to_play);
            return Ok(());
        }
        let stones = setup.stones_on(self.game.board());
        self.collect_prisoners();
        self.passes_in_succession = 0;
        self.game
            .set_position(stones, to_play)
            .map_err(|NoLiberty { point }| ReplayFaultKind::NoLiberty(point))
    }

    /// Keeps the game's count of prisoners, which starts again at an edit.
    fn collect_prisoners(&mut self) {
        for color in Color::BOTH {
            self.replay.prisoners[color.index()] += self.game.prisoners(color);
        }
    }
}

/// The property of the fingerprint.
pub(super) const FINGERPRINT: &str = "JF";

/// A record whose rules are not those that this version reads from it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the rules' meaning changed: `JF[{stated}]` is not the fingerprint of `{rules}`, which is how this version reads the record's rules. \
     Use the version of jigo that wrote it (`AP`), or remove `JF` if the rules were edited on purpose"
)]
pub struct ChangedRules {
    /// What the record states.
    pub stated: String,
    /// The rules in full, as this version reads them.
    pub rules: String,
}

impl SgfGame {
    /// States a rule set: its name for people in `RU`, and its fingerprint.
    pub fn set_rule_set(&mut self, rules: RuleSet) {
        self.set_rules(&rules.to_string());
        self.info.put(FINGERPRINT, vec![rules_fingerprint(*rules)]);
    }

    /// Returns the fingerprint of the rules (`JF`), if it is stated.
    #[must_use]
    pub fn rules_fingerprint(&self) -> Option<&str> {
        self.info.get(FINGERPRINT)
    }

    /// Compares the fingerprint, if it is stated, with the rules that this version reads from `JC` or else from `RU`.
    ///
    /// # Errors
    /// Another fingerprint.
    pub fn check_rules_fingerprint(&self) -> Result<(), ChangedRules> {
        let Some(stated) = self.rules_fingerprint() else { return Ok(()) };
        let (rules, expected) = match stated_conduct(self) {
            Some(conduct) => (conduct.canonical_rules(), conduct_fingerprint(&conduct)),
            None => {
                let rules = rules_of(self);
                (rules.canonical(), rules_fingerprint(*rules))
            }
        };
        if stated.trim().eq_ignore_ascii_case(&expected) {
            return Ok(());
        }
        Err(ChangedRules { stated: stated.to_owned(), rules })
    }
}

#[cfg(test)]
mod tests {
    use jigo_engine::{BoardSize, rules::Preset};

    use super::*;

    #[test]
    fn a_fingerprint_holds_for_the_rules_that_it_was_made_of() {
        let mut game = SgfGame::new(BoardSize::square(9).unwrap());
        assert_eq!((game.rules_fingerprint(), game.check_rules_fingerprint()), (None, Ok(())));
        for rules in Rules::lattice().map(RuleSet::from).chain(RuleSet::all()) {
            game.set_rule_set(rules);
            assert_eq!(game.rules_fingerprint(), Some(rules_fingerprint(*rules).as_str()));
            assert_eq!(game.check_rules_fingerprint(), Ok(()));
        }
    }

    #[test]
    fn rules_of_another_meaning_are_told() {
        let mut game = SgfGame::new(BoardSize::square(9).unwrap());
        game.set_rule_set(Preset::Chinese.into());
        // As if `chinese` had been another rule set for the program that wrote the record.
        game.info.put(FINGERPRINT, vec![rules_fingerprint(Rules::TROMP_TAYLOR)]);
        let error = game.check_rules_fingerprint().unwrap_err();
        assert_eq!(error.rules, Preset::Chinese.rules().canonical());
        assert!(error.to_string().starts_with("the rules' meaning changed: `JF["), "{error}");
        game.set_rules("japanese");
        assert_eq!((game.rules_fingerprint(), game.check_rules_fingerprint()), (None, Ok(())));
    }
}
