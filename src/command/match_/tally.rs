//! Who won how often, and how.

use jigo_analysis::Proportion;
use jigo_engine::Color;
use jigo_selfplay::matches::{Contestant, DeadStones, Ending, MatchResult};

/// The results of a match, seen from one player.
pub(super) struct Tally {
    pub(super) contestant: Contestant,
    /// Of all games but those that the ply cap cut off.
    pub(super) wins: Proportion,
    /// The same for the games with Black and those with White.
    pub(super) wins_as: [Proportion; 2],
    /// How often the player lost in each way; counted games, jigo and cut-off ones not among them.
    pub(super) losses: Vec<(Ending, u64)>,
}

/// The results that belong to neither player.
pub(super) struct Rest {
    pub(super) draws: u64,
    pub(super) capped: u64,
    /// Games in which the players never agreed on the dead stones.
    pub(super) disputed: u64,
}

impl Tally {
    pub(super) fn of(contestant: Contestant, results: &[MatchResult]) -> Self {
        let finished = || results.iter().filter(|result| result.ending != Ending::PlyCap);
        let has_won = |result: &&MatchResult| result.winner == Some(contestant);
        let wins_as = Color::BOTH.map(|color| {
            let games = || finished().filter(|result| result.contestant(color) == contestant);
            proportion(games().filter(has_won).count(), games().count())
        });
        let lost = |ending| {
            let losses = finished()
                .filter(|result| result.ending == ending && result.winner == Some(contestant.opponent()));
            losses.count() as u64
        };
        let losses = Ending::ALL.map(|ending| (ending, lost(ending)));
        Self {
            contestant,
            wins: proportion(finished().filter(has_won).count(), finished().count()),
            wins_as,
            losses: losses.into_iter().filter(|&(_, count)| count > 0).collect(),
        }
    }
}

impl Rest {
    pub(super) fn of(results: &[MatchResult]) -> Self {
        let count = |is: &dyn Fn(&&MatchResult) -> bool| results.iter().filter(is).count() as u64;
        Self {
            draws: count(&|result| result.winner.is_none() && result.ending != Ending::PlyCap),
            capped: count(&|result| result.ending == Ending::PlyCap),
            disputed: count(&|result| matches!(result.dead, DeadStones::Common | DeadStones::Disputed)),
        }
    }
}

fn proportion(count: usize, of: usize) -> Proportion {
    Proportion::new(count as u64, of as u64).expect("a part of the games")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_counted_once() {
        let endings = [Ending::TwoPasses, Ending::Crash, Ending::PlyCap, Ending::TwoPasses, Ending::Timeout];
        let winners = [
            Some(Contestant::First),
            Some(Contestant::First),
            Some(Contestant::First),
            None,
            Some(Contestant::Second),
        ];
        let results: Vec<_> = endings
            .into_iter()
            .zip(winners)
            .zip(0..)
            .map(|((ending, winner), game)| MatchResult {
                game,
                black: Contestant::black_in(game),
                winner,
                ending,
                half_points: None,
                dead: DeadStones::NotAsked,
                plies: 1,
                detail: String::new(),
            })
            .collect();
        let [first, second] = Contestant::BOTH.map(|contestant| Tally::of(contestant, &results));
        let rest = Rest::of(&results);
        assert_eq!((first.wins.count(), first.wins.of()), (2, 4));
        assert_eq!(first.wins_as.map(|wins| (wins.count(), wins.of())), [(1, 2), (1, 2)]);
        assert_eq!((second.wins.count(), second.wins.of()), (1, 4));
        assert_eq!(second.losses, [(Ending::TwoPasses, 1), (Ending::Crash, 1)]);
        assert_eq!(first.losses, [(Ending::Timeout, 1)]);
        assert_eq!((rest.draws, rest.capped, rest.disputed), (1, 1, 0));
    }
}
