//! The board with the statuses of its stones.

use std::fmt::Write as _;

use console::Style;
use jigo_engine::{Color, Point, life::Status};

use super::Findings;

/// The board with coordinates, a mark behind each stone, and what the marks mean. On terminals with colours.
pub(super) fn of(findings: &Findings<'_>) -> String {
    let size = findings.position.size();
    let names = (0..size.width()).map(|x| Point::new(x as u8, 0).to_gtp(size)[..1].to_owned());
    let columns = format!("   {}\n", names.collect::<Vec<_>>().join(" "));
    let mut picture = columns.clone();
    for y in 0..size.height() {
        let number = size.height() - y;
        let _ = write!(picture, "{number:2} ");
        for x in 0..size.width() {
            picture.push_str(&cell(findings, Point::new(x as u8, y as u8)));
        }
        let _ = writeln!(picture, "{number}");
    }
    picture + &columns + &legend(findings)
}

/// A point: two columns.
fn cell(findings: &Findings<'_>, point: Point) -> String {
    match findings.chain_at(point) {
        Some(chain) => stone(chain.color, chain.status),
        None => ". ".to_owned(),
    }
}

fn stone(color: Color, status: Status) -> String {
    let sign = match color {
        Color::Black => 'X',
        Color::White => 'O',
    };
    style(status).apply_to(format!("{sign}{}", status.sign())).to_string()
}

fn style(status: Status) -> Style {
    let plain = Style::new();
    match status {
        Status::Alive => plain.green(),
        Status::Seki => plain.cyan(),
        Status::Unsettled => plain.yellow(),
        Status::Ko => plain.magenta(),
        Status::Dead => plain.red(),
        Status::Unknown => plain.dim(),
    }
}

/// The marks that occur.
fn legend(findings: &Findings<'_>) -> String {
    let words = findings.statuses().map(|status| {
        let signs = Color::BOTH.map(|color| stone(color, status)).concat();
        format!("{signs} {status}")
    });
    match words.collect::<Vec<_>>().join("   ") {
        words if words.is_empty() => "no stones\n".to_owned(),
        words => format!("\n{words}\n"),
    }
}
