//! `jigo study --seki-census`: all sekis of a tiny board.

use std::fmt::Write as _;

use jigo_engine::{
    BoardSize, Ko, Suicide,
    count::{SekiCensus, SekiForm, seki_census},
    life::SekiKind,
};
use serde_json::{Value, json};

use crate::{
    args::StudyArgs,
    config::RuleSets,
    output::{group, print},
    progress,
};

/// Columns that pictures side by side take.
const WIDTH: usize = 78;

/// Lists the sekis under each choice of suicide and ko among the rules; nothing else about rules matters.
pub(crate) fn run(args: &StudyArgs, size: BoardSize) -> anyhow::Result<()> {
    let mut choices: Vec<(Suicide, Ko)> = Vec::new();
    for rules in RuleSets::expand(&args.rules) {
        // Without history positional and situational superko are the same.
        let ko = if rules.ko.is_superko() { Ko::PositionalSuperko } else { Ko::Simple };
        if !choices.contains(&(rules.suicide, ko)) {
            choices.push((rules.suicide, ko));
        }
    }
    let mut values = Vec::new();
    for (suicide, ko) in choices {
        let census = progress::counted(|report| seki_census(size, suicide, ko, report))?;
        let name = name(suicide, ko);
        if args.report.json {
            values.push(as_json(size, name, &census));
        } else {
            print(&as_text(size, name, &census))?;
        }
    }
    if args.report.json { print(&format!("{:#}\n", Value::Array(values))) } else { Ok(()) }
}

const fn name(suicide: Suicide, ko: Ko) -> &'static str {
    match (ko, suicide) {
        (Ko::Simple, Suicide::Forbidden) => "simple-ko+no-suicide",
        (Ko::Simple, Suicide::Allowed) => "simple-ko+suicide",
        (_, Suicide::Forbidden) => "superko+no-suicide",
        (_, Suicide::Allowed) => "superko+suicide",
    }
}

fn as_text(size: BoardSize, name: &str, census: &SekiCensus) -> String {
    let SekiCensus { positions, with_seki, unknown, forms } = census;
    let mut text = format!(
        "{size} {name}: {} of {} legal positions hold a seki, {} up to symmetry and colour\n",
        group(*with_seki),
        group(*positions),
        group(forms.len() as u64)
    );
    if *unknown > 0 {
        let _ = writeln!(text, "{} positions have a chain of unknown status", group(*unknown));
    }
    let _ = writeln!(text, "\n{:<18}{:>10}{:>12}", "kind of seki", "forms", "positions");
    for kind in SekiKind::ALL {
        let (forms, positions) = census.of_kind(kind);
        let _ = writeln!(text, "{:<18}{:>10}{:>12}", kind.name(), group(forms), group(positions));
    }
    for kind in SekiKind::ALL {
        let of_kind: Vec<&SekiForm> = forms.iter().filter(|form| form.kind == kind).collect();
        if !of_kind.is_empty() {
            let _ = writeln!(text, "\n{kind}");
            push_pictures(&mut text, &of_kind);
        }
    }
    text.push('\n');
    text
}

/// The rows of the board, without what is beyond its edge.
fn rows(form: &SekiForm) -> Vec<String> {
    let inner = |row: &str| row[1..row.len() - 1].chars().map(String::from).collect::<Vec<_>>().join(" ");
    let height = form.shape.height();
    form.shape.rows().skip(1).take(height - 2).map(inner).collect()
}

/// Pictures side by side, with the number of positions under each.
fn push_pictures(text: &mut String, forms: &[&SekiForm]) {
    let Some(first) = forms.first() else { return };
    let width = (2 * first.shape.width() - 2).max(8);
    for forms in forms.chunks((WIDTH / width).max(1)) {
        let pictures: Vec<Vec<String>> = forms
            .iter()
            .map(|form| rows(form).into_iter().chain([format!("({})", form.positions)]).collect())
            .collect();
        text.push('\n');
        for line in 0..pictures[0].len() {
            let cells = pictures.iter().map(|picture| format!("{:width$}", picture[line]));
            text.push_str(cells.collect::<String>().trim_end());
            text.push('\n');
        }
    }
}

fn as_json(size: BoardSize, name: &str, census: &SekiCensus) -> Value {
    let form = |form: &SekiForm| json!({ "kind": form.kind.name(), "positions": form.positions, "rows": rows(form) });
    json!({
        "size": size.to_string(),
        "rules": name,
        "positions": census.positions,
        "with_seki": census.with_seki,
        "unknown": census.unknown,
        "forms": census.forms.iter().map(form).collect::<Vec<_>>(),
    })
}
