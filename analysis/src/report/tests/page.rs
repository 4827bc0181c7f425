use jigo_selfplay::matches::MatchEnding;

use super::*;
use crate::{
    Interval, Proportion, fair_komi,
    report::{
        format::fixed,
        matches::tests::{FIRST, SECOND, played},
    },
    stats::Estimate,
};

pub(super) fn page_of(study: &Study, meta: &ReportMeta) -> String {
    html::page(&Summary::new(study, meta.komi), meta)
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

/// Panics unless a policy forbids browsers to load anything, and to run any script but ours. Returns the page without that script.
pub(in crate::report) fn assert_loads_nothing(page: &str) -> String {
    let ours = format!("<script>{}</script>", html::SCRIPT);
    let games = page.matches("<script type=\"application/json\">").count();
    assert_eq!([page.matches(&ours).count(), page.matches("<script").count()], [1, 1 + games], "scripts");
    let policy = page.split("<meta http-equiv=\"Content-Security-Policy\" content=\"").nth(1).unwrap();
    let policy = policy.split('"').next().unwrap().replace("&#39;", "'");
    let script = format!("script-src '{}'", html::SCRIPT_SOURCE);
    // Images are pictures that the script makes of charts.
    let allowed = [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        &script,
    ];
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
    capped.add(cell(9, Rules::TROMP_TAYLOR.into(), Policy::UNIFORM, 20)).unwrap();
    let compared =
        [10, 1500].map(|games| compared_study(4, Rules::lattice().map(jigo_engine::RuleSet::from), games));
    let same_games = compared_study(4, ["japanese", "hups"].map(|name| name.parse().unwrap()), 10);
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
    let analysis = crate::records::analyze(
        &paths,
        &crate::records::AnalyzeOptions::default(),
        <_>::default(),
        &crate::records::ReadProgress::new(),
        &mut |_| Ok(()),
    )
    .unwrap();
    for records in [analysis.records, crate::records::RecordStudy::default()] {
        let page = html::records_page(&records, &meta());
        assert_well_formed(&assert_loads_nothing(&page));
        let games = records.games() > 0;
        let read = jigo_selfplay::fingerprint::rules_fingerprint("japanese".parse().unwrap());
        assert_eq!(page.contains(&format!("<td title=\"{read}\">")), games);
        for shown in ["375", "the point is occupied", "b.sgf", "c.sgf"] {
            assert_eq!(page.contains(shown), games, "{shown}");
        }
    }
}

#[test]
fn pages_of_matches_say_who_is_stronger() {
    let games = |winners: &[_]| {
        let games: Vec<_> = winners.iter().map(|&winner| (MatchEnding::TwoPasses, winner)).collect();
        played(&games)
    };
    let heads = [
        (games(&[FIRST; 40]), "eye-safe is stronger than uniform."),
        (games(&[SECOND; 40]), "uniform is stronger than eye-safe."),
        (
            games(&[FIRST, SECOND, None, None]),
            "The games do not show whether eye-safe or uniform is stronger.",
        ),
        (games(&[FIRST]), "No two games with the same opening have finished."),
        (games(&[]), "No two games with the same opening have finished."),
    ];
    for (played, head) in &heads {
        let page = match_page(played, b"", &meta());
        assert_well_formed(&assert_loads_nothing(&page));
        assert!(page.contains(&format!("<h1>{head}</h1>")), "{head}");
        assert_eq!(page.contains("id=\"wins-title\""), !played.results.is_empty());
    }
    let [won, lost, ..] = heads.map(|(played, _)| played);
    let players = ["policy:uniform", "<b>&", "c"].map(str::to_owned).to_vec();
    let tournament =
        Tournament { players, matches: vec![([0, 1], lost), ([0, 2], won.clone()), ([1, 2], won)] };
    let page = tournament_page(&tournament, &meta());
    assert_well_formed(&assert_loads_nothing(&page));
    assert!(page.contains("<h1>&#60;b&#62;&#38; is the strongest player.</h1>"));
    assert!(page.contains("<a href=\"1-2/report.html\">uniform – &#60;b&#62;&#38;: +0 =0 −40</a>"));
}

#[test]
fn identifiers_are_unique() {
    let mut study = small_study(400);
    study.comparisons = compared_study(4, Rules::lattice().map(jigo_engine::RuleSet::from), 1500).comparisons;
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
    let program = Program { version: hostile.to_owned(), ..meta().program };
    let meta = ReportMeta { command_line: hostile.to_owned(), program, ..meta() };
    let page = page_of(&small_study(20), &meta);
    assert_well_formed(&assert_loads_nothing(&page));
}

/// The rows of the table of all cells that answers a question of the front page, as text.
fn rows_of(page: &str, question: &str) -> Vec<Vec<String>> {
    let section =
        page.split(&format!("<h2>{question}</h2>")).nth(1).unwrap().split("</section>").next().unwrap();
    let table = section.split("<div class=\"titled\">").nth(1).unwrap();
    let body = table.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap();
    let cells = |row: &str| -> Vec<String> {
        row.split("<td")
            .skip(1)
            .map(|cell| cell.split(['>', '<']).nth(1).unwrap().replace('−', "-"))
            .collect()
    };
    body.split("</tr>").map(cells).filter(|row| !row.is_empty()).collect()
}

fn share_and_interval(count: u64, of: u64) -> [String; 2] {
    let rate = Proportion::new(count, of).unwrap();
    let Interval { lower, upper } = rate.interval();
    let interval = Interval { lower: 100.0 * lower, upper: 100.0 * upper };
    Estimate { estimate: 100.0 * rate.estimate().unwrap(), interval }.texts()
}

#[test]
fn the_front_page_shows_what_was_counted() {
    let study = small_study(1000);
    let table = summary_table(&study, meta().komi);
    let page = page_of(&study, &meta());
    let [komi, results, superko, life] =
        ["What komi is fair?", "Who wins?", "How often does superko matter?", "What is alive at the end?"]
            .map(|question| rows_of(&page, question));
    for rows in [&komi, &results, &superko, &life] {
        assert_eq!(rows.len(), study.runs.len());
    }
    for (index, cell) in study.runs.iter().enumerate() {
        let finished = &cell.finished;
        let name = [format::size_name(&cell.config), cell.config.rules.to_string()];
        let fair = fair_komi(&finished.margins).unwrap();
        let [estimate, interval] = fair.estimate.texts();
        let capped = Proportion::new(cell.stopped.games, cell.games()).unwrap().estimate().unwrap();
        let expected = [
            format::group(cell.games()),
            fixed(100.0 * capped, 2),
            estimate.clone(),
            interval,
            fair.half.komi.to_string(),
        ];
        assert_eq!((&komi[index][..2], &komi[index][2..7]), (&name[..], &expected[..]));
        let plies = finished.plies.spread().unwrap();
        let plies = Estimate::from_mean(plies.mean, plies.standard_error.unwrap());
        assert_eq!(komi[index][7..], plies.texts());
        let shares = finished.margins.shares(meta().komi.at(cell.config.rules, cell.config.size));
        let dash = || [format::DASH, format::DASH].map(str::to_owned);
        let [black, white] =
            [shares.black, shares.white].map(|part| share_and_interval(part, finished.games));
        // The komi is half-integer.
        assert_eq!(results[index][2..], [black, white, dash()].concat());
        let events = [&finished.superko.rejected, &finished.superko.repetitions];
        let rates = events.map(|events| share_and_interval(events.games, finished.games));
        let of_superko = if cell.config.rules.ko.is_superko() {
            [rates[0].clone(), dash()]
        } else {
            [dash(), rates[1].clone()]
        };
        assert_eq!(superko[index][2..], of_superko.concat());
        let status = &finished.status;
        let of_life = [Status::Seki, Status::Dead].map(|found| match status.positions_with(found) {
            0 => dash(),
            positions => share_and_interval(positions, status.positions),
        });
        assert_eq!(life[index][2..6], of_life.concat());
        assert_eq!(life[index][8..10], share_and_interval(finished.first_stone_survives, finished.games));
        let both = status.both().table;
        let solved = 100.0 * both.decided().chains as f64 / both.total().chains as f64;
        assert_eq!(life[index][10], fixed(solved, 2));
        for shown in [&estimate, &shares.black_wins().to_string().replace(" %", "")] {
            assert!(table.contains(shown), "{shown} is not in the table:\n{table}");
        }
    }
}

#[test]
fn a_chart_holds_no_more_lines_than_can_be_told_apart() {
    let study_of = |rules: &[&str]| {
        let mut study = Study::default();
        for side in [4, 5] {
            for rules in rules {
                study.add(cell(side, rules.parse().unwrap(), Policy::EYE_SAFE, 120)).unwrap();
            }
        }
        study
    };
    let lines = |page: &str| {
        let chart =
            page.split("id=\"front-fair-komi-title\"").nth(1).unwrap().split("</svg>").next().unwrap();
        chart.matches("<polyline").count()
    };
    let six = ["tromp-taylor", "chinese", "japanese", "aga", "new-zealand", "hups"];
    assert_eq!(lines(&page_of(&study_of(&six), &meta())), 6);
    // One more, and each cell has a row instead.
    let all: Vec<String> = Rules::lattice().map(|rules| rules.canonical()).take(7).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let page = page_of(&study_of(&all), &meta());
    assert_eq!(lines(&page), 0);
    let chart = page.split("id=\"front-fair-komi-title\"").nth(1).unwrap().split("</svg>").next().unwrap();
    assert_eq!(chart.matches("<circle").count(), 14);
}
