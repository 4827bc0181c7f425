//! `jigo status`: prints the status of every chain, and on request why a chain has it.

use std::{fmt::Write as _, path::PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use console::Style;
use jigo_analysis::report::Reasons;
use jigo_engine::{
    AnyPosition, Color, Point, Position, RuleSet, Rules,
    life::{ChainStatus, Proof, Status, StatusReport, StatusSolver},
};
use jigo_selfplay::{policy::count, search::Estimate};
use serde_json::{Map, Value, json};

use super::score;
use crate::{
    args,
    output::{print, print_json, print_trusted, rounded},
};

#[derive(Args, Debug)]
pub(crate) struct StatusArgs {
    /// SGF file, or a file with a diagram: X, O and . in rows; `-` for standard input. An argument of several lines is itself a diagram.
    #[arg(value_name = "FILE|DIAGRAM|-")]
    file: PathBuf,

    /// Which game of an SGF collection, from 1 [default: 1].
    #[arg(long, value_name = "N", value_parser = args::within(1..=u32::MAX))]
    game: Option<u32>,

    /// The position after this move of the game [default: the last one].
    #[arg(long = "move", value_name = "M")]
    after_move: Option<u32>,

    /// Rule set, of which suicide and ko matter: a name, values joined with +, or KataGo's notation [default: the record's, else
    /// tromp-taylor].
    #[arg(short, long, value_name = "RULES", value_parser = args::suggesting::<RuleSet>())]
    rules: Option<RuleSet>,

    /// States that each search may visit, as in 5000, 10k or 1e6; searches of zones on open boards stop at 100k. A higher limit solves more
    /// chains, loses none, and takes more time and memory. Limits act in steps: 200, 1k, 5k, 20k, 100k, 300k, 1e6, 3e6 and so on.
    #[arg(long, value_name = "VISITS", default_value = "20k", value_parser = visit_limit)]
    limit: usize,

    /// Show why the chain on this point has its status: a line of play with either player moving first, or what makes it unconditionally
    /// alive or dead.
    #[arg(long, value_name = "POINT")]
    prove: Option<String>,

    /// Also estimate by playouts what is not proved: how often each chain is lost, and whose area each point becomes.
    #[arg(long)]
    estimate: bool,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn visit_limit(text: &str) -> Result<usize, String> {
    /// More visits would fill the memory of usual machines.
    const MAX: u64 = 100_000_000;
    let visits = count(text).filter(|&visits| visits <= MAX);
    visits
        .map(|visits| visits as usize)
        .ok_or_else(|| format!("`{text}` is not a number of visits: write 5000, 10k or 1e6, at most 1e8"))
}

pub(crate) fn run(args: &StatusArgs) -> anyhow::Result<()> {
    let (position, stated) = score::position(&args.file, args.game, args.after_move)?;
    // Checked before the search, which may take long.
    let point = args.prove.as_ref().map(|name| stone_named(&position, name)).transpose()?;
    let rules = args.rules.map_or(stated, |rules| *rules);
    let mut solver = StatusSolver::with_limit(rules.suicide, rules.ko, args.limit);
    let report = solver.solve(&position);
    let chains = || report.chains().cloned().collect();
    let estimate = args.estimate.then(|| Estimate::new(AnyPosition::new(&position), rules, chains()));
    let findings = Findings { position: &position, rules, limit: args.limit, report, estimate };
    let reason = |point| findings.reason(findings.chain_at(point).expect("every stone belongs to a chain"));
    let (explanation, reasons) = point.map(reason).unzip();
    if args.json {
        let mut value = findings.to_json();
        if let Some(reasons) = reasons {
            value["reasons"] = reasons;
        }
        return print_json(&value);
    }
    print_trusted(&findings.picture())?;
    let texts = [
        findings.chain_table(),
        findings.totals(),
        findings.ownership_picture().unwrap_or_default(),
        explanation.unwrap_or_default(),
    ];
    print(&texts.concat())
}

/// Returns the named point, on which there must be a stone.
fn stone_named(position: &Position, name: &str) -> anyhow::Result<Point> {
    let size = position.size();
    let point = Point::from_gtp(name, size).context("--prove names a point")?;
    if position.stone(point).is_none() {
        bail!("there is no stone on {}, which --prove names", point.to_gtp(size));
    }
    Ok(point)
}

/// The chains of a position with their statuses, and the settings of the search.
struct Findings<'a> {
    position: &'a Position,
    rules: Rules,
    limit: usize,
    report: StatusReport,
    estimate: Option<Estimate>,
}

impl Findings<'_> {
    fn chain_at(&self, point: Point) -> Option<&ChainStatus> {
        self.report.chains().find(|chain| chain.stones.contains(&point))
    }

    /// Lists the statuses that occur, best for the owner first.
    fn statuses(&self) -> impl Iterator<Item = Status> {
        let occurs = |status: &Status| self.report.chains().any(|chain| chain.status == *status);
        Status::ALL.into_iter().filter(occurs)
    }

    /// Counts the stones with this status (any if `None`) that this kind of proof decides.
    fn stone_count(&self, status: Option<Status>, proof: Proof) -> usize {
        let counts =
            |chain: &&ChainStatus| chain.proof == proof && status.is_none_or(|status| chain.status == status);
        self.report.chains().filter(counts).map(|chain| chain.stones.len()).sum()
    }

    /// Draws the board with coordinates, a sign after each stone, and a legend. On terminals with colours.
    fn picture(&self) -> String {
        let size = self.position.size();
        let columns = (0..size.width()).map(|x| Point::new(x as u8, 0).to_gtp(size)[..1].to_owned());
        let columns = format!("   {}\n", columns.collect::<Vec<_>>().join(" "));
        let mut picture = columns.clone();
        for y in 0..size.height() {
            let number = size.height() - y;
            let cell = |x| match self.chain_at(Point::new(x as u8, y as u8)) {
                Some(chain) => stone(chain.color, chain.status),
                None => ". ".to_owned(),
            };
            let row: String = (0..size.width()).map(cell).collect();
            let _ = writeln!(picture, "{number:2} {row}{number}");
        }
        let legend = self
            .statuses()
            .map(|status| format!("{} {status}", Color::BOTH.map(|color| stone(color, status)).concat()));
        match legend.collect::<Vec<_>>().join("   ") {
            legend if legend.is_empty() => picture + &columns + "no stones\n",
            legend => format!("{picture}{columns}\n{legend}\n"),
        }
    }

    /// The share of the playouts in which a chain is lost, where that is estimated.
    fn lost(&self, chain: &ChainStatus) -> Option<f64> {
        let mut estimated = self.estimate.as_ref()?.estimated();
        estimated.find(|(other, _)| other.stones == chain.stones).map(|(_, lost)| lost)
    }

    /// Prints a row for each chain: a stone of it, its status, proof and number of stones, and how often it is lost in playouts.
    fn chain_table(&self) -> String {
        let row = |chain: &ChainStatus| {
            let ChainStatus { color, stones, status, proof } = chain;
            let name = format!("{color} {}", stones[0].to_gtp(self.position.size()));
            let lost = self.lost(chain).map_or(String::new(), |lost| {
                format!("{:>7.0} %  {}", 100.0 * lost, if lost > Estimate::DEAD { "dead" } else { "alive" })
            });
            format!("{name:<12}{status:<12}{proof:<10}{:>6}{lost}\n", stones.len())
        };
        let rows: String = self.report.chains().map(row).collect();
        if rows.is_empty() {
            return rows;
        }
        let estimated = if self.estimate.is_some() { "     lost  estimated" } else { "" };
        format!("\n{:<12}{:<12}{:<10}{:>6}{estimated}\n{rows}", "chain", "status", "proof", "stones")
    }

    /// Draws whose area each point becomes in playouts.
    fn ownership_picture(&self) -> Option<String> {
        let (size, ownership) = (self.position.size(), &self.estimate.as_ref()?.ownership);
        let sign = |point| {
            let [black, white] = Color::BOTH.map(|color| ownership.share(point, color));
            match () {
                () if black > 0.75 => 'X',
                () if white > 0.75 => 'O',
                () if black > 0.5 => 'x',
                () if white > 0.5 => 'o',
                () => '.',
            }
        };
        let row = |y: usize| {
            let signs = (0..size.width()).map(|x| format!(" {}", sign(Point::new(x as u8, y as u8))));
            format!("{:2}{}\n", size.height() - y, signs.collect::<String>())
        };
        let rows: String = (0..size.height()).map(row).collect();
        let legend = "area at the end of the playouts: XO in more than 75 %, xo in more than 50 %";
        Some(format!("\n{legend}\n{rows}"))
    }

    /// Prints the numbers of stones by status and proof.
    fn totals(&self) -> String {
        let row = |status: Option<Status>| {
            let counts = Proof::ALL.map(|proof| self.stone_count(status, proof));
            let cells = counts.map(|count| format!("{count:>9}")).concat();
            let name = status.map_or("total", Status::name);
            format!("{name:<12}{cells}{:>9}\n", counts.iter().sum::<usize>())
        };
        let rows: String = self.statuses().map(|status| row(Some(status))).collect();
        if rows.is_empty() {
            return rows;
        }
        let heads = Proof::ALL.map(|proof| format!("{proof:>9}")).concat();
        format!("\n{:<12}{heads}{:>9}\n{rows}{}", "stones", "all", row(None))
    }

    fn to_json(&self) -> Value {
        let by_proof = |status| {
            let count = |proof: Proof| json!(self.stone_count(Some(status), proof));
            Proof::ALL.map(|proof| (proof.name().to_owned(), count(proof))).into_iter().collect::<Map<_, _>>()
        };
        let totals = Status::ALL.map(|status| (status.name().to_owned(), by_proof(status).into()));
        let mut value = json!({
            "size": self.position.size().to_string(),
            "rules": self.rules.canonical(),
            "limit": self.limit,
            "chains": self.report.chains().map(|chain| self.chain_json(chain)).collect::<Vec<_>>(),
            "stones": totals.into_iter().collect::<Map<_, _>>(),
        });
        if let Some(Estimate { ownership, .. }) = &self.estimate {
            let share = |point, color| ownership.share(point, color);
            let owner = |point| rounded(share(point, Color::Black) - share(point, Color::White));
            value["ownership"] = self.position.size().points().map(owner).collect();
        }
        value
    }

    fn chain_json(&self, chain: &ChainStatus) -> Value {
        let mut value = self.reasons().chain_json(chain);
        self.add_estimate(chain, &mut value);
        value
    }

    fn add_estimate(&self, chain: &ChainStatus, value: &mut Value) {
        if let Some(lost) = self.lost(chain) {
            value["estimated"] = json!({ "dead": lost > Estimate::DEAD, "lost": lost });
        }
    }

    fn reasons(&self) -> Reasons<'_> {
        Reasons { position: self.position, suicide: self.rules.suicide, report: &self.report }
    }

    /// Says why a chain has its status: in words and as JSON.
    fn reason(&self, chain: &ChainStatus) -> (String, Value) {
        let (text, mut value) = self.reasons().of(chain);
        self.add_estimate(chain, &mut value);
        (format!("\n{text}"), value)
    }
}

/// Returns a stone with the sign of its status: two columns, coloured on terminals.
fn stone(color: Color, status: Status) -> String {
    let letter = match color {
        Color::Black => 'X',
        Color::White => 'O',
    };
    let style = match status {
        Status::Alive => Style::new().green(),
        Status::Seki => Style::new().cyan(),
        Status::Unsettled => Style::new().yellow(),
        Status::Ko => Style::new().magenta(),
        Status::Dead => Style::new().red(),
        Status::Unknown => Style::new().dim(),
    };
    style.apply_to(format!("{letter}{}", status.sign())).to_string()
}
