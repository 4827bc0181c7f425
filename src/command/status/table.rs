//! Statuses in tables.

use std::fmt::Write as _;

use jigo_engine::life::{ChainStatus, Proof, Status};

use super::{Findings, check::Check};

/// A line for each chain: a point of it, status, proof, number of stones.
pub(super) fn chains(findings: &Findings<'_>) -> String {
    if findings.chains.is_empty() {
        return String::new();
    }
    let size = findings.position.size();
    let mut table = format!("\n{:<12}{:<12}{:<10}{:>6}", "chain", "status", "proof", "stones");
    table.push_str(if findings.checks.is_some() { "   check\n" } else { "\n" });
    for (number, ChainStatus { color, stones, status, proof }) in (0..).zip(&findings.chains) {
        let chain = format!("{color} {}", stones[0].to_gtp(size));
        let check = findings.checks.as_ref().map_or("", |checks: &Vec<Check>| checks[number].name());
        let line = format!("{chain:<12}{status:<12}{proof:<10}{:>6}   {check}", stones.len());
        let _ = writeln!(table, "{}", line.trim_end());
    }
    table
}

/// The stones by status and proof.
pub(super) fn totals(findings: &Findings<'_>) -> String {
    let line = |name: &str, counts: &[usize]| {
        let counts: String = counts.iter().map(|count| format!("{count:>9}")).collect();
        format!("{name:<12}{counts}\n")
    };
    let row = |status: Option<Status>| {
        let counts = Proof::ALL.map(|proof| findings.stone_count(status, proof));
        let sum = counts.iter().sum();
        line(status.map_or("total", Status::name), &[&counts[..], &[sum]].concat())
    };
    let heads = Proof::ALL.map(|proof| format!("{proof:>9}")).concat();
    let rows: String = findings.statuses().map(|status| row(Some(status))).collect();
    if rows.is_empty() { rows } else { format!("\n{:<12}{heads}{:>9}\n{rows}{}", "stones", "all", row(None)) }
}
