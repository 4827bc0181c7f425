//! The games of one file.

use std::any::Any;

use jigo_engine::{BoardSize, Game, Rules, for_width};
use jigo_selfplay::{
    dataset::ImportedGame,
    sgf::{self, GameResult, Limits, Record, ReplayFault, WinBy},
};

use super::{AnalyzeOptions, Fault, GroupKey, RecordStudy, StatusMethod};
use crate::study::FinalStatusSolver;

/// Reads files and counts their games, keeping the memory of one game for the next.
pub(super) struct FileReader {
    limits: Limits,
    rules: Option<Rules>,
    status: StatusMethod,
    study: RecordStudy,
    /// A `Game` of the board and rules played last.
    game: KeptGame,
    /// Judges for all rules met.
    judges: Vec<FinalStatusSolver>,
}

/// A `Game` of some width, kept for the next record, or nothing.
pub(super) type KeptGame = Option<Box<dyn Any + Send>>;

/// How many games a file had, and what is wrong with it.
#[derive(Debug, Default)]
pub(super) struct FileResult {
    pub(super) games: u64,
    pub(super) faults: Vec<Fault>,
}

impl FileReader {
    /// A reader with the options for records.
    pub(super) fn new(options: &AnalyzeOptions) -> Self {
        let AnalyzeOptions { record_limits: limits, rules, status, .. } = *options;
        Self { limits, rules, status, study: RecordStudy::default(), game: None, judges: Vec::new() }
    }

    /// All that was counted since the last time.
    pub(super) fn take(&mut self) -> RecordStudy {
        std::mem::take(&mut self.study)
    }

    /// Counts the games of a file.
    pub(super) fn read(&mut self, name: &str, bytes: &[u8]) -> FileResult {
        let mut result = FileResult::default();
        self.study.files += 1;
        self.study.bytes += bytes.len() as u64;
        for (place, record) in (0..).zip(sgf::read_games(bytes, self.limits)) {
            let counted = match &record {
                Err(error) => Err(Fault::of_record(name, error)),
                Ok(record) => self.check_and_add(name, place, record),
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

    /// Counts an imported game; returns what is wrong with it, if anything is.
    pub(super) fn read_imported(&mut self, game: &ImportedGame) -> Option<Fault> {
        let counted = self.check_and_add(&game.source.file, game.source.place, &game.record);
        counted.err().inspect(|fault| self.study.faults.add(fault.clone()))
    }

    /// Counts a file that could not be read.
    pub(super) fn add_fault(&mut self, fault: Fault) {
        self.study.faults.add(fault);
    }

    /// Counts a game unless its rules, where the record is to name them, meant something else when it was written.
    fn check_and_add(&mut self, name: &str, place: u64, record: &Record) -> Result<(), Fault> {
        if self.rules.is_none() {
            let checked = record.game.check_rules_fingerprint();
            checked.map_err(|error| Fault::of_rules(name, record.byte, &error))?;
        }
        let added = for_width!(record.game.size, W => self.add::<W>(name, place, record));
        added.map_err(|fault| Fault::of_replay(name, &fault))
    }

    fn add<const W: usize>(&mut self, name: &str, place: u64, record: &Record) -> Result<(), ReplayFault> {
        let size = record.game.size;
        let rules = self.rules.unwrap_or_else(|| sgf::rules_of(&record.game));
        let mut game = kept_or_new::<W>(&mut self.game, size, rules);
        let replay = sgf::replay_in(&mut game, record);
        if let Ok(replay) = &replay {
            let group = self.study.group(GroupKey::of(&record.game));
            let (judge, position) = (judge(&mut self.judges, rules), game.board().position());
            let is_searched = self.status == StatusMethod::Search && is_counted(record);
            let status = if is_searched { judge.judge(&position) } else { judge.judge_by_benson(&position) };
            group.add(record, replay, game.board(), &status, (name, place));
            group.searched += u64::from(is_searched);
        }
        self.game = Some(game);
        replay.map(|_| ())
    }
}

/// The game that was kept, if it fits, or a new one.
pub(super) fn kept_or_new<const W: usize>(
    kept: &mut KeptGame,
    size: BoardSize,
    rules: Rules,
) -> Box<Game<W>> {
    let kept = kept.take().and_then(|game| game.downcast::<Game<W>>().ok());
    let fits = |game: &Game<W>| game.board().size() == size && game.rules() == rules;
    kept.filter(|game| fits(game)).unwrap_or_else(|| Box::new(Game::new(size, rules)))
}

/// Whether the last position is one that players counted: others stand in the midst of a game.
fn is_counted(record: &Record) -> bool {
    let result = record.game.result();
    matches!(result, Some(GameResult::Draw | GameResult::Win { by: WinBy::HalfPoints(_), .. }))
}

/// The judge for these rules.
fn judge(judges: &mut Vec<FinalStatusSolver>, rules: Rules) -> &mut FinalStatusSolver {
    let found = judges.iter().position(|judge| judge.is_for(rules));
    let place = found.unwrap_or_else(|| {
        judges.push(FinalStatusSolver::new(rules));
        judges.len() - 1
    });
    &mut judges[place]
}
