//! `jigo solve`: the result of best play on small boards, with proofs.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::Args;
use jigo_analysis::proofs::{check_target, write_proofs};
use jigo_engine::{
    BoardSize, Color, Ko, Komi, Move, Position, Rules, Suicide,
    count::CountError,
    rules::Tax,
    solve::{
        Bounds, Claim, Effort, KoSensitive, KoSensitivity, Problem, Progress, Proof, Value, Verdict,
        solved_rules,
    },
};
use serde_json::{Value as Json, json};

use super::score;
use crate::{
    args::{self, Limit, RuleSets, ThreadArgs, unique},
    output::{Failure, fixed, group, print, print_json, quantity},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    /// Board size: 2 or 2x3, at most 25 points.
    #[arg(value_name = "SIZE", required_unless_present = "position", conflicts_with = "position", value_parser = args::suggesting::<BoardSize>())]
    size: Option<BoardSize>,

    /// Solve a position: SGF file, or a file with a diagram; `-` for standard input. Of the moves before, only a ko that was taken last matters. On boards
    /// of more than 25 points unconditionally alive chains must enclose what is open.
    #[arg(long, value_name = "FILE")]
    position: Option<PathBuf>,

    /// Which game of an SGF collection, from 1 [default: 1].
    #[arg(long, value_name = "N", requires = "position", value_parser = args::within(1..=u32::MAX))]
    game: Option<u32>,

    /// The position after this move of the game [default: the last one].
    #[arg(long = "move", value_name = "M", requires = "position")]
    after_move: Option<u32>,

    /// Who plays first: black or white [default: as in the record, else black].
    #[arg(long, value_name = "COLOR", value_parser = color)]
    to_play: Option<Color>,

    /// Rule sets: names, or values joined with +, in a list, or `lattice` for every combination of values. Ko and suicide matter; area is counted.
    #[arg(short, long, value_name = "RULES", default_value = args::DEFAULT_RULES, value_parser = args::suggesting::<RuleSets>())]
    rules: Vec<RuleSets>,

    /// Also say who wins with this komi.
    #[arg(long, value_name = "KOMI", allow_hyphen_values = true)]
    komi: Option<Komi>,

    /// Only look for a proof that Black's margin is at least this.
    #[arg(long, value_name = "MARGIN", allow_hyphen_values = true)]
    at_least: Option<i32>,

    /// Only look for a proof that Black's margin is at most this.
    #[arg(long, value_name = "MARGIN", allow_hyphen_values = true, conflicts_with = "at_least")]
    at_most: Option<i32>,

    /// Find all first moves that keep the value, up to symmetry.
    #[arg(long, conflicts_with_all = ["at_least", "at_most"])]
    all_moves: bool,

    /// Instead, find all positions of a board of up to 12 points whose value depends on the ko rule, with Black to play.
    #[arg(long, conflicts_with_all = ["position", "to_play", "komi", "at_least", "at_most", "all_moves", "proof"])]
    ko_sensitive: bool,

    /// Write the proofs to a file, which `jigo verify` checks; compressed when its name ends with .gz.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,

    /// Memory, time or both that the search may take, as in 8GB,1h. At the limit, what was found is printed and proved [default: 1GB].
    #[arg(long, value_name = "LIMIT", value_delimiter = ',')]
    limit: Vec<Limit>,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn color(text: &str) -> Result<Color, String> {
    let named = |color: &Color| color.to_string().eq_ignore_ascii_case(text);
    Color::BOTH
        .into_iter()
        .find(named)
        .ok_or_else(|| format!("`{text}` is not a player: write black or white"))
}

impl SolveArgs {
    fn problem(&self, suicide: Suicide) -> anyhow::Result<Problem> {
        let (position, stated) = match (&self.position, self.size) {
            (Some(path), _) => score::position_to_play(path, self.game, self.after_move)?,
            (None, size) => (Position::new(size.context("a size or a position")?), None),
        };
        let (stated, ko) = stated.unwrap_or((Color::Black, None));
        let to_play = self.to_play.unwrap_or(stated);
        let size = position.size();
        Problem::new(&position, to_play, ko.filter(|_| to_play == stated), suicide)
            .map_err(|error| Failure::wrong_arguments(format!("a {size} board is too large: {error}")))
    }

    /// Returns the bytes that may be used.
    fn memory(&self) -> u64 {
        let memory = |limit: &Limit| if let Limit::Memory(bytes) = limit { Some(*bytes) } else { None };
        self.limit.iter().filter_map(memory).min().unwrap_or(1_000_000_000)
    }

    fn time(&self) -> Option<Duration> {
        let time = |limit: &Limit| if let Limit::Time(time) = limit { Some(*time) } else { None };
        self.limit.iter().filter_map(time).min()
    }

    fn effort(&self) -> Effort {
        Effort { memory: self.memory() as usize, threads: self.threads.count(), ..Effort::default() }
    }

    fn claim(&self) -> Option<Claim> {
        let black = self.at_least.map(|margin| Claim { prover: Color::Black, margin });
        black.or(self.at_most.map(|margin| Claim { prover: Color::White, margin: -margin }))
    }
}

pub(crate) fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let rule_sets = RuleSets::expand(&args.rules);
    let rule_sets = rule_sets.into_iter().map(|set| solved_rules(*set)).collect::<Result<Vec<_>, _>>()?;
    let choices = unique(rule_sets);
    if choices.iter().any(|rules| rules.tax != Tax::None) && (args.claim().is_some() || args.ko_sensitive) {
        return Err(Failure::wrong_arguments(
            "bounds and comparisons are found without a tax alone: leave the tax out of --rules",
        ));
    }
    if args.ko_sensitive {
        return list_ko_sensitive(args, unique(choices.iter().map(|rules| rules.suicide)));
    }
    // Found out before a search that may take hours.
    if let Some(path) = &args.proof {
        check_target(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let start = Instant::now();
    let mut searches: Vec<(Rules, Problem, Search)> = Vec::new();
    let (mut solutions, mut values) = (Vec::new(), Vec::new());
    for rules in choices {
        let is_same = |other: &Rules| (other.suicide, other.tax) == (rules.suicide, rules.tax);
        let place = match searches.iter().position(|(other, ..)| is_same(other)) {
            Some(place) => place,
            None => {
                let problem = args.problem(rules.suicide)?;
                let is_taxed = rules.tax != Tax::None;
                let search = if is_taxed { Search::none(&problem) } else { Search::new(&problem, args) };
                searches.push((rules, problem, search));
                searches.len() - 1
            }
        };
        let (_, problem, search) = &searches[place];
        let answer = Answer::new(problem, search, rules, args, start)?;
        if args.json {
            values.push(answer.to_json(args));
        } else {
            print(&answer.text(args))?;
        }
        if answer.is_interrupted {
            if args.json {
                print_json(&values.into())?;
            }
            return Err(Failure::interrupted(format!("{} is not solved", answer.name())));
        }
        solutions.extend(answer.value.exact);
    }
    if let Some(path) = &args.proof {
        let bounds = searches.iter().flat_map(|(.., search)| &search.bounds.proofs);
        let proofs = bounds.chain(solutions.iter().flat_map(|solution| &solution.proofs));
        let proofs: Vec<&Proof> = proofs.flatten().collect();
        if proofs.is_empty() {
            return Err(Failure::ProblemsFound(format!(
                "nothing is proved, so that {} was not written",
                path.display()
            ))
            .into());
        }
        write_proofs(path, proofs).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if args.json { print_json(&values.into()) } else { Ok(()) }
}

/// Lists the positions of a board whose value depends on the ko rule, under each rule for suicide.
fn list_ko_sensitive(args: &SolveArgs, suicides: Vec<Suicide>) -> anyhow::Result<()> {
    let size = args.size.context("a size")?;
    let start = Instant::now();
    let mut values = Vec::new();
    for suicide in suicides {
        let memory = args.memory() as usize / 2;
        let found = timed(args, start, |report| KoSensitivity::new(size, suicide, memory, report));
        let found = found.map_err(|error| match error {
            CountError::Stopped if !progress::stoppable().is_stopped() => Failure::ProblemsFound(
                "the time limit was reached before all positions were solved".to_owned(),
            )
            .into(),
            error => progress::count_failure(error, format!("{size} {suicide} is not finished")),
        })?;
        let KoSensitivity { positions, sensitive } = &found;
        if args.json {
            let listed = sensitive.iter().map(|KoSensitive { position, margins }| {
                let margins = Ko::ALL.iter().zip(margins).map(|(ko, margin)| (ko.name().to_owned(), json!(margin)));
                json!({ "position": position.to_string(), "margins": margins.collect::<serde_json::Map<_, _>>() })
            });
            values.push(json!({
                "size": size.to_string(),
                "suicide": suicide.name(),
                "positions": positions,
                "sensitive": listed.collect::<Vec<_>>(),
            }));
            continue;
        }
        print(&ko_sensitivity_text(size, suicide, &found))?;
    }
    if args.json { print_json(&values.into()) } else { Ok(()) }
}

/// Says how many positions have different values under different ko rules, and shows those with the fewest stones.
fn ko_sensitivity_text(size: BoardSize, suicide: Suicide, found: &KoSensitivity) -> String {
    /// The most positions that are shown.
    const MAX_SHOWN: usize = 6;
    let KoSensitivity { positions, sensitive } = found;
    let count =
        |differ: &dyn Fn(&[i32; 3]) -> bool| sensitive.iter().filter(|found| differ(&found.margins)).count();
    let superko = count(&|[_, positional, situational]| positional != situational);
    let [total, all, superko] = [sensitive.len() as u64, *positions, superko as u64].map(group);
    let mut text = format!(
        "{size} area+{suicide}: the value of {total} of {all} positions depends on the ko rule, of {superko} on the kind of superko\n"
    );
    let stones = |found: &KoSensitive| found.position.colored_stones().count();
    let fewest = sensitive.first().map_or(0, stones);
    for found in sensitive.iter().take_while(|found| stones(found) == fewest).take(MAX_SHOWN) {
        let margins = Ko::ALL.iter().zip(found.margins).map(|(ko, margin)| format!("{ko} {margin:+}"));
        text += &format!("\n{}{}\n", found.position, margins.collect::<Vec<_>>().join(", "));
    }
    text
}

/// What the search for bounds found, which holds under every ko rule.
struct Search {
    bounds: Bounds,
    states: u64,
    /// What was won, but takes too much memory to prove.
    unproved: Vec<Claim>,
    is_interrupted: bool,
}

impl Search {
    fn new(problem: &Problem, args: &SolveArgs) -> Self {
        let progress = Progress::new();
        let bounds = progress::shown_search(&progress, args.time(), || match args.claim() {
            None => problem.bounds(args.effort(), &progress),
            Some(claim) => {
                let proof = problem.prove(claim, args.effort(), &progress);
                proof.map_or_else(|| Bounds::unknown(problem), Bounds::proved)
            }
        });
        let (states, unproved) = (progress.states(), progress.unproved());
        Self { bounds, states, unproved, is_interrupted: progress.is_stopped() }
    }

    /// Under a tax bounds are not searched for.
    fn none(problem: &Problem) -> Self {
        Self { bounds: Bounds::unknown(problem), states: 0, unproved: Vec::new(), is_interrupted: false }
    }
}

/// What is known under one ko rule.
struct Answer<'a> {
    problem: &'a Problem,
    search: &'a Search,
    rules: Rules,
    value: Value,
    /// The first moves that are best, as far as they were asked for or are known.
    first_moves: Vec<Move>,
    seconds: f64,
    is_interrupted: bool,
}

impl<'a> Answer<'a> {
    fn new(
        problem: &'a Problem,
        search: &'a Search,
        rules: Rules,
        args: &SolveArgs,
        start: Instant,
    ) -> anyhow::Result<Self> {
        let mut answer = Self {
            problem,
            search,
            rules,
            value: Value::from_bounds(&search.bounds),
            first_moves: Vec::new(),
            seconds: 0.0,
            is_interrupted: search.is_interrupted,
        };
        if !search.is_interrupted {
            answer.find_value(args, start)?;
        }
        answer.find_first_moves(args, start)?;
        answer.seconds = start.elapsed().as_secs_f64();
        Ok(answer)
    }
}

impl Answer<'_> {
    /// Finds the value under this ko rule, unless only one bound is asked for.
    fn find_value(&mut self, args: &SolveArgs, start: Instant) -> anyhow::Result<()> {
        let (problem, bounds) = (self.problem, &self.search.bounds);
        self.value = match args.claim() {
            Some(_) => problem.bounds_under(self.rules.ko, bounds),
            None => timed(args, start, |report| {
                problem.value(self.rules, bounds, args.memory() as usize / 2, report)
            })?,
        };
        self.is_interrupted = progress::stoppable().is_stopped();
        Ok(())
    }

    fn find_first_moves(&mut self, args: &SolveArgs, start: Instant) -> anyhow::Result<()> {
        let problem = self.problem;
        let player = problem.to_play().index();
        let exact = self.value.exact.as_ref().and_then(|solution| solution.proofs[player].as_ref());
        let proof = exact.or(self.search.bounds.proofs[player].as_ref());
        let first = self.value.exact.as_ref().and_then(|solution| solution.line.first().copied());
        self.first_moves = first.or(proof.and_then(Proof::first_move)).into_iter().collect();
        let Some(best) = self.value.margin().filter(|_| args.all_moves && !self.is_interrupted) else {
            return Ok(());
        };
        if self.value.exact.is_some() {
            let memory = args.memory() as usize / 2;
            let moves = timed(args, start, |report| problem.best_moves(self.rules, best, memory, report));
            match moves {
                // Of mirror images one.
                Ok(moves) => {
                    self.first_moves = problem.first_moves();
                    self.first_moves.retain(|mv| moves.contains(mv));
                }
                Err(CountError::Stopped) => self.is_interrupted = true,
                Err(error) => return Err(error.into()),
            }
            return Ok(());
        }
        let progress = Progress::new();
        let left = args.time().map(|limit| limit.saturating_sub(start.elapsed()));
        let decided = progress::shown_search(&progress, left, || {
            let keeps = |&mv: &Move| problem.keeps_value(mv, best, args.effort(), &progress) == Some(true);
            problem.first_moves().into_iter().filter(keeps).collect::<Vec<Move>>()
        });
        self.is_interrupted = progress.is_stopped();
        self.first_moves = decided;
        Ok(())
    }

    fn name(&self) -> String {
        let Rules { ko, suicide, tax, .. } = self.rules;
        let tax = if tax == Tax::None { String::new() } else { format!("+{tax}") };
        format!("{} area+{ko}+{suicide}{tax}", self.problem.size())
    }
}

/// Runs an exact search that ends when Ctrl-C or the time limit says so.
fn timed<T>(
    args: &SolveArgs,
    start: Instant,
    work: impl FnOnce(&mut dyn FnMut(u64) -> std::ops::ControlFlow<()>) -> Result<T, CountError>,
) -> Result<T, CountError> {
    progress::counted(|report| {
        work(&mut |steps| match args.time() {
            Some(limit) if start.elapsed() >= limit => std::ops::ControlFlow::Break(()),
            _ => report(steps),
        })
    })
}

/// How results are shown.
impl Answer<'_> {
    /// Iterates over the proofs that were checked, with what was found.
    fn proofs(&self) -> impl Iterator<Item = (&Proof, Verdict)> {
        let exact = self.value.exact.iter().flat_map(|solution| &solution.proofs);
        let proofs = self.search.bounds.proofs.iter().chain(exact).flatten();
        proofs.filter_map(|proof| Some((proof, proof.check().ok()?)))
    }

    /// Returns whether all that is said of the margin holds under every ko rule.
    fn holds_under_every_ko_rule(&self) -> bool {
        let mut proofs = self.proofs().peekable();
        proofs.peek().is_some() && proofs.all(|(_, verdict)| verdict.holds_under_superko)
    }

    /// Returns under which rules the margins hold.
    fn scope(&self) -> String {
        let ko = self.rules.ko;
        let holds = |(proof, verdict): &(&Proof, Verdict)| match proof.rules() {
            Some(_) => true,
            None => verdict.holds_under_superko || ko == Ko::Simple && self.value.exact.is_none(),
        };
        let mut proofs = self.proofs().filter(holds).peekable();
        if self.search.is_interrupted {
            "as far as the search has come, not proved".to_owned()
        } else if proofs.peek().is_none() {
            format!("nothing is proved under {ko}")
        } else if self.holds_under_every_ko_rule() {
            "under every ko rule, proved".to_owned()
        } else {
            format!("under {ko}, proved")
        }
    }

    fn text(&self, args: &SolveArgs) -> String {
        let size = self.problem.size();
        let margin = match self.value.margin() {
            Some(margin) => format!("Black {margin:+}"),
            None => format!("Black from {:+} to {:+}, not solved", self.value.least, self.value.most),
        };
        let mut text = format!("{}: {margin}\n    {}\n", self.name(), self.scope());
        for (proof, verdict) in self.proofs() {
            text += &format!("    {}\n", summary(proof, verdict));
        }
        for claim in &self.search.unproved {
            text += &format!("    {claim} was found, but its proof takes more memory than --limit allows\n");
        }
        if let (Some(komi), Some(margin)) = (args.komi, self.value.margin()) {
            text += &format!("    {}\n", winner(f64::from(margin) - komi.to_f64()));
        }
        if !self.first_moves.is_empty() {
            let names: Vec<String> = self.first_moves.iter().map(|mv| mv.to_gtp(size)).collect();
            let label = if args.all_moves { "best first moves" } else { "first move" };
            text += &format!("    {label}: {}\n", names.join(" "));
        }
        if let Some(solution) = self.value.exact.as_ref().filter(|solution| !solution.line.is_empty()) {
            let names: Vec<String> = solution.line.iter().map(|mv| mv.to_gtp(size)).collect();
            text += &format!("    best play: {}\n", names.join(" "));
        }
        let states = self.search.states + self.value.exact.as_ref().map_or(0, |solution| solution.nodes);
        text += &format!("    {} looked at in {} s", quantity(states, "state"), fixed(self.seconds, 2));
        if let Some(bytes) = peak_memory() {
            text += &format!(", {} MB", group(bytes.div_ceil(1_000_000)));
        }
        text + "\n"
    }

    fn to_json(&self, args: &SolveArgs) -> Json {
        let size = self.problem.size();
        let names = |moves: &[Move]| moves.iter().map(|mv| mv.to_gtp(size)).collect::<Vec<_>>();
        let proofs = self.proofs().map(|(proof, verdict)| proof_json(proof, verdict));
        let unproved = self
            .search
            .unproved
            .iter()
            .map(|claim| json!({ "player": claim.prover.to_string(), "margin": claim.margin }));
        let mut value = json!({
            "size": size.to_string(),
            "ko": self.rules.ko.name(),
            "suicide": self.rules.suicide.name(),
            "tax": self.rules.tax.name(),
            "to_play": self.problem.to_play().to_string(),
            "least_margin": self.value.least,
            "most_margin": self.value.most,
            "every_ko_rule": self.holds_under_every_ko_rule(),
            "first_moves": names(&self.first_moves),
            "proofs": proofs.collect::<Vec<_>>(),
            "unproved": unproved.collect::<Vec<_>>(),
            "states": self.search.states + self.value.exact.as_ref().map_or(0, |solution| solution.nodes),
            "seconds": self.seconds,
            "memory": peak_memory(),
        });
        if let Some(margin) = self.value.margin() {
            value["margin"] = margin.into();
            if let Some(komi) = args.komi {
                value["komi"] = komi.to_f64().into();
            }
        }
        if let Some(solution) = &self.value.exact {
            value["line"] = names(&solution.line).into();
        }
        value
    }
}

/// Says what a proof shows, under which ko rules, and how large it is.
pub(crate) fn summary(proof: &Proof, verdict: Verdict) -> String {
    let ko = match proof.rules() {
        Some(Rules { ko, tax: Tax::None, .. }) => ko.to_string(),
        Some(Rules { ko, tax, .. }) => format!("{ko} and {tax}"),
        None if verdict.holds_under_superko => "every ko rule".to_owned(),
        None => Ko::Simple.to_string(),
    };
    let (states, plies) = (quantity(verdict.states, "state"), verdict.plies);
    format!("{} under {ko}: {states}, at most {plies} plies", proof.claim())
}

/// Says the same as JSON.
pub(crate) fn proof_json(proof: &Proof, verdict: Verdict) -> Json {
    json!({
        "player": proof.claim().prover.to_string(),
        "margin": proof.claim().margin,
        "every_ko_rule": verdict.holds_under_superko,
        "ko": proof.rules().map_or(Ko::Simple, |rules| rules.ko).name(),
        "states": verdict.states,
        "plies": verdict.plies,
    })
}

/// Returns the most bytes that this process has taken so far, where the system says it (Linux).
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// Says who wins by how much.
fn winner(margin: f64) -> String {
    match margin {
        0.0 => "a draw with this komi".to_owned(),
        margin if margin > 0.0 => format!("Black wins by {margin} with this komi"),
        margin => format!("White wins by {} with this komi", -margin),
    }
}
