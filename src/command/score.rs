//! `jigo score`: the result of a position or a whole game under any rules.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use clap::Args;
use jigo_engine::{
    AnyGame, Color, Counting, Komi, Point, Position, RuleSet, Rules,
    life::StatusSolver,
    protocol::{Conduct, EndRule, GameEnd, GameEvent, GameScore, KoChoice, Phase, Protocol},
    rules::KomiChoice,
    score::ScoringContext,
};
use jigo_selfplay::{
    fingerprint::{conduct_fingerprint, rules_fingerprint},
    sgf::{self, GameResult, SgfGame, WholeGameError},
};
use serde_json::{Map, Value, json};

use crate::{
    input::{self, Input},
    output::{print, print_json, quantity, tell},
};

#[derive(Args, Debug)]
pub(crate) struct ScoreArgs {
    /// SGF file, or a file with a diagram: X, O and . in rows; `-` for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Which game of an SGF collection, from 1 [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,

    /// Rule set: a name (including makrai-area and makrai-territory), values joined with +, or KataGo's notation [default: the record's, else
    /// tromp-taylor].
    #[arg(long, value_name = "RULES", conflicts_with = "all_rules")]
    rules: Option<RuleSet>,

    /// Score under all rule sets that have a name.
    #[arg(long)]
    all_rules: bool,

    /// List the events of a whole game, with the phase after each.
    #[arg(long)]
    events: bool,

    /// A stone of each dead chain, as in A2,C3; or `unconditional` for the stones in the opponent's unconditional territory; or `certified`
    /// for all that `jigo status` proves dead [default: those that the record states, else none].
    #[arg(long, value_name = "POINTS", value_delimiter = ',')]
    dead: Option<Vec<String>>,

    /// Numbers of black and of white stones captured, as in 3,2 [default: those of the record].
    #[arg(long, value_name = "B,W", value_parser = prisoners)]
    prisoners: Option<[u32; 2]>,

    /// Handicap stones, for rules that give White points for them [default: those of the record].
    #[arg(long, value_name = "N")]
    handicap: Option<u32>,

    /// Points added to White's score: a number, or `rules` for the komi of the rule set on this size [default: the record's komi, else rules].
    #[arg(long, allow_hyphen_values = true)]
    komi: Option<KomiChoice>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn prisoners(text: &str) -> Result<[u32; 2], String> {
    let numbers = text.split_once(',').map(|(black, white)| [black.trim().parse(), white.trim().parse()]);
    match numbers {
        Some([Ok(black), Ok(white)]) => Ok([black, white]),
        _ => Err(format!("`{text}` is not two numbers of stones: write 3,2")),
    }
}

pub(crate) fn run(args: &ScoreArgs) -> anyhow::Result<()> {
    let mut steps = Vec::new();
    let end = End::read(&args.file, args.game, None, &mut steps);
    if args.events && !args.json {
        // Also for a game that turns out to be broken after these events.
        print(&event_list(&steps))?;
    }
    let mut end = end?;
    if args.events && end.whole.is_none() {
        bail!(
            "--events lists what happened in a whole game, and this is none: the root of its SGF has no `JC`"
        );
    }
    let ScoreArgs { rules, all_rules, dead, prisoners, handicap, komi, .. } = args;
    let is_position = rules.is_some() || *all_rules || dead.is_some() || prisoners.is_some();
    let counts = match end.whole.as_ref().and_then(game_counts) {
        Some(counts) if !(is_position || handicap.is_some() || komi.is_some()) => counts,
        _ => end.counts(args)?,
    };
    if args.json {
        return print_json(&end.to_json(&counts, args.events.then_some(&steps)));
    }
    let separator = if args.events { "\n" } else { "" };
    print(&format!("{separator}{:#}", end.position))?;
    match &counts[..] {
        [] => {}
        [count] => print(&count.sheet())?,
        counts => print(&table(counts))?,
    }
    if let Some(game) = &end.whole {
        let result = sgf::result_of(game).map(|result| format!(" ({result})")).unwrap_or_default();
        print(&format!("the game: {}{result}\n", explanation(game).1))?;
    }
    let dame = end.names(&end.dame());
    if !dame.is_empty() {
        tell(&format!("neutral points (dame), to be filled before scoring: {}", dame.join(" ")));
    }
    Ok(())
}

/// Returns the position in a file and the rules of its game. `moves` counts the moves before the position; `None` stands for all of them.
pub(super) fn position(
    path: &Path,
    game: Option<u32>,
    moves: Option<u32>,
) -> anyhow::Result<(Position, Rules)> {
    End::read(path, game, moves, &mut Vec::new()).map(|end| (end.position, *end.rules))
}

/// A position at the end of a game, and what else decides its score.
struct End {
    position: Position,
    dead: Vec<Point>,
    prisoners: [u32; 2],
    handicap_stones: u32,
    rules: RuleSet,
    komi: Option<Komi>,
    /// The game, if the file has all of it.
    whole: Option<Protocol>,
}

impl End {
    fn new(position: Position, rules: RuleSet) -> Self {
        let (dead, prisoners) = (Vec::new(), [0; 2]);
        Self { position, dead, prisoners, handicap_stones: 0, rules, komi: None, whole: None }
    }

    /// Reads a diagram or SGF. Appends the events of a whole game to `steps`, even if one of them turns out to be wrong.
    fn read(
        path: &Path,
        game: Option<u32>,
        moves: Option<u32>,
        steps: &mut Vec<Step>,
    ) -> anyhow::Result<Self> {
        let Input { name, bytes } = Input::read(path)?;
        let text = String::from_utf8_lossy(&bytes);
        if text.trim_start_matches('\u{feff}').trim_start().starts_with('(') {
            return Self::from_sgf(&bytes, game, moves, steps)
                .with_context(|| format!("cannot replay {name}"));
        }
        let position =
            input::diagram(&text).with_context(|| format!("{name} is neither SGF nor a diagram"))?;
        Ok(Self::new(position, Rules::TROMP_TAYLOR.into()))
    }

    fn from_sgf(
        bytes: &[u8],
        number: Option<u32>,
        moves: Option<u32>,
        steps: &mut Vec<Step>,
    ) -> anyhow::Result<Self> {
        let games = sgf::read_collection(bytes);
        let count = games.len();
        if number.is_none() && count > 1 {
            tell(&format!("this is the first of {count} games: choose another with --game N"));
        }
        let number = number.unwrap_or(1);
        let Some(record) = games.into_iter().nth(number as usize - 1) else {
            bail!("it has {}, so there is no game {number}", quantity(count, "game"));
        };
        let mut record = record?;
        if let Some(moves) = moves {
            truncate(&mut record.game, moves)?;
        } else if let Some(end) = Self::from_whole_game(&record.game, steps)? {
            return Ok(end);
        }
        record.game.check_rules_fingerprint()?;
        let rules = sgf::rules_of(&record.game);
        let mut game = AnyGame::new(record.game.size, *rules);
        sgf::replay_in(&mut game, &record)?;
        Ok(Self {
            prisoners: Color::BOTH.map(|color| game.prisoners(color)),
            handicap_stones: record.game.handicap().unwrap_or(0),
            komi: record.game.komi(),
            ..Self::new(game.position().to_position(), rules)
        })
    }

    /// Returns the end of a game whose record has all of it, including the dead stones agreed on.
    fn from_whole_game(sgf: &SgfGame, steps: &mut Vec<Step>) -> anyhow::Result<Option<Self>> {
        let game = match sgf::watch_protocol(sgf, |game| steps.extend(Step::last_of(game))) {
            Err(WholeGameError::NoConduct) => return Ok(None),
            game => game?,
        };
        if let (Some(stated), Some(found)) = (sgf.result(), sgf::result_of(&game))
            && stated != found
        {
            tell(&format!("the record states the result {stated}, but its events give {found}"));
        }
        let conduct = game.conduct();
        Ok(Some(Self {
            position: game.game().board().position(),
            dead: game.dead().collect(),
            prisoners: Color::BOTH.map(|color| game.prisoners(color)),
            handicap_stones: conduct.handicap,
            rules: conduct.rules,
            komi: Some(conduct.komi),
            whole: Some(game),
        }))
    }

    /// Returns the stones that `--dead` names, or those proved dead under these rules.
    fn dead_stones(&self, names: &[String], rules: Rules) -> anyhow::Result<Vec<Point>> {
        let size = self.position.size();
        if names == ["unconditional"] {
            return Ok(self.position.unconditionally_dead(rules.suicide));
        }
        if names == ["certified"] {
            let chains = StatusSolver::new(rules.suicide, rules.ko).chains(&self.position);
            let dead = self.position.taken_off(&chains);
            return Ok(dead.flat_map(|chain| chain.stones.iter().copied()).collect());
        }
        let named: Vec<Point> =
            names.iter().map(|name| Point::from_gtp(name, size)).collect::<Result<_, _>>()?;
        match named.iter().find(|&&point| self.position.stone(point).is_none()) {
            Some(point) => bail!("there is no stone on {}, which --dead names", point.to_gtp(size)),
            None => Ok(named),
        }
    }

    /// Returns the empty points that belong to neither player once dead stones are removed.
    fn dame(&self) -> Vec<Point> {
        let mut living = self.position.clone();
        for &point in &self.dead {
            living.set_stone(point, None);
        }
        let neutral = living.ownership().filter(|(_, owner)| owner.is_none()).map(|(point, _)| point);
        neutral.filter(|&point| self.position.stone(point).is_none()).collect()
    }

    /// Counts the position by what the arguments say, and where they say nothing, the file, without regard to how the game ended.
    fn counts(&mut self, args: &ScoreArgs) -> anyhow::Result<Vec<Count>> {
        let size = self.position.size();
        let rules = args.rules.unwrap_or(self.rules);
        if let Some(dead) = &args.dead {
            self.dead = self.dead_stones(dead, *rules)?;
        }
        self.prisoners = args.prisoners.unwrap_or(self.prisoners);
        self.handicap_stones = args.handicap.unwrap_or(self.handicap_stones);
        if args.all_rules {
            let komi = |rules| args.komi.unwrap_or_default().at(rules, size);
            return RuleSet::all().map(|rules| self.count(rules, komi(rules))).collect();
        }
        let komi = args.komi.or(self.komi.map(KomiChoice::Fixed)).unwrap_or_default();
        Ok(vec![self.count(rules, komi.at(rules, size))?])
    }

    fn count(&self, rules: RuleSet, komi: Komi) -> anyhow::Result<Count> {
        if rules.is_makrai() {
            return self.makrai_count(rules, komi);
        }
        let ending = ScoringContext {
            dead: &self.dead,
            prisoners: self.prisoners,
            handicap_stones: self.handicap_stones,
            ..ScoringContext::default()
        };
        let score = self.position.score(*rules, &ending);
        let own = match rules.counting {
            Counting::Area => ("living stones", points(score.stones)),
            Counting::Territory => ("prisoners", points(score.prisoners)),
        };
        let bonus = ("handicap bonus", points([0, score.handicap_bonus]));
        let territory = ("territory", points(score.surrounded));
        Ok(Count {
            name: rules.to_string(),
            rules: rules.canonical(),
            fingerprint: rules_fingerprint(*rules),
            counting: rules.counting,
            komi,
            parts: without_rare([territory, own, tax(score.taxed_groups), bonus, to_white(komi)]),
        })
    }

    /// Counts the position by Makrai's rules, as if the players had stopped here and agreed on the dead stones.
    fn makrai_count(&self, rules: RuleSet, komi: Komi) -> anyhow::Result<Count> {
        let size = self.position.size();
        let conduct = Conduct::new(rules, size).with_komi(komi);
        let game = Protocol::from_position(size, conduct, self.position.colored_stones(), Color::Black)?;
        let mut game = game.with_prisoners(self.prisoners);
        game.apply(Color::Black, GameEvent::Pass)?;
        game.apply(Color::White, GameEvent::Pass)?;
        for &point in &self.dead {
            // A mark is put on a whole chain.
            if game.marked(Color::Black).all(|marked| marked != point) {
                game.apply(Color::Black, GameEvent::Mark(point))?;
            }
        }
        game.apply(Color::Black, GameEvent::Propose)?;
        game.apply(Color::White, GameEvent::Accept)?;
        Ok(Count::from_game(&game).expect("a game that ended by agreement is counted"))
    }

    fn names(&self, points: &[Point]) -> Vec<String> {
        points.iter().map(|point| point.to_gtp(self.position.size())).collect()
    }

    fn to_json(&self, counts: &[Count], steps: Option<&Vec<Step>>) -> Value {
        json!({
            "size": self.position.size().to_string(),
            "dead": self.names(&self.dead),
            "dame": self.names(&self.dame()),
            "prisoners": self.prisoners,
            "counts": counts.iter().map(Count::to_json).collect::<Vec<_>>(),
            "game": self.whole.as_ref().map(|game| game_json(game, steps)),
        })
    }
}

/// Removes what comes after this many moves.
fn truncate(game: &mut SgfGame, moves: u32) -> anyhow::Result<()> {
    let is_move = |(_, event): &(usize, &sgf::Event)| matches!(event, sgf::Event::Play { .. });
    let ends = game.events.iter().enumerate().filter(is_move).map(|(index, _)| index + 1);
    let Some(end) = std::iter::once(0).chain(ends).nth(moves as usize) else {
        let count = game.moves().count();
        bail!("the game has {count} moves, so there is no position after move {moves}");
    };
    game.events.truncate(end);
    Ok(())
}

/// A name and the half points that it gives Black and White.
type Part = (&'static str, [i32; 2]);

/// The score under one rule set.
struct Count {
    name: String,
    /// The rules in full; for a whole game, also how it ends.
    rules: String,
    /// The digest of that text.
    fingerprint: String,
    counting: Counting,
    komi: Komi,
    parts: Vec<Part>,
}

impl Count {
    /// Returns the count of a finished game by its protocol, if it has one.
    fn from_game(game: &Protocol) -> Option<Self> {
        let (conduct, score) = (game.conduct(), game.result()?);
        Some(Self {
            name: conduct.rules.to_string(),
            rules: conduct.canonical_rules(),
            fingerprint: conduct_fingerprint(&conduct),
            counting: conduct.rules.counting,
            komi: conduct.komi,
            parts: game_parts(game, &score),
        })
    }

    /// Returns the half points of Black and White.
    fn totals(&self) -> [i32; 2] {
        [0, 1].map(|color| self.parts.iter().map(|(_, points)| points[color]).sum())
    }

    fn result(&self) -> GameResult {
        let [black, white] = self.totals();
        GameResult::from_half_points(black - white)
    }

    /// Returns the count part by part.
    fn sheet(&self) -> String {
        let mut sheet = format!("{:<16}{:>8}{:>8}\n", self.name, "Black", "White");
        for &(name, points) in self.parts.iter().chain([&("total", self.totals())]) {
            let [black, white] = points.map(Komi::from_half_points);
            let _ = writeln!(sheet, "{name:<16}{black:>8}{white:>8}");
        }
        let _ = writeln!(sheet, "result: {}", self.result());
        sheet
    }

    fn to_json(&self) -> Value {
        let numbers = |points: [i32; 2]| json!(points.map(|half_points| f64::from(half_points) / 2.0));
        let parts = self.parts.iter().map(|&(name, points)| (name.to_owned(), numbers(points)));
        json!({
            "name": self.name,
            "rules": self.rules,
            "rules_fingerprint": self.fingerprint,
            "komi": self.komi.to_f64(),
            "points": parts.collect::<Map<_, _>>(),
            "total": numbers(self.totals()),
            "result": self.result().to_string(),
        })
    }
}

/// Returns a table with a row for each rule set.
fn table(counts: &[Count]) -> String {
    let mut table =
        format!("{:<17}{:<11}{:>8}{:>8}{:>7}   result\n", "rules", "counting", "Black", "White", "komi");
    for count in counts {
        let [black, white] = count.totals().map(Komi::from_half_points);
        let Count { name, counting, komi, .. } = count;
        let _ = writeln!(table, "{name:<17}{counting:<11}{black:>8}{white:>8}{komi:>7}   {}", count.result());
    }
    table
}

/// Returns the parts of a score without those that are rare and zero.
fn without_rare(parts: [Part; 5]) -> Vec<Part> {
    let is_rare = |name| ["group tax", "handicap bonus", "handed over"].contains(&name);
    parts.into_iter().filter(|&(name, points)| !is_rare(name) || points != [0; 2]).collect()
}

fn points(points: [u32; 2]) -> [i32; 2] {
    points.map(|points| 2 * points as i32)
}

fn tax(groups: [u32; 2]) -> Part {
    ("group tax", groups.map(|groups| -4 * groups as i32))
}

fn to_white(komi: Komi) -> Part {
    ("komi", [0, komi.half_points()])
}

/// Returns the parts of a game's score. Stones handed over are those that the opponent received during the game other than by capture.
fn game_parts(game: &Protocol, GameScore { score, .. }: &GameScore) -> Vec<Part> {
    let Conduct { rules, ending, komi, handicap } = game.conduct();
    let (territory, tax) = (("territory", points(score.surrounded)), tax(score.taxed_groups));
    if rules.counting == Counting::Area {
        let own = ("living stones", points(score.stones));
        let bonus = ("handicap bonus", points([0, rules.handicap_bonus.points(handicap)]));
        return without_rare([territory, own, tax, bonus, to_white(komi)]);
    }
    let (_, before, _) = game.start();
    let handed_over =
        Color::BOTH.map(|color| game.prisoners(color) - game.game().prisoners(color) - before[color.index()]);
    let lost = [0, 1].map(|own| score.prisoners[1 - own] - handed_over[own]);
    let (name, prisoners, handed_over, komi) = if ending == EndRule::Marking {
        // Each player pays for the stones lost, and Black pays the komi.
        let paid = |stones| points(stones).map(|half_points| -half_points);
        ("own stones lost", paid(lost), paid(handed_over), ("komi", [-komi.half_points(), 0]))
    } else {
        let to_opponent = |[black, white]: [u32; 2]| points([white, black]);
        ("prisoners", to_opponent(lost), to_opponent(handed_over), to_white(komi))
    };
    without_rare([territory, (name, prisoners), tax, ("handed over", handed_over), komi])
}

/// Returns the count of a finished game, nothing at all if it ended without one, and `None` if it is not finished.
fn game_counts(game: &Protocol) -> Option<Vec<Count>> {
    if !matches!(game.phase(), Phase::Finished(_)) {
        return None;
    }
    Some(Count::from_game(game).into_iter().collect())
}

/// Says how a game ended: in a word for programs, unless it is not finished, and in a sentence.
fn explanation(game: &Protocol) -> (Option<&'static str>, String) {
    let conduct = game.conduct();
    let (word, how) = match (game.phase(), game.record().last(), conduct.ending) {
        (Phase::Finished(GameEnd::Resigned(color)), ..) => ("resignation", format!("{color} resigned")),
        (Phase::Finished(GameEnd::Repeated), ..) => ("cycle", "a true cycle: a draw".to_owned()),
        (Phase::Finished(GameEnd::Counted), last, end_rule) => {
            let (word, how) = match (last, end_rule) {
                (Some((_, GameEvent::Pass)), _) => {
                    ("four-passes", "four consecutive passes: scored with all stones alive")
                }
                (Some((_, GameEvent::Reject)), _) => (
                    "no-continuation-left",
                    "no agreement and no continuation left: the stones that both had marked are dead",
                ),
                (_, EndRule::Marking) => ("marking", "the opponent accepted the marked stones"),
                (_, EndRule::Passes) => ("agreement", "the players agreed on the points to empty"),
                _ => ("agreement", "the players agreed on the dead stones"),
            };
            (word, how.to_owned())
        }
        (phase, ..) => return (None, format!("not finished: {}", phase_text(phase))),
    };
    let detours = detours(game);
    (Some(word), if detours.is_empty() { how } else { format!("{how}, after {}", detours.join(" and ")) })
}

/// Lists what happened between the first stop and the end.
fn detours(game: &Protocol) -> Vec<String> {
    let count = |is: fn(&GameEvent) -> bool| game.record().iter().filter(|(_, event)| is(event)).count();
    let rejections = match game.conduct().ending {
        EndRule::PassStones => "resumption",
        _ => "rejected proposal",
    };
    let all = [
        (count(|event| *event == GameEvent::Reject), rejections),
        (count(|event| matches!(event, GameEvent::Demand(_))), "continuation"),
        (count(|event| matches!(event, GameEvent::Claim(..))), "verified claim"),
    ];
    all.into_iter().filter(|&(count, _)| count > 0).map(|(count, what)| quantity(count, what)).collect()
}

/// Returns the game as it was played, whatever rules the position is counted by.
fn game_json(game: &Protocol, steps: Option<&Vec<Step>>) -> Value {
    let conduct = game.conduct();
    let (ended, explanation) = explanation(game);
    let mut value = json!({
        "conduct": conduct.to_string(),
        "rules_fingerprint": conduct_fingerprint(&conduct),
        "phase": game.phase().name(),
        "ended": ended,
        "explanation": explanation,
        "result": sgf::result_of(game).map(|result| result.to_string()),
    });
    if let Some(steps) = steps {
        let step = |(number, Step { color, event, phase }): (usize, &Step)| json!({ "number": number, "player": color.to_string(), "event": event, "phase": phase });
        value["events"] = (1..).zip(steps).map(step).collect();
    }
    value
}

/// An event of a whole game, in words as in `JE`, and the phase after it.
struct Step {
    color: Color,
    event: String,
    phase: String,
}

impl Step {
    fn last_of(game: &Protocol) -> Option<Self> {
        let &(color, ref event) = game.record().last()?;
        let event = event.to_text(game.game().board().size());
        Some(Self { color, event, phase: phase_text(game.phase()) })
    }
}

/// Returns a line for each step.
fn event_list(steps: &[Step]) -> String {
    let width = steps.iter().map(|step| step.event.len()).max().unwrap_or(0);
    let line = |(number, Step { color, event, phase }): (usize, &Step)| {
        format!("{number:>4}  {:<5} {event:<width$}  → {phase}\n", color.to_string())
    };
    (1..).zip(steps).map(line).collect()
}

/// Describes a phase.
fn phase_text(phase: &Phase) -> String {
    let name = phase.name();
    match phase {
        Phase::Handicap { left } => format!("{name}, {left} to be placed"),
        Phase::Proposed(color) => format!("{name} by {color}"),
        Phase::Resumed(color) => format!("{name}, begun by {color}"),
        Phase::Continued(KoChoice::Modified) => format!("{name}, kos may be challenged"),
        Phase::Finished(GameEnd::Counted) => format!("{name}: counted"),
        Phase::Finished(GameEnd::Resigned(color)) => format!("{name}: {color} resigned"),
        Phase::Finished(GameEnd::Repeated) => format!("{name}: a draw by a true cycle"),
        Phase::Playing | Phase::Stopped | Phase::Continued(KoChoice::Basic) | Phase::Verifying => {
            name.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use jigo_engine::{BoardSize, zobrist::mix64};

    use super::*;

    /// Plays random moves, stops, marks random points and has both players agree.
    fn finished(conduct: Conduct, size: BoardSize, seed: u64) -> Option<Protocol> {
        let mut game = Protocol::new(size, conduct).ok()?.with_prisoners([seed as u32 % 3, 1]);
        let mut random = mix64(seed);
        let mut point = || {
            random = mix64(random);
            Point::from_index(random as usize % size.point_count(), size).expect("an index on the board")
        };
        for _ in 0..60 {
            // A rejected event changes nothing.
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
        for (name, seed) in RuleSet::all().flat_map(|name| (0..20).map(move |seed| (name, seed))) {
            let handicap = if seed % 2 == 0 { 0 } else { 3 };
            let conduct =
                Conduct::new(name, size).with_handicap(handicap).with_komi(Komi::from_half_points(13));
            let Some(game) = finished(conduct, size, seed) else { continue };
            let counts = game_counts(&game).unwrap();
            let totals = counts[0].totals();
            assert_eq!(totals, game.result().unwrap().half_points, "{name}, {:#}", game.game().board());
            assert_eq!((counts.len(), counts[0].name.as_str()), (1, name.to_string().as_str()));
            games += 1;
        }
        assert!(games >= 150, "{games}");
    }
}
