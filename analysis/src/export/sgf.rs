//! Games as collections of records.

use jigo_engine::{Color, Komi};
use jigo_selfplay::{
    GameRecord, Run, RunConfig,
    sgf::{self, GameResult, SgfGame, WinBy},
};

use super::{
    ExportError, ExportedFile,
    folder::{Folder, NewFile},
    work::{Exporter, Job, PieceMaker},
};

/// Files of records, so many in each.
pub(super) struct RecordFiles<'a> {
    folder: &'a Folder,
    games_per_file: Option<u64>,
    file: Option<NewFile>,
    games_in_file: u64,
    files: Vec<ExportedFile>,
}

impl<'a> RecordFiles<'a> {
    pub(super) fn new(folder: &'a Folder, games_per_file: Option<u64>) -> Self {
        Self { folder, games_per_file, file: None, games_in_file: 0, files: Vec::new() }
    }

    /// Returns whether the next record begins a file; ends one that is full.
    pub(super) fn is_at_start(&mut self) -> Result<bool, ExportError> {
        if self.games_per_file.is_some_and(|games| self.games_in_file >= games) {
            self.finish_file()?;
        }
        Ok(self.file.is_none())
    }

    /// Writes the next record.
    pub(super) fn write(&mut self, text: &str) -> Result<(), ExportError> {
        let file = match self.file.take() {
            Some(file) => file,
            None => self.next_file()?,
        };
        self.games_in_file += 1;
        self.file.insert(file).write(text.as_bytes())
    }

    /// Ends the last file, and tells of all.
    pub(super) fn finish(mut self) -> Result<Vec<ExportedFile>, ExportError> {
        self.finish_file()?;
        Ok(self.files)
    }

    /// Ends the file in work, if there is one.
    fn finish_file(&mut self) -> Result<(), ExportError> {
        if let Some(file) = self.file.take() {
            self.files.push(file.finish(self.games_in_file)?);
        }
        self.games_in_file = 0;
        Ok(())
    }

    fn next_file(&mut self) -> Result<NewFile, ExportError> {
        match self.games_per_file {
            None => self.folder.create("games.sgf"),
            Some(_) => self.folder.create(&format!("games-{:06}.sgf", self.files.len())),
        }
    }
}

/// Writes the records of playouts.
pub(super) struct Records<'a> {
    job: Job<'a>,
    files: RecordFiles<'a>,
}

impl<'a> Records<'a> {
    pub(super) fn new(job: &Job<'a>, games_per_file: Option<u64>) -> Self {
        Self { job: *job, files: RecordFiles::new(job.folder, games_per_file) }
    }
}

/// A record and its text.
pub(super) struct Written {
    game: SgfGame,
    text: String,
}

impl<'a> Exporter<'a> for Records<'a> {
    type Piece = Written;

    fn batch_games(&self) -> usize {
        1024
    }

    fn piece_maker(&self) -> PieceMaker<'a, Written> {
        let Job { dataset, spec, .. } = self.job;
        Box::new(move |game| {
            let game = record(game, &dataset.spec().run, &dataset.manifest().run_fingerprint, spec.komi);
            Ok(Written { text: sgf::write(&game), game })
        })
    }

    fn write(&mut self, mut piece: Written) -> Result<(), ExportError> {
        if self.files.is_at_start()? {
            state(&mut piece.game, "C", self.job.about);
            piece.text = sgf::write(&piece.game);
        }
        self.files.write(&piece.text)
    }

    fn finish(self) -> Result<Vec<ExportedFile>, ExportError> {
        self.files.finish()
    }
}

/// Returns a game as a record that says what it was, so that it can be found and played again.
fn record(game: &GameRecord, run: &Run, run_name: &str, komi: Komi) -> SgfGame {
    let Run { config: RunConfig { size, rules, policy, ply_cap, .. }, seed } = *run;
    let mut record = SgfGame::new(size);
    record.set_rule_set(rules);
    record.set_komi(komi);
    record.set_result(&result(game, komi.apply(game.margin_by(rules.counting))));
    for color in Color::BOTH {
        record.set_player(color, &format!("policy:{policy}"));
    }
    let index = game.game_index;
    state(&mut record, "GN", &format!("game {index}"));
    let cut_off = if game.is_capped() { "; cut off by the ply cap" } else { "" };
    let comment = format!(
        "jigo: game {index} of run {run_name}: size {size}, rules {}, policy {policy}, seed {seed}, ply cap {ply_cap}{cut_off}",
        rules.canonical()
    );
    state(&mut record, "GC", &comment);
    let mut color = Color::Black;
    for &mv in &game.moves {
        record.play(color, mv);
        color = color.opponent();
    }
    record
}

/// Returns what `RE` says: a game that was stopped at the move limit has no result.
fn result(game: &GameRecord, half_points: i32) -> GameResult {
    let by = WinBy::HalfPoints(half_points.unsigned_abs());
    match half_points {
        _ if game.is_capped() => GameResult::Void,
        1.. => GameResult::Win { winner: Color::Black, by },
        0 => GameResult::Draw,
        _ => GameResult::Win { winner: Color::White, by },
    }
}

fn state(record: &mut SgfGame, name: &str, text: &str) {
    record.info.set(name, text).expect("the name of a text property");
}
