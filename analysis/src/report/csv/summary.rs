//! `summary.csv`: one row for each cell with all its numbers.

use jigo_engine::life::Status;
use jigo_selfplay::fingerprint::rules_fingerprint;

use super::{Sheet, setting_fields};
use crate::{
    report::summary::{
        CONFIDENCE, CellSummary, EventSummary, RATE_METHOD, Rate, ShiftSummary, Spread, Summary,
    },
    stats::{ESTIMATE_METHOD, MEDIAN_METHOD},
};

/// A row under construction: names and values grow together, so that they cannot go out of step.
#[derive(Default)]
struct Fields {
    names: Vec<String>,
    values: Vec<String>,
}

impl Fields {
    fn push(&mut self, name: impl Into<String>, value: impl ToString) {
        self.names.push(name.into());
        self.values.push(value.to_string());
    }

    /// A number or nothing.
    fn push_if(&mut self, name: impl Into<String>, value: Option<impl ToString>) {
        self.push(name, value.map_or_else(String::new, |value| value.to_string()));
    }

    fn rate(&mut self, name: &str, rate: Rate) {
        self.push(name, rate.count);
        self.push_if(format!("{name}_share"), rate.share);
        self.push(format!("{name}_lower"), rate.interval.lower);
        self.push(format!("{name}_upper"), rate.interval.upper);
    }

    fn spread(&mut self, name: &str, spread: Option<Spread>) {
        self.push_if(format!("{name}_mean"), spread.map(|spread| spread.mean));
        self.push_if(format!("{name}_se"), spread.and_then(|spread| spread.standard_error));
        self.push_if(format!("{name}_sd"), spread.and_then(|spread| spread.standard_deviation));
    }

    fn events(&mut self, name: &str, events: Option<EventSummary>) {
        let Some(events) = events else {
            let columns = ["_games", "_games_share", "_games_lower", "_games_upper", "_events"];
            columns.iter().for_each(|column| self.push(format!("{name}{column}"), ""));
            return;
        };
        self.rate(&format!("{name}_games"), events.games);
        self.push(format!("{name}_events"), events.events);
    }

    fn fair_komi(&mut self, summary: &Summary) {
        let fair = summary.fair_komi.as_ref();
        let interval = fair.map(|fair| fair.estimate.interval);
        self.push_if("fair_komi", fair.map(|fair| fair.estimate.estimate));
        self.push_if("fair_komi_lower", interval.map(|interval| interval.lower));
        self.push_if("fair_komi_upper", interval.map(|interval| interval.upper));
        self.push("fair_komi_method", ESTIMATE_METHOD);
        self.push_if("fair_half_komi", fair.map(|fair| fair.half.komi));
        self.push_if("fair_whole_komi", fair.map(|fair| fair.whole.komi));
        self.push_if("median_margin", fair.map(|fair| fair.median.midpoint()));
        self.push_if("median_margin_lower", fair.map(|fair| fair.median_interval.lower));
        self.push_if("median_margin_upper", fair.map(|fair| fair.median_interval.upper));
        self.push("median_margin_method", MEDIAN_METHOD);
    }

    fn status(&mut self, summary: &Summary) {
        let status = &summary.status;
        for found in Status::ALL {
            self.push_if(format!("{found}_stone_share"), status.both.stone_share(found));
        }
        self.push_if("decided_chain_share", status.both.decided_chain_share);
        self.push_if("decided_stone_share", status.both.decided_stone_share);
        self.push_if("territory_points_mean", status.both.territory_per_position);
        self.rate("decided_positions", status.decided_positions);
        self.rate("benson_positions", status.benson_positions);
        for found in [Status::Seki, Status::Unsettled, Status::Ko, Status::Dead] {
            self.rate(&format!("{found}_positions"), status.with(found));
        }
        self.shift("without_dead", status.without_dead);
        self.shift("without_seki_points", status.without_seki_points);
    }

    fn shift(&mut self, name: &str, shift: ShiftSummary) {
        self.push_if(format!("{name}_margin_change_mean"), shift.mean);
        self.push_if(format!("{name}_margin_change_se"), shift.standard_error);
        self.rate(&format!("{name}_changed_results"), shift.changed_results);
    }
}

fn fields(cell: &CellSummary) -> Fields {
    let (finished, capped) = (&cell.finished, &cell.capped);
    let mut fields = Fields::default();
    fields.push("rules_fingerprint", rules_fingerprint(cell.config.rules));
    fields.push("games", cell.games);
    fields.push("finished_games", finished.games);
    fields.rate("capped_games", cell.capped_games);
    fields.push("confidence", CONFIDENCE.level());
    fields.push("rate_method", RATE_METHOD);
    fields.fair_komi(finished);
    fields.push("komi", finished.at_komi.komi);
    fields.rate("black_wins", finished.at_komi.black);
    fields.rate("jigo", finished.at_komi.jigo);
    fields.rate("white_wins", finished.at_komi.white);
    fields.spread("margin", finished.margin);
    fields.spread("plies", finished.plies);
    fields.spread("passes", finished.passes);
    fields.spread("neutral_points", finished.neutral_points);
    fields.spread("black_stones_removed", finished.black_stones_removed);
    fields.spread("white_stones_removed", finished.white_stones_removed);
    fields.events("refused_draws", Some(finished.refused_draws));
    fields.events("repetitions", Some(finished.repetitions));
    fields.events("forbidden_candidates", finished.forbidden_candidates);
    fields.status(finished);
    fields.events("capped_refused_draws", Some(capped.refused_draws));
    fields.events("capped_repetitions", Some(capped.repetitions));
    fields.events("capped_forbidden_candidates", capped.forbidden_candidates);
    fields.spread("capped_margin", capped.margin);
    fields
}

pub(super) fn sheet(summaries: &[CellSummary]) -> Vec<u8> {
    let Some(first) = summaries.first() else { return Sheet::new(&["games"]).bytes() };
    let header = fields(first).names;
    let mut sheet = Sheet::new(&header.iter().map(String::as_str).collect::<Vec<_>>());
    for cell in summaries {
        sheet.row(setting_fields(&cell.config).into_iter().chain(fields(cell).values));
    }
    sheet.bytes()
}
