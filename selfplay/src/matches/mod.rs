//! Matches between two players, refereed by jigo's rules.
//!
//! A player is a program that speaks GTP or a built-in policy. The referee checks every move; whoever plays an illegal one, ends, hangs or
//! talks nonsense loses the game, and the match goes on. A match lives in a directory, game by game, and continues there when it is interrupted.
//! Files and results are described in `docs/match.md`.

mod certified;
mod error;
mod folder;
mod games_file;
mod manifest;
mod opening;
mod opening_file;
mod player;
mod record;
mod referee;
mod result;
mod score;
mod seat;
mod spec;

use std::path::Path;

pub use error::MatchError;
use folder::Folder;
pub use manifest::FORMAT_VERSION;
pub use opening::Openings;
pub use player::{Contestant, PlayerSpec};
use referee::Referee;
pub use result::{DeadStones, Ending, MatchResult};
pub use spec::{Adjudication, MatchSpec, UnknownAdjudication};

use crate::Progress;

/// Plays the games of a match that are missing in `dir`, and returns the results of all games finished: fewer than wanted when `progress` was
/// stopped. A game that is under way then is given up and played again later. Whatever is finished is written to `games.parquet` in the end.
///
/// # Errors
/// [`MatchError`]: when the arguments do not go together, the directory holds something else, a file cannot be written, or a program cannot be started.
pub fn play_match(dir: &Path, spec: &MatchSpec, progress: &Progress) -> Result<Vec<MatchResult>, MatchError> {
    spec.check()?;
    let mut folder = Folder::open(dir, spec)?;
    progress.skip(folder.game_count());
    let mut referee = Referee::new(spec, progress);
    while folder.game_count() < spec.games && !progress.is_stopped() {
        let game_index = folder.game_count();
        let played = match spec.adjudication {
            Adjudication::Certified { limits } => Some(certified::play(spec, limits, game_index)),
            Adjudication::AsItStands | Adjudication::Engines => referee.play(game_index)?,
        };
        let Some((result, game)) = played else { break };
        let plies = u64::from(result.plies);
        let text = record::text(spec, &result, game);
        folder.append(result, &text)?;
        progress.add(1, plies);
    }
    games_file::write(dir, spec, &folder)?;
    Ok(folder.into_results())
}
