//! `jigo score`: the result of a position or a whole game under any rules.

mod events;
mod sheet;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use jigo_engine::{
    AnyGame, AnyPosition, Color, Komi, Point, Position, RuleSet, Rules,
    life::{ChainStatus, StatusSolver, in_seki},
    protocol::{Conduct, GameEnd, Phase, Protocol},
    rules::{KomiChoice, Tax},
    score::{ScoringContext, SekiBy},
};
use jigo_selfplay::{
    search::Estimate,
    sgf::{self, GameResult, SgfGame, WholeGameError},
};
use serde_json::{Value, json};

use self::{
    events::{Step, event_list, explanation, game_json},
    sheet::{Alternative, Sheet, Undecided, dame_lines, table},
};
use crate::{
    args,
    input::{self, Input},
    output::{print, print_json, quantity, tell},
};

#[derive(Args, Debug)]
pub(crate) struct ScoreArgs {
    /// SGF file, or a file with a diagram: X, O and . in rows; `-` for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Which game of an SGF collection, from 1 [default: 1].
    #[arg(long, value_name = "N", value_parser = args::within(1..=u32::MAX))]
    game: Option<u32>,

    /// Rule set: a name (including makrai-area and makrai-territory), values joined with +, or KataGo's notation [default: the record's, else
    /// tromp-taylor].
    #[arg(short, long, value_name = "RULES", conflicts_with = "all_rules", value_parser = args::suggesting::<RuleSet>())]
    rules: Option<RuleSet>,

    /// Score under all rule sets that have a name.
    #[arg(long)]
    all_rules: bool,

    /// List the events of a whole game, with the phase after each.
    #[arg(long)]
    events: bool,

    /// Dead stones, as in A2,C3: every one under area rules, which empty points (makrai-area has chains); one of each territory under
    /// brainking; one of each chain under all others. Or `unconditional` for the stones in the opponent's unconditional territory; or
    /// `certified` for all that `jigo status` proves dead; or `estimated` for these and those that
    /// playouts estimate to be dead [default: those that the record states; in other records of games those that are proved dead, unless all stones alive give
    /// the record's result; none in diagrams].
    #[arg(long, value_name = "POINTS", value_delimiter = ',')]
    dead: Option<Vec<String>>,

    /// Numbers of black and of white stones captured and handed over, as in 3,2 [default: those of the record].
    #[arg(long, value_name = "B,W", allow_hyphen_values = true, value_parser = prisoners)]
    prisoners: Option<[u32; 2]>,

    /// Handicap stones, for rules that give White points for them or, beyond nine, take prisoners from White [default: those of the record].
    #[arg(long, value_name = "N", value_parser = args::handicap())]
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
    let end = end?;
    if args.events && end.whole.is_none() {
        bail!(
            "--events lists what happened in a whole game, and this is none: the root of its SGF has no `JC`"
        );
    }
    let sheets = end.sheets(args)?;
    if args.json {
        return print_json(&end.to_json(&sheets, args.prisoners, args.events.then_some(&steps)));
    }
    let separator = if args.events { "\n" } else { "" };
    print(&format!("{separator}{:#}", end.position))?;
    match &sheets[..] {
        [] => {}
        [sheet] => print(&sheet.text())?,
        sheets => print(&table(sheets))?,
    }
    if let Some(game) = &end.whole {
        let result = sgf::result_of(game).map(|result| format!(" ({result})")).unwrap_or_default();
        print(&format!("the game: {}{result}\n", explanation(game).1))?;
    }
    dame_lines(&sheets).iter().for_each(|line| tell(line));
    if let ([sheet], true) = (&sheets[..], args.states_nothing()) {
        end.tell_difference(sheet);
    }
    Ok(())
}

impl ScoreArgs {
    /// Returns whether the count is that of the record, and nothing of it is replaced.
    fn states_nothing(&self) -> bool {
        let Self { rules, all_rules, prisoners, handicap, komi, .. } = self;
        rules.is_none() && !all_rules && prisoners.is_none() && handicap.is_none() && komi.is_none()
    }
}

/// Returns the position in a file and the rules of its game. `moves` counts the moves before the position; `None` stands for all of them.
pub(super) fn position(
    path: &Path,
    game: Option<u32>,
    moves: Option<u32>,
) -> anyhow::Result<(Position, Rules)> {
    End::read(path, game, moves, &mut Vec::new()).map(|end| (end.position, *end.rules))
}

/// Whose turn it is, and the point that simple ko forbids.
pub(super) type Turn = (Color, Option<Point>);

/// Returns the position that a file shows, and the turn in a record.
pub(super) fn position_to_play(
    path: &Path,
    game: Option<u32>,
    moves: Option<u32>,
) -> anyhow::Result<(Position, Option<Turn>)> {
    End::read(path, game, moves, &mut Vec::new()).map(|end| (end.position, end.turn))
}

/// A position at the end of a game, and what else decides its score.
struct End {
    position: Position,
    /// The turn, where the record says so.
    turn: Option<Turn>,
    /// The stones agreed on, or proposed, to be dead; none where nobody has said it, as in most records of games.
    dead: Option<Vec<Point>>,
    /// The result that a record states.
    stated: Option<GameResult>,
    /// The stones agreed on, or proposed, to be in seki, where the players decided that.
    seki: Option<Vec<Point>>,
    prisoners: [u32; 2],
    /// Prisoners that were handed over during the game.
    handed_over: [u32; 2],
    handicap_stones: u32,
    rules: RuleSet,
    komi: Option<Komi>,
    /// The game, if the file has all of it.
    whole: Option<Protocol>,
}

impl End {
    fn new(position: Position, rules: RuleSet) -> Self {
        Self {
            position,
            turn: None,
            dead: Some(Vec::new()),
            stated: None,
            seki: None,
            prisoners: [0; 2],
            handed_over: [0; 2],
            handicap_stones: 0,
            rules,
            komi: None,
            whole: None,
        }
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
        if game.is_some() {
            bail!("{name} is a diagram, which has no games: leave out --game");
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
            dead: record.game.dead()?.map(|stones| stones.into_iter().collect()),
            stated: record.game.result(),
            prisoners: Color::BOTH.map(|color| game.prisoners(color)),
            turn: Some((game.to_play(), game.ko_point())),
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
        let prisoners = Color::BOTH.map(|color| game.prisoners(color));
        let (_, before, _) = game.start();
        let captured = Color::BOTH.map(|color| game.game().prisoners(color) + before[color.index()]);
        Ok(Some(Self {
            turn: Some((game.game().to_play(), game.game().board().ko_point())),
            dead: Some(game.dead().collect()),
            seki: game.seki(),
            prisoners,
            handed_over: [0, 1].map(|color| prisoners[color] - captured[color]),
            handicap_stones: conduct.handicap,
            komi: Some(conduct.komi),
            whole: Some(game.clone()),
            ..Self::new(game.game().board().position(), conduct.rules)
        }))
    }

    /// Returns the stones that `--dead` names or asks to be found under these rules.
    fn dead_stones(&self, names: &[String], rules: Rules) -> anyhow::Result<NamedDead> {
        let size = self.position.size();
        let stones_of = |chains: &[ChainStatus]| {
            self.position.taken_off(chains).flat_map(|chain| chain.stones.clone()).collect()
        };
        let proved = || StatusSolver::new(rules.suicide, rules.ko).chains(&self.position);
        let all = |stones| NamedDead { stones, are_all: true, estimate: None };
        match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["unconditional"] => return Ok(all(self.position.unconditionally_dead(rules.suicide))),
            ["certified"] => return Ok(all(stones_of(&proved()))),
            ["estimated"] => {
                let estimate = Estimate::new(AnyPosition::new(&self.position), rules, proved());
                let stones = stones_of(&estimate.assumed());
                return Ok(NamedDead { estimate: Some(estimate), ..all(stones) });
            }
            _ => {}
        }
        let stones: Vec<Point> =
            names.iter().map(|name| Point::from_gtp(name, size)).collect::<Result<_, _>>()?;
        match stones.iter().find(|&&point| self.position.stone(point).is_none()) {
            Some(point) => bail!("there is no stone on {}, which --dead names", point.to_gtp(size)),
            None => Ok(NamedDead { stones, are_all: false, estimate: None }),
        }
    }

    /// Counts the end by the rules of the file, unless the arguments name others. A whole game that ended without a count has none, unless the
    /// arguments ask for one.
    fn sheets(&self, args: &ScoreArgs) -> anyhow::Result<Vec<Sheet>> {
        let ScoreArgs { rules, all_rules, dead, prisoners, handicap, komi, .. } = args;
        let is_asked = rules.is_some() || *all_rules || dead.is_some() || prisoners.is_some();
        let phase = self.whole.as_ref().map(Protocol::phase);
        if let Some(Phase::Finished(GameEnd::Resigned(_) | GameEnd::Repeated | GameEnd::Agreed)) = phase
            && !(is_asked || handicap.is_some() || komi.is_some())
        {
            return Ok(Vec::new());
        }
        let named = dead.as_ref().map(|names| self.dead_stones(names, *rules.unwrap_or(self.rules)));
        let named = named.transpose()?;
        let is_stated = args.states_nothing();
        let sheet = |conduct: Conduct| match (&named, &self.dead) {
            (None, Some(stones)) => self.sheet(conduct, stones, *prisoners),
            (Some(NamedDead { stones, estimate: Some(estimate), .. }), _) => {
                let seki = in_seki(&estimate.chains);
                let sheet = self.sheet_with(conduct, stones, Some(SekiBy::Known(&seki)), *prisoners);
                Sheet { estimated: estimate.lost_by_stone(), ..sheet }
            }
            (Some(NamedDead { stones, are_all: true, .. }), _) => self.sheet(conduct, stones, *prisoners),
            (Some(NamedDead { stones, .. }), _) => {
                let unit = conduct.ending.marks();
                let marked = stones.iter().flat_map(|&stone| self.position.marked_with(stone, unit));
                self.sheet(conduct, &marked.collect::<Vec<_>>(), *prisoners)
            }
            (None, None) => self.sheet_by_proofs(conduct, *prisoners, is_stated),
        };
        let size = self.position.size();
        let handicap = handicap.unwrap_or(self.handicap_stones);
        let conduct = |rules: RuleSet, komi: KomiChoice| {
            Conduct::new(rules, size).with_komi(komi.at(rules, size)).with_handicap(handicap)
        };
        if *all_rules {
            return Ok(RuleSet::all().map(|rules| sheet(conduct(rules, komi.unwrap_or_default()))).collect());
        }
        let komi = komi.or(self.komi.map(KomiChoice::Fixed)).unwrap_or_default();
        let conduct = conduct(rules.unwrap_or(self.rules), komi);
        Ok(vec![match &self.whole {
            Some(game) if rules.is_none() => {
                let conduct = Conduct { ending: game.conduct().ending, ..conduct };
                Sheet { states_end: true, ..sheet(conduct) }
            }
            _ => sheet(conduct),
        }])
    }

    /// Counts the end of a game whose record does not say which stones are dead: those that are proved to be, unless the result that the record
    /// states is that of all stones alive. Where that is not enough to know the result, it is a range.
    fn sheet_by_proofs(&self, conduct: Conduct, prisoners: Option<[u32; 2]>, is_stated: bool) -> Sheet {
        let chains = StatusSolver::new(conduct.rules.suicide, conduct.rules.ko).chains(&self.position);
        let stones = |chain: &ChainStatus| chain.stones.clone();
        let dead: Vec<Point> = self.position.taken_off(&chains).flat_map(stones).collect();
        let sheet = |dead: &[Point]| self.sheet(conduct, dead, prisoners);
        // Where players leave neutral points open, groups beside them are not in seki for that.
        let with_dead = |dead: &[Point]| {
            let found = sheet(dead);
            let without_seki = found.clone().exchanged();
            [Some(found), without_seki].into_iter().flatten()
        };
        let stated = self.stated.as_ref().filter(|_| is_stated).and_then(GameResult::half_points);
        let agrees = |sheet: &Sheet| Some(sheet.count.result()) == stated;
        if let Some(sheet) = with_dead(&[]).chain(with_dead(&dead)).find(agrees) {
            return sheet;
        }
        let undecided: Vec<&ChainStatus> = chains.iter().filter(|chain| !chain.status.is_settled()).collect();
        if undecided.is_empty() {
            return sheet(&dead);
        }
        let all_of = |color| {
            let lost = undecided.iter().filter(|chain| chain.color == color).flat_map(|chain| stones(chain));
            dead.iter().copied().chain(lost).collect::<Vec<_>>()
        };
        let ends = [dead.clone(), all_of(Color::Black), all_of(Color::White)];
        let results = || ends.iter().flat_map(|dead| with_dead(dead)).map(|sheet| sheet.count.result());
        let range = [results().min(), results().max()].map(Option::unwrap_or_default);
        let chains = undecided.iter().map(|chain| chain.stones[0]).collect();
        Sheet { undecided: Some(Undecided { chains, range }), alternative: None, ..sheet(&dead) }
    }

    /// Compares the result with the one that the record states.
    fn tell_difference(&self, sheet: &Sheet) {
        let Some(stated) = &self.stated else { return };
        let (komi, points) = (sheet.conduct.komi, self.position.size().point_count());
        if komi.half_points().unsigned_abs() as usize > 2 * points {
            tell(&format!(
                "the komi of {komi} is more than the board has points: state the right one with --komi"
            ));
        }
        let found = GameResult::from_half_points(sheet.count.result());
        match (stated.half_points(), &sheet.undecided) {
            (None, _) => tell(&format!("the record states the result {stated}: the game was not counted")),
            (Some(stated_points), Some(Undecided { range: [least, most], .. })) => {
                let lies = if (*least..=*most).contains(&stated_points) { "in" } else { "outside" };
                tell(&format!("the record states the result {stated}, which lies {lies} this range"));
            }
            (Some(_), None) if found != *stated => {
                tell(&format!(
                    "the record states the result {stated}, but this position counts {found} by the rules above"
                ));
            }
            (Some(_), None) => {}
        }
    }

    /// Counts the end of a game with these dead stones and, if they are stated, prisoners; groups are in seki as the players agreed, if they did.
    fn sheet(&self, conduct: Conduct, dead: &[Point], prisoners: Option<[u32; 2]>) -> Sheet {
        self.sheet_with(conduct, dead, self.seki.as_deref().map(SekiBy::Agreed), prisoners)
    }

    /// Like [`sheet`](Self::sheet), with the groups in seki that `seki` names. If it is `None`, they follow from the position.
    fn sheet_with(
        &self,
        conduct: Conduct,
        dead: &[Point],
        seki: Option<SekiBy<'_>>,
        prisoners: Option<[u32; 2]>,
    ) -> Sheet {
        let handed_over = if prisoners.is_none() { self.handed_over } else { [0; 2] };
        // In a whole game these are among the prisoners already. A handicap that the board does not have brings none.
        let by_handicap = match self.whole {
            None => conduct
                .rules
                .handicap(self.position.size(), conduct.handicap)
                .map_or(0, |start| start.prisoners),
            Some(_) => 0,
        };
        let [black, white] = self.prisoners;
        let prisoners = prisoners.unwrap_or([black, white + by_handicap]);
        let count = |seki| {
            let ending = ScoringContext { dead, seki, prisoners, ..ScoringContext::default() };
            conduct.count(&self.position, &ending)
        };
        let is_taxed = conduct.rules.tax != Tax::None;
        let named = seki.filter(|_| is_taxed);
        let (seki, other) = match named {
            Some(seki) => (seki, SekiBy::Dame),
            None => (SekiBy::Dame, SekiBy::Known(&[])),
        };
        let counted = count(seki);
        let alternative = is_taxed.then(|| Alternative { by_dame: named.is_some(), count: count(other) });
        let differs = |other: &Alternative| other.count.territory != counted.territory;
        Sheet {
            size: self.position.size(),
            conduct,
            states_end: conduct.rules.supply == jigo_engine::rules::Supply::Finite,
            handed_over,
            alternative: alternative.filter(differs),
            count: counted,
            undecided: None,
            estimated: Vec::new(),
        }
    }

    fn to_json(&self, sheets: &[Sheet], prisoners: Option<[u32; 2]>, steps: Option<&Vec<Step>>) -> Value {
        json!({
            "size": self.position.size().to_string(),
            "prisoners": prisoners.unwrap_or(self.prisoners),
            "stated": self.stated.as_ref().map(GameResult::to_string),
            "counts": sheets.iter().map(Sheet::to_json).collect::<Vec<_>>(),
            "game": self.whole.as_ref().map(|game| game_json(game, steps)),
        })
    }
}

/// The stones that `--dead` names or asks for.
struct NamedDead {
    stones: Vec<Point>,
    /// Whether these are all dead stones, not one of each group.
    are_all: bool,
    /// The playouts that decided where nothing is proved, if they were asked.
    estimate: Option<Estimate>,
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

#[cfg(test)]
mod tests {
    use jigo_engine::{BoardSize, protocol::GameEvent, zobrist::mix64};

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
            let mut end = End::from_whole_game(&sgf::from_protocol(&game), &mut Vec::new()).unwrap().unwrap();
            let sheet = end.sheet(conduct, end.dead.as_deref().unwrap(), None);
            let total = |sheet: &Sheet| {
                [0, 1].map(|color| sheet.parts().iter().map(|(_, points)| points[color]).sum::<i32>())
            };
            assert_eq!(
                total(&sheet),
                game.result().unwrap().half_points,
                "{name}, {:#}",
                game.game().board()
            );
            assert_eq!(sheet.count, game.result().unwrap());
            end.handed_over = [0; 2];
            assert_eq!(total(&end.sheet(conduct, end.dead.as_deref().unwrap(), None)), total(&sheet));
            games += 1;
        }
        assert!(games >= 150, "{games}");
    }
}
