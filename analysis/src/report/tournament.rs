//! Standings of several players who met in matches, and the folder that holds them.

use std::{fmt::Write as _, io, path::Path};

use jigo_selfplay::{
    dataset::{Problem, ProblemKind},
    files::{AtomicFile, file_names, read_file},
    matches::{Contestant, MatchError, PAGE, RESULTS, verify_match},
    sealed::is_sealed,
};
use serde_json::{Value, json};

use super::{
    format::{DASH, fixed, group, or_dash, quantity},
    matches::{PlayedMatch, elo_json},
};
use crate::stats::{Encounter, Ratings};

/// Matches between several players, one for each two that meet.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The names of the players.
    pub players: Vec<String>,
    /// The matches, with the numbers of their players.
    pub matches: Vec<([usize; 2], PlayedMatch)>,
}

impl Tournament {
    pub(super) fn ratings(&self) -> Ratings {
        let encounters = self
            .matches
            .iter()
            .map(|(players, played)| Encounter { players: *players, pairs: *played.score().pairs() });
        Ratings::new(self.players.len(), &encounters.collect::<Vec<_>>())
    }

    /// Returns the points of a player and the games that they come from, against one opponent or all.
    fn points(&self, player: usize, opponent: Option<usize>) -> (f64, u64) {
        let mut sum = (0.0, 0);
        for (players, played) in &self.matches {
            let Some(place) = players.iter().position(|&one| one == player) else { continue };
            if opponent.is_none_or(|opponent| players[1 - place] == opponent) {
                let score = played.score();
                sum.0 += score.points(Contestant::ALL[place]);
                sum.1 += score.game_count();
            }
        }
        sum
    }

    /// Returns the headings of the cross table, and a row for each player from the strongest on. The first two columns are the rank and the player.
    pub(super) fn cross_table(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let ratings = self.ratings();
        let ranking = ratings.ranking();
        let names = ["rank", "player", "points", "games", "Elo", "95 % interval", "above the next, %"];
        let headings = names.map(str::to_owned).into_iter();
        let headings = headings.chain((1..=ranking.len()).map(|rank| format!("against {rank}"))).collect();
        let rows = ranking.iter().enumerate().map(|(place, &player)| {
            let (points, games) = self.points(player, None);
            let [elo, interval] = ratings.elo(player).texts();
            let next =
                ranking.get(place + 1).map(|&next| fixed(100.0 * ratings.superiority(player, next), 2));
            let cells = [
                (place + 1).to_string(),
                self.players[player].clone(),
                points_text(points),
                group(games),
                elo,
                interval,
                or_dash(next),
            ];
            let against = ranking.iter().map(|&opponent| match self.points(player, Some(opponent)) {
                (_, 0) => DASH.to_owned(),
                (points, games) => format!("{}/{}", points_text(points), group(games)),
            });
            cells.into_iter().chain(against).collect()
        });
        (headings, rows.collect())
    }

    /// Returns the cross table for a terminal.
    #[must_use]
    pub fn table(&self) -> String {
        let (headings, rows) = self.cross_table();
        let all = || std::iter::once(&headings).chain(&rows);
        let width = |column: usize| all().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..headings.len()).map(width).collect();
        let mut text = String::new();
        for row in all() {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
                1 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
        }
        let [draws, stopped] = [0, 1]
            .map(|index| self.matches.iter().map(|(_, played)| played.others()[index]).sum::<usize>())
            .map(group);
        let _ = writeln!(text, "\njigo: {draws}; stopped at the move limit and not counted above: {stopped}");
        for (_, played) in &self.matches {
            for tally in played.tallies().iter().filter(|tally| !tally.losses.is_empty()) {
                let [player, opponent] =
                    [tally.contestant, tally.contestant.opponent()].map(|of| played.player(of));
                let _ = writeln!(text, "{player} lost to {opponent} by: {}", tally.losses_text());
            }
        }
        text
    }

    /// Returns the standings as JSON. The games are in the folders of the matches.
    #[must_use]
    pub fn json(&self) -> Value {
        let ratings = self.ratings();
        let ranking = ratings.ranking();
        let standings = ranking.iter().enumerate().map(|(place, &player)| {
            let (points, games) = self.points(player, None);
            json!({
                "player": self.players[player],
                "number": player + 1,
                "points": points,
                "games": games,
                "elo": elo_json(ratings.elo(player), RATINGS_METHOD),
                "superiority_over_next": ranking.get(place + 1).map(|&next| ratings.superiority(player, next)),
            })
        });
        let matches = self.matches.iter().map(|([one, other], played)| {
            let mut value = played.json();
            value["folder"] = json!(match_folder([*one, *other]));
            value.as_object_mut().expect("an object").remove("results");
            value
        });
        json!({ "standings": standings.collect::<Vec<_>>(), "matches": matches.collect::<Vec<_>>() })
    }

    /// Returns the games that are finished and wanted.
    #[must_use]
    pub fn game_counts(&self) -> [u64; 2] {
        let finished = self.matches.iter().map(|(_, played)| played.results.len() as u64);
        [finished.sum(), self.matches.iter().map(|(_, played)| played.spec.games).sum()]
    }

    /// Returns rules and games in one line.
    pub(super) fn heading(&self) -> String {
        let [finished, games] = self.game_counts();
        let spec = self.matches.first().map(|(_, played)| &played.spec);
        let conditions = spec.map(|spec| format!("{} {}, komi {}", spec.size, spec.rules, spec.komi));
        let of = if finished < games { format!("{} of ", group(finished)) } else { String::new() };
        format!(
            "{}: {} matches of {}, {of}{}",
            conditions.unwrap_or_default(),
            group(self.matches.len()),
            quantity(self.players.len(), "player"),
            quantity(games, "game")
        )
    }
}

/// What the intervals of ratings are called.
pub(super) const RATINGS_METHOD: &str =
    "maximum likelihood relative to the mean, with the variance of the pairs";

/// Returns the name of the folder in which two players of a tournament meet, by their numbers from 0.
#[must_use]
pub fn match_folder([one, other]: [usize; 2]) -> String {
    format!("{}-{}", one + 1, other + 1)
}

/// The file of the standings as JSON, beside the folders of the matches.
pub const STANDINGS: &str = "tournament.json";
/// The most bytes of the standings, and of the results of a match: millions of games.
const MAX_RESULTS_BYTES: u64 = 1 << 30;

/// Returns whether a name in the folder of a tournament is that of the folder of a match.
fn is_match_folder(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    name.split_once('-').is_some_and(|(one, other)| is_number(one) && is_number(other))
}

/// Returns whether a folder holds a tournament, finished or not.
#[must_use]
pub fn is_tournament(dir: &Path) -> bool {
    let names = file_names(dir).unwrap_or_default();
    names.iter().any(|name| name == STANDINGS || is_match_folder(name) && dir.join(name).is_dir())
}

/// Returns the name of something in a folder that is not of a tournament; `None` also where there is no folder.
///
/// # Errors
/// [`MatchError::Io`].
pub fn foreign_to_tournament(dir: &Path) -> Result<Option<String>, MatchError> {
    let is_own = |name: &String| match name.as_str() {
        STANDINGS => true,
        // Studies and matches have a page of this name too.
        PAGE => is_tournament(dir),
        name => is_match_folder(name) || AtomicFile::is_temporary(name),
    };
    Ok(names(dir)?.into_iter().find(|name| !is_own(name)))
}

/// What the check of a tournament found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TournamentCheck {
    /// The matches.
    pub matches: u64,
    /// Their finished games.
    pub games: u64,
    /// What is wrong. Paths begin with the folder of the match.
    pub problems: Vec<Problem>,
}

/// Checks a tournament without changing it: every match as [`verify_match`] does, and that the standings are those of these matches.
///
/// # Errors
/// As [`verify_match`]. Damage is no error but a problem.
pub fn verify_tournament(dir: &Path) -> Result<TournamentCheck, MatchError> {
    let mut check = TournamentCheck::default();
    let mut folders = Vec::new();
    for name in names(dir)? {
        if is_match_folder(&name) {
            let (games, problems) = verify_match(&dir.join(&name))?;
            (check.matches, check.games) = (check.matches + 1, check.games + games);
            let inside = |problem: Problem| Problem { file: format!("{name}/{}", problem.file), ..problem };
            check.problems.extend(problems.into_iter().map(inside));
            folders.push(name);
        } else if name != STANDINGS && name != PAGE && !AtomicFile::is_temporary(&name) {
            check.add(&name, ProblemKind::Unexpected);
        }
    }
    check.compare_standings(dir, &folders)?;
    Ok(check)
}

impl TournamentCheck {
    fn add(&mut self, file: &str, kind: ProblemKind) {
        self.problems.push(Problem { file: file.to_owned(), game_index: None, kind });
    }

    /// Compares the standings with the results of the matches.
    fn compare_standings(&mut self, dir: &Path, folders: &[String]) -> Result<(), MatchError> {
        let Some(standings) = read_json(&dir.join(STANDINGS))? else {
            self.add(STANDINGS, ProblemKind::Missing);
            return Ok(());
        };
        let Some(listed) = standings["matches"].as_array() else {
            let reason = "it does not have the digest that it states".to_owned();
            self.add(STANDINGS, ProblemKind::Damaged(reason));
            return Ok(());
        };
        let folder = |value: &Value| value["folder"].as_str().unwrap_or_default().to_owned();
        for name in folders.iter().filter(|name| listed.iter().all(|value| folder(value) != **name)) {
            self.add(STANDINGS, stale(&format!("the match {name} is not in the standings")));
        }
        for value in listed {
            let name = folder(value);
            if !folders.contains(&name) {
                self.add(&name, ProblemKind::Missing);
                continue;
            }
            let mut expected = value.clone();
            expected.as_object_mut().map(|value| value.remove("folder"));
            let mut results = read_json(&dir.join(&name).join(RESULTS))?.unwrap_or_default();
            results.as_object_mut().map(|value| ["results", "blake3"].map(|field| value.remove(field)));
            if results != expected {
                self.add(STANDINGS, stale(&format!("the standings are not those of the match {name}")));
            }
        }
        Ok(())
    }
}

/// Returns the problem of standings that other games have.
fn stale(reason: &str) -> ProblemKind {
    ProblemKind::Manifest(format!("{reason}; run the same command again"))
}

fn names(dir: &Path) -> Result<Vec<String>, MatchError> {
    file_names(dir).map_err(|source| MatchError::Io { action: "list", path: dir.to_owned(), source })
}

/// Reads JSON with its own digest: `None` where there is no file, null where the digest is another.
fn read_json(path: &Path) -> Result<Option<Value>, MatchError> {
    match read_file(path, MAX_RESULTS_BYTES) {
        Ok(bytes) if is_sealed(&bytes) => Ok(Some(serde_json::from_slice(&bytes).unwrap_or_default())),
        Ok(_) => Ok(Some(Value::Null)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(MatchError::Io { action: "read", path: path.to_owned(), source }),
    }
}

/// Writes points, of which the last may be a half.
fn points_text(points: f64) -> String {
    fixed(points, usize::from(points.fract() > 0.0))
}

#[cfg(test)]
mod tests {
    use jigo_selfplay::matches::MatchEnding;

    use super::*;
    use crate::report::matches::tests::{FIRST, SECOND, played};

    #[test]
    fn cross_tables_add_up() {
        let game = |winner| (MatchEnding::Resignation, winner);
        let meet = |pairs: [Option<Contestant>; 2]| {
            played(&pairs.repeat(4).into_iter().map(game).collect::<Vec<_>>())
        };
        let tournament = Tournament {
            players: ["a", "b", "c"].map(str::to_owned).to_vec(),
            matches: vec![
                ([0, 1], meet([SECOND, SECOND])),
                ([0, 2], meet([FIRST, FIRST])),
                ([1, 2], meet([FIRST, None])),
            ],
        };
        let (headings, rows) = tournament.cross_table();
        assert!(rows.iter().all(|row| row.len() == headings.len()));
        let cells = |column: usize| rows.iter().map(|row| row[column].as_str()).collect::<Vec<_>>();
        assert_eq!(cells(1), ["b", "a", "c"]);
        assert_eq!(cells(2), ["14", "8", "2"]);
        assert_eq!(rows[2][7..], ["2/8", "0/8", DASH]);
        let json = tournament.json();
        assert_eq!(json["standings"][0]["player"], "b");
        assert_eq!(json["matches"][1]["folder"], "1-3");
    }
}
