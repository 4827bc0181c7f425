//! Who wins at the komi of the report.

use super::{
    super::{Figure, Group, Titled, parts::rate_cells},
    Cells,
    across::{MAX_ROWS, and_the_rest},
};
use crate::report::{
    chart::{Caption, Stack, Stacks},
    data_table::DataTable,
    summary::{AtKomi, Rate},
};

pub(super) fn group(cells: Cells<'_>) -> Group {
    let komi = cells.all[0].finished.at_komi.komi.to_string().replace('-', "−");
    Group {
        text: format!(
            "Shares of the finished games that Black wins, White wins and that end in jigo, at komi {komi}. The games were played without \
             regard to the komi; players who know it might choose other moves, and stronger players reach other shares."
        ),
        figures: figure(cells).into_iter().collect(),
        tables: vec![table(cells)],
        ..Group::new("Who wins?")
    }
}

fn parts(at: &AtKomi) -> [Rate; 3] {
    [at.black, at.jigo, at.white]
}

fn figure(cells: Cells<'_>) -> Option<Figure> {
    let title = "Wins of Black, jigo, wins of White";
    let text = and_the_rest("Of 100 finished games. The line in the middle is an even game.", cells);
    let mut stacks = Vec::new();
    for cell in cells.all.iter().filter(|cell| cell.finished.games > 0).take(MAX_ROWS) {
        let label = cells.naming.short(&cell.config);
        let rates = parts(&cell.finished.at_komi);
        let share = |rate: Rate| 100.0 * rate.share.unwrap_or(0.0);
        stacks.push(Stack { label, parts: rates.map(share) });
    }
    let chart = Stacks {
        caption: Caption { id: "front-wins", title, description: &text },
        x_label: "% of finished games",
        parts: ["Black wins", "jigo", "White wins"],
        stacks: &stacks,
    };
    let svg = chart.draw();
    (!stacks.is_empty()).then(|| Figure { title: title.to_owned(), svg, text, table: DataTable::default() })
}

fn table(cells: Cells<'_>) -> Titled {
    let parts = ["Black wins, %", "jigo, %", "White wins, %"];
    let headings = parts.into_iter().flat_map(|part| [part, "95 % interval"]);
    let titled = cells.table(headings, |cell| {
        let rates = self::parts(&cell.finished.at_komi);
        rates.into_iter().flat_map(|rate| rate_cells(rate).into_iter().skip(1)).collect()
    });
    Titled { note: format!("Intervals: {}, 95 %.", crate::report::summary::RATE_METHOD), ..titled }
}
