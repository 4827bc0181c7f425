//! Standings of several players who met in matches.

use std::fmt::Write as _;

use jigo_selfplay::matches::Contestant;
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
