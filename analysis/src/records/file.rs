//! The games of one file.

use std::any::Any;

use jigo_engine::{Game, Rules, for_width};
use jigo_selfplay::sgf::{self, Limits, Record, ReplayFault};

use super::{Fault, GroupKey, RecordStudy};

/// Reads files and counts their games, keeping the memory of one game for the next.
pub(super) struct FileReader {
    limits: Limits,
    rules: Option<Rules>,
    study: RecordStudy,
    /// A `Game` of the board and rules played last.
    game: Option<Box<dyn Any + Send>>,
}

/// How many games a file had, and what is wrong with it.
#[derive(Debug, Default)]
pub(super) struct FileResult {
    pub(super) games: u64,
    pub(super) faults: Vec<Fault>,
}

impl FileReader {
    /// A reader that checks moves by these rules, or by those that each record names.
    pub(super) fn new(limits: Limits, rules: Option<Rules>) -> Self {
        Self { limits, rules, study: RecordStudy::default(), game: None }
    }

    /// All that was counted.
    pub(super) fn finish(self) -> RecordStudy {
        self.study
    }

    /// Counts the games of a file.
    pub(super) fn read(&mut self, name: &str, bytes: &[u8]) -> FileResult {
        let mut result = FileResult::default();
        self.study.files += 1;
        self.study.bytes += bytes.len() as u64;
        for record in sgf::read_games(bytes, self.limits) {
            let counted = match &record {
                Err(error) => Err(Fault::of_record(name, error)),
                Ok(record) => self.check_and_add(name, record),
            };
            match counted {
                Ok(()) => result.games += 1,
                Err(fault) => {
                    self.study.faults.add(fault.clone());
                    result.faults.push(fault);
                }
            }
        }
        result
    }

    /// Counts a file that could not be read.
    pub(super) fn add_fault(&mut self, fault: Fault) {
        self.study.faults.add(fault);
    }

    /// Counts a game unless its rules, where the record is to name them, meant something else when it was written.
    fn check_and_add(&mut self, name: &str, record: &Record) -> Result<(), Fault> {
        if self.rules.is_none() {
            let checked = record.game.check_rules_fingerprint();
            checked.map_err(|error| Fault::of_rules(name, record.byte, &error))?;
        }
        self.add(record).map_err(|fault| Fault::of_replay(name, &fault))
    }

    fn add(&mut self, record: &Record) -> Result<(), ReplayFault> {
        for_width!(record.game.size, W => self.add_width::<W>(record))
    }

    fn add_width<const W: usize>(&mut self, record: &Record) -> Result<(), ReplayFault> {
        let size = record.game.size;
        let rules = self.rules.unwrap_or_else(|| sgf::rules_of(&record.game));
        let kept = self.game.take().and_then(|game| game.downcast::<Game<W>>().ok());
        let fits = |game: &Game<W>| game.board().size() == size && game.rules() == rules;
        let mut game = kept.filter(|game| fits(game)).unwrap_or_else(|| Box::new(Game::new(size, rules)));
        let replay = sgf::replay_in(&mut game, record);
        if let Ok(replay) = &replay {
            let group = self.study.groups.entry(GroupKey::of(&record.game)).or_default();
            group.add(record, replay, game.board());
        }
        self.game = Some(game);
        replay.map(|_| ())
    }
}
