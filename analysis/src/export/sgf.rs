//! Games as collections of records.

use jigo_engine::{Color, Komi};
use jigo_selfplay::{
    End, GameRecord, Run, RunConfig,
    sgf::{self, GameResult, SgfGame},
};

use super::{
    ExportError, ExportedFile,
    folder::{Folder, NewFile},
    work::Output,
};

/// A record and its text.
pub(super) struct Written {
    game: SgfGame,
    text: String,
}

impl Written {
    pub(super) fn new(game: SgfGame) -> Self {
        Self { text: sgf::write(&game), game }
    }
}

/// Files of records, so many in each.
pub(super) struct RecordFiles<'a> {
    folder: &'a Folder,
    games_per_file: Option<u64>,
    /// What the first record of a file says of the export.
    about: Option<&'a str>,
    file: Option<NewFile>,
    files: Vec<ExportedFile>,
}

impl<'a> RecordFiles<'a> {
    pub(super) fn new(folder: &'a Folder, games_per_file: Option<u64>, about: Option<&'a str>) -> Self {
        Self { folder, games_per_file, about, file: None, files: Vec::new() }
    }
}

impl Output<Written> for RecordFiles<'_> {
    fn write(&mut self, mut piece: Written) -> Result<(), ExportError> {
        let is_full = |file: &mut NewFile| self.games_per_file.is_some_and(|games| file.rows >= games);
        if let Some(full) = self.file.take_if(is_full) {
            self.files.push(full.finish()?);
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                if let Some(about) = self.about {
                    state(&mut piece.game, "C", about);
                    piece.text = sgf::write(&piece.game);
                }
                let name = match self.games_per_file {
                    None => "games.sgf".to_owned(),
                    Some(_) => format!("games-{:06}.sgf", self.files.len()),
                };
                none.insert(self.folder.create(&name)?)
            }
        };
        file.write(piece.text.as_bytes(), 1)
    }

    fn finish(mut self) -> Result<Vec<ExportedFile>, ExportError> {
        if let Some(last) = self.file {
            self.files.push(last.finish()?);
        }
        Ok(self.files)
    }
}

/// Returns a game as a record that says what it was, so that it can be found and played again.
pub(super) fn record(game: &GameRecord, run: &Run, run_name: &str, komi: Komi) -> SgfGame {
    let Run { config: RunConfig { size, rules, policy, ply_cap, .. }, seed } = *run;
    let mut record = SgfGame::new(size);
    record.set_rule_set(rules);
    record.set_komi(komi);
    // A game that was stopped at the move limit has no result.
    record.set_result(&run.config.result(game, komi).map_or(GameResult::Void, GameResult::from_half_points));
    for color in Color::BOTH {
        record.set_player(color, &format!("policy:{policy}"));
    }
    let index = game.game_index;
    state(&mut record, "GN", &format!("game {index}"));
    let cut_off = match game.end {
        End::PlyCap => "; stopped at the move limit",
        End::Cycle => "; a draw by a cycle",
        End::TwoPasses | End::BrokenOff => "",
    };
    let comment = format!(
        "jigo: game {index} of run {run_name}: size {size}, rules {}, policy {policy}, seed {seed}, ply cap {ply_cap}{cut_off}",
        rules.canonical()
    );
    state(&mut record, "GC", &comment);
    record.play_from_start(&run.config.start(), &game.moves);
    record
}

fn state(record: &mut SgfGame, name: &str, text: &str) {
    record.info.set(name, text).expect("the name of a text property");
}
