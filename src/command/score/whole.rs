//! What a whole game came to by its protocol.

use jigo_engine::{
    Color, Komi, Point,
    protocol::{
        Conduct, Count as Points, EndRule, GameEnd, GameEvent, GameScore, Phase, Protocol, Resumption,
    },
};

use super::{
    End,
    count::{Count, Part, counts_losses, group_tax, laid_out, points},
};
use crate::config::NamedRules;

/// The count of a finished game; none at all where it ended without one, and `None` where it is not finished.
pub(super) fn counts(game: &Protocol) -> Option<Vec<Count>> {
    if !matches!(game.phase(), Phase::Finished(_)) {
        return None;
    }
    let Some(score) = game.result() else { return Some(Vec::new()) };
    let conduct = game.conduct();
    let name =
        conduct.name(game.game().board().size()).map_or_else(|| conduct.rules.canonical(), str::to_owned);
    Some(vec![Count::of_conduct(name, &conduct, parts(game, &score))])
}

/// A position counted by Makrai's rules, as if the players had stopped here and agreed on the dead stones.
pub(super) fn agreed(end: &End, named: &NamedRules, komi: Komi) -> anyhow::Result<Count> {
    let size = end.position.size();
    let conduct =
        Conduct { rules: named.rules, ..Conduct::makrai(named.rules.counting, size).with_komi(komi) };
    let game = Protocol::from_position(size, conduct, end.stones(), Color::Black)?;
    let mut game = game.with_prisoners(end.prisoners);
    game.apply(Color::Black, GameEvent::Pass)?;
    game.apply(Color::White, GameEvent::Pass)?;
    let is_marked = |game: &Protocol, point: Point| game.marked(Color::Black).any(|marked| marked == point);
    for &point in &end.dead {
        // Marks are of whole chains.
        if !is_marked(&game, point) {
            game.apply(Color::Black, GameEvent::Mark(point))?;
        }
    }
    game.apply(Color::Black, GameEvent::Propose)?;
    game.apply(Color::White, GameEvent::Accept)?;
    let score = game.result().expect("a game that the players agreed to end is counted");
    Ok(Count::of_conduct(named.name.clone(), &conduct, parts(&game, &score)))
}

/// The parts of a game's score. Stones handed over are those that the opponent got during the game otherwise than by capture.
fn parts(game: &Protocol, score: &GameScore) -> Vec<Part> {
    let conduct = game.conduct();
    let (_, before, _) = game.start();
    let handed_over =
        Color::BOTH.map(|color| game.prisoners(color) - game.game().prisoners(color) - before[color.index()]);
    let tax = ("group tax", group_tax(score.taxed_groups));
    match score.count {
        Points::Area(count) => {
            let bonus = conduct.rules.handicap_bonus.points(conduct.handicap);
            laid_out(
                [("territory", points(count.surrounded)), ("living stones", points(count.stones))],
                [tax, ("handicap bonus", points([0, bonus]))],
                [Komi::ZERO, conduct.komi],
            )
        }
        Points::Territory(count) => {
            let lost = [0, 1].map(|own| count.prisoners[own] - handed_over[own] + count.dead[own]);
            let territory = ("territory", points(count.territory));
            if counts_losses(&conduct) {
                let minus =
                    |points: [Komi; 2]| points.map(|points| Komi::from_half_points(-points.half_points()));
                let [paid, _] = minus([conduct.komi; 2]);
                return laid_out(
                    [territory, ("own stones lost", minus(points(lost)))],
                    [tax, ("handed over", minus(points(handed_over)))],
                    [paid, Komi::ZERO],
                );
            }
            let to_opponent = |[black, white]: [u32; 2]| points([white, black]);
            laid_out(
                [territory, ("prisoners", to_opponent(lost))],
                [tax, ("handed over", to_opponent(handed_over))],
                [Komi::ZERO, conduct.komi],
            )
        }
    }
}

/// How a game ended: a word for programs.
pub(super) fn ended(game: &Protocol) -> Option<&'static str> {
    let Phase::Finished(ended) = game.phase() else { return None };
    Some(match ended {
        GameEnd::Resigned(_) => "resignation",
        GameEnd::Repeated => "cycle",
        GameEnd::Counted => match (game.record().last(), game.conduct().ending) {
            (Some((_, GameEvent::Pass)), _) => "four-passes",
            (Some((_, GameEvent::Reject)), _) => "no-continuation-left",
            (_, EndRule::Marking) => "marking",
            _ => "agreement",
        },
    })
}

/// The result as SGF has it: `B+3.5`, `W+R`, `0` for a draw; `None` where the game is not finished.
pub(super) fn result(game: &Protocol) -> Option<String> {
    let counts = counts(game)?;
    if let [count] = &counts[..] {
        return Some(count.result());
    }
    Some(match game.winner() {
        Some(Color::Black) => "B+R".to_owned(),
        Some(Color::White) => "W+R".to_owned(),
        None => "0".to_owned(),
    })
}

/// How a game ended, in words.
pub(super) fn explanation(game: &Protocol) -> String {
    let how = match (ended(game), game.phase()) {
        (None, phase) => return format!("not finished: {}", super::steps::in_words(phase)),
        (Some("resignation"), Phase::Finished(GameEnd::Resigned(color))) => format!("{color} resigned"),
        (Some("cycle"), _) => "a true cycle: a draw".to_owned(),
        (Some("four-passes"), _) => "four passes in succession: counted as it stands".to_owned(),
        (Some("no-continuation-left"), _) => {
            "no agreement and no continuation left: dead is what both had marked".to_owned()
        }
        (Some("marking"), _) => "the opponent accepted the marked stones".to_owned(),
        _ if game.conduct().ending == EndRule::Passes => {
            "the players agreed on the points to empty".to_owned()
        }
        _ => "the players agreed on the dead stones".to_owned(),
    };
    let detours = detours(game);
    if detours.is_empty() { how } else { format!("{how}, after {}", detours.join(" and ")) }
}

/// What there was between the first stop and the end.
fn detours(game: &Protocol) -> Vec<String> {
    let count = |is: fn(&GameEvent) -> bool| game.record().iter().filter(|(_, event)| is(event)).count();
    let rejections = match game.conduct().ending {
        EndRule::Agreement(Resumption::PassStones) => "resumption",
        _ => "rejected proposal",
    };
    let all = [
        (count(|event| *event == GameEvent::Reject), rejections),
        (count(|event| matches!(event, GameEvent::Demand(_))), "continuation"),
        (count(|event| matches!(event, GameEvent::Claim(..))), "verified claim"),
    ];
    let some = all.into_iter().filter(|&(count, _)| count > 0);
    some.map(|(count, what)| format!("{count} {what}{}", if count == 1 { "" } else { "s" })).collect()
}

#[cfg(test)]
mod tests {
    use jigo_engine::{BoardSize, zobrist::mix64};

    use super::*;

    /// Plays at random, stops, marks at random; both agree.
    fn finished(conduct: Conduct, size: BoardSize, seed: u64) -> Option<Protocol> {
        let mut game = Protocol::new(size, conduct).ok()?.with_prisoners([seed as u32 % 3, 1]);
        let mut draw = mix64(seed);
        let mut point = || {
            draw = mix64(draw);
            Point::from_index(draw as usize % size.point_count(), size).expect("an index on the board")
        };
        for _ in 0..60 {
            // What is refused changes nothing.
            let _ = game.apply(game.to_play(), GameEvent::Play(point()));
        }
        while *game.phase() != Phase::Stopped {
            game.apply(game.to_play(), GameEvent::Pass).ok()?;
        }
        let proposer = game.to_play();
        for _ in 0..10 {
            let _ = game.apply(proposer, GameEvent::Mark(point()));
        }
        game.apply(proposer, GameEvent::Propose).ok()?;
        game.apply(proposer.opponent(), GameEvent::Accept).ok()?;
        Some(game)
    }

    #[test]
    fn the_parts_of_a_count_add_up_to_the_score() {
        let size = BoardSize::square(7).unwrap();
        let mut games = 0;
        for (name, seed) in Conduct::names().flat_map(|name| (0..20).map(move |seed| (name, seed))) {
            let handicap = if seed % 2 == 0 { 0 } else { 3 };
            let conduct = Conduct::named(name, size)
                .unwrap()
                .with_handicap(handicap)
                .with_komi(Komi::from_half_points(13));
            let Some(game) = finished(conduct, size, seed) else { continue };
            let counts = counts(&game).unwrap();
            let totals = counts[0].totals().map(Komi::half_points);
            assert_eq!(totals, game.result().unwrap().half_points, "{name}, {:#}", game.game().board());
            assert_eq!((counts.len(), counts[0].name.as_str()), (1, conduct.name(size).unwrap()));
            games += 1;
        }
        assert!(games >= 150, "{games}");
    }
}
