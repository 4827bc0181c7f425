use super::*;
use crate::{Confidence, Proportion, fair_komi, report::format::fixed};

pub(super) fn page_of(study: &Study, meta: &ReportMeta) -> String {
    let summaries: Vec<CellSummary> =
        study.cells.iter().map(|cell| CellSummary::new(cell, meta.komi)).collect();
    html::page(study, &summaries, &changes::summaries(study, meta.komi), meta)
}

/// Elements that have no end tag.
const VOID: [&str; 4] = ["!DOCTYPE", "meta", "br", "input"];

/// Panics where tags do not nest or a bare `<` or `&` stands in the text.
pub(in crate::report) fn assert_well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut parts = page.split('<');
    assert_eq!(parts.next().map(str::trim), Some(""));
    for part in parts {
        let (tag, text) = part.split_once('>').unwrap_or_else(|| panic!("a tag is not closed: {part}"));
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes: {tag}");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "end tag in the wrong place, before: {text:.80}");
        } else if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
        if name != "style" {
            for entity in text.split('&').skip(1) {
                let end = entity.find(';').unwrap_or(usize::MAX);
                assert!(end < 8, "a bare ampersand: {text}");
            }
        }
    }
    assert_eq!(open, [""; 0]);
}

/// Panics unless a policy forbids browsers to load anything, and to run any script but ours. The page without that script.
fn assert_loads_nothing(page: &str) -> String {
    let ours = format!("<script>{}</script>", html::SCRIPT);
    let runs = page.matches("<script>").count();
    assert!(runs <= 1 && runs == page.matches(&ours).count(), "another script, or twice");
    let games = page.matches("<script type=\"application/json\">").count();
    assert_eq!((runs + games, runs > 0), (page.matches("<script").count(), games > 0));
    let policy = page.split("<meta http-equiv=\"Content-Security-Policy\" content=\"").nth(1).unwrap();
    let policy = policy.split('"').next().unwrap().replace("&#39;", "'");
    let mut allowed =
        vec!["default-src 'none'", "base-uri 'none'", "form-action 'none'", "style-src 'unsafe-inline'"];
    let script = format!("script-src '{}'", html::script_source(html::SCRIPT));
    allowed.extend((runs > 0).then_some(script.as_str()));
    assert_eq!(policy.split("; ").collect::<Vec<_>>(), allowed);
    let before_policy = page.split("http-equiv").next().unwrap();
    assert!(!before_policy.contains("<style") && !before_policy.contains("<script"));
    let page = page.replacen(&ours, "", 1).replacen("http-equiv", "", 1);
    for forbidden in ["http", "<link", " src=", "url(", "@import", "NaN", "inf\"", " onclick", "javascript:"]
    {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    page
}

fn studies() -> Vec<Study> {
    let mut capped = Study::default();
    capped.add(cell(9, Rules::TROMP_TAYLOR, Policy::Uniform, 20)).unwrap();
    let compared = [10, 1500].map(|games| compared_study(3, Rules::lattice(), games));
    let same_games = compared_study(3, ["japanese", "hups"].map(|name| name.parse().unwrap()), 10);
    let mut studies =
        vec![small_study(400), small_study(30), capped, same_games, Study::default(), guarded_study()];
    studies.extend(compared);
    studies
}

#[test]
fn pages_are_well_formed_and_load_nothing() {
    for study in studies() {
        let page = page_of(&study, &meta());
        assert_well_formed(&assert_loads_nothing(&page));
    }
}

#[test]
fn the_page_of_records_is_well_formed_and_shows_them_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let records = [
        ("a.sgf", "(;SZ[5]RU[<i>&]KM[375]HA[0]RE[B+R];B[cc];W[dd])"),
        ("b.sgf", "(;SZ[5]RU[<i>&]KM[375]HA[0]RE[W+R];B[cc];W[cc])"),
        ("c.sgf", "(;SZ[5]RU[<i>&]KM[375]HA[0]RE[W+R];B[cc"),
    ];
    for (name, text) in records {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let paths = [folder.path().to_owned()];
    let analysis =
        crate::analyze(&paths, &crate::AnalyzeOptions::default(), &crate::ReadProgress::new(), &mut |_| {
            Ok(())
        })
        .unwrap();
    for records in [analysis.records, crate::RecordStudy::default()] {
        let page = html::records_page(&records, &meta());
        assert_well_formed(&assert_loads_nothing(&page));
        assert!(!page.contains("<script"));
        let games = records.games() > 0;
        let read = jigo_selfplay::rules_fingerprint("japanese".parse().unwrap());
        assert_eq!(page.contains(&format!("<td title=\"{read}\">")), games);
        for shown in ["375", "the point is occupied", "b.sgf", "c.sgf"] {
            assert_eq!(page.contains(shown), games, "{shown}");
        }
    }
}

#[test]
fn identifiers_are_unique() {
    let mut study = small_study(400);
    study.comparisons = compared_study(3, Rules::lattice(), 1500).comparisons;
    let page = page_of(&study, &meta());
    let mut ids: Vec<&str> =
        page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    assert!(page.matches("role=\"img\"").count() > 20);
}

#[test]
fn foreign_text_is_escaped() {
    let hostile = "<script>alert(\"1\") && '2'</script>";
    let meta = ReportMeta { command_line: hostile.to_owned(), version: hostile.to_owned(), ..meta() };
    let page = page_of(&small_study(20), &meta);
    assert_well_formed(&assert_loads_nothing(&page));
}

/// The rows of the page's first table, as text.
fn summary_rows(page: &str) -> Vec<Vec<String>> {
    let body = page.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap();
    let cells = |row: &str| -> Vec<String> {
        row.split("<td").skip(1).map(|cell| cell.split(['>', '<']).nth(1).unwrap().to_owned()).collect()
    };
    body.split("</tr>").map(cells).filter(|row| !row.is_empty()).collect()
}

#[test]
fn the_summary_shows_what_was_counted() {
    let study = small_study(1000);
    let table = summary_table(&study, meta().komi);
    let rows = summary_rows(&page_of(&study, &meta()));
    assert_eq!(rows.len(), study.cells.len());
    for (cell, row) in study.cells.iter().zip(rows) {
        let finished = &cell.finished;
        let fair = fair_komi(&finished.margins).unwrap();
        let shares = finished.margins.shares(meta().komi);
        let per_cent = |proportion: Proportion| fixed(100.0 * proportion.estimate().unwrap(), 2);
        let superko = &finished.superko;
        let events =
            if cell.setting.rules.ko.is_superko() { &superko.refused_draws } else { &superko.repetitions };
        let rate = Proportion::new(events.games, finished.games).unwrap();
        let interval = rate.interval(Confidence::P95);
        let bounds = format::with_interval(100.0 * rate.estimate().unwrap(), format::in_per_cent(interval));
        let komi = format::with_interval(fair.estimate.estimate, fair.estimate.interval);
        let expected = [
            cell.games().to_string(),
            per_cent(Proportion::new(cell.capped.games, cell.games()).unwrap()),
            komi.0.clone(),
            komi.1.clone(),
            fair.half.komi.to_string(),
            per_cent(shares.black_wins()),
            per_cent(shares.white_wins()),
            per_cent(shares.draws()),
            fixed(finished.plies.moments().unwrap().mean(), 1),
        ];
        let shown: Vec<String> = row.iter().map(|text| text.replace('−', "-")).collect();
        assert_eq!(shown[2..2 + expected.len()], expected);
        assert!(shown.contains(&bounds.0) && shown.contains(&bounds.1), "{shown:?}");
        for number in [&komi.0, &expected[5], &expected[6], &bounds.0] {
            assert!(table.contains(number), "{number} is not in the table:\n{table}");
        }
    }
}
