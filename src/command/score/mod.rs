//! `jigo score`: the result of one position or game under any rules.

use std::{fmt::Write as _, io::Read as _, path::Path};

use anyhow::{Context as _, bail};
use jigo_engine::{
    Board, BoardSize, Color, Counting, Ending, Game, Komi, Point, Position, Preset, Rules, Score, Suicide,
};
use jigo_selfplay::sgf::{self, SgfGame, WholeGameError};
use serde_json::{Value, json};

use crate::{
    args::ScoreArgs,
    config::{NamedRules, Prisoners},
    output::{print, tell},
};

pub(crate) fn run(args: &ScoreArgs) -> anyhow::Result<()> {
    let mut end = read(&args.file, args.game)?;
    if let Some(dead) = &args.dead {
        end.dead = dead_stones(dead, &end)?;
    }
    end.prisoners = args.prisoners.map_or(end.prisoners, |Prisoners(prisoners)| prisoners);
    end.handicap_stones = args.handicap.unwrap_or(end.handicap_stones);
    let counts: Vec<Count> = if args.all_rules {
        Preset::ALL.map(|preset| end.count(preset.name(), preset.rules(), komi_of(preset, args, &end))).into()
    } else {
        let named = args.rules.clone().unwrap_or_else(|| end.rules.clone());
        let komi = args.komi.or(end.komi).unwrap_or_else(|| named.default_komi(end.position.size()));
        vec![end.count(&named.name, named.rules, komi)]
    };
    if args.json {
        return print(&as_json(&end, &counts));
    }
    print(&format!("{:#}", end.position))?;
    match &counts[..] {
        [count] => print(&as_sheet(count))?,
        counts => print(&as_table(counts))?,
    }
    tell_dame(&end);
    Ok(())
}

fn komi_of(preset: Preset, args: &ScoreArgs, end: &End) -> Komi {
    args.komi.unwrap_or_else(|| preset.default_komi(end.position.size()))
}

/// A position at the end of a game, and what is known beside it.
struct End {
    position: Position,
    dead: Vec<Point>,
    prisoners: [u32; 2],
    handicap_stones: u32,
    rules: NamedRules,
    komi: Option<Komi>,
}

/// The score under one rule set.
struct Count {
    name: String,
    rules: Rules,
    komi: Komi,
    score: Score,
}

impl End {
    fn count(&self, name: &str, rules: Rules, komi: Komi) -> Count {
        let ending =
            Ending { dead: &self.dead, prisoners: self.prisoners, handicap_stones: self.handicap_stones };
        Count { name: name.to_owned(), rules, komi, score: self.position.score(rules, &ending) }
    }

    /// The empty points that are nobody's once dead stones are taken off.
    fn dame(&self) -> Vec<Point> {
        let mut living = self.position.clone();
        for &point in &self.dead {
            living.set_stone(point, None);
        }
        let nobody = living.ownership().filter(|(_, owner)| owner.is_none()).map(|(point, _)| point);
        nobody.filter(|&point| self.position.stone(point).is_none()).collect()
    }
}

impl Count {
    /// `B+3.5`, `W+12` or `0` for jigo.
    fn result(&self) -> String {
        let half_points = self.score.result(self.komi);
        let points = Komi::from_half_points(half_points.abs());
        match half_points {
            1.. => format!("B+{points}"),
            0 => "0".to_owned(),
            _ => format!("W+{points}"),
        }
    }

    /// The parts of the score with the points that they give Black and White.
    fn parts(&self) -> Vec<(&'static str, [Komi; 2])> {
        let points = |[black, white]: [u32; 2]| [black, white].map(|points| Komi::from_points(points as i32));
        let Score { stones, surrounded, prisoners, taxed_groups, handicap_bonus, .. } = self.score;
        let tax = taxed_groups.map(|groups| Komi::from_points(-2 * groups as i32));
        let own = match self.rules.counting {
            Counting::Area => ("living stones", points(stones)),
            Counting::Territory => ("prisoners", points(prisoners)),
        };
        let all = [
            ("territory", points(surrounded)),
            own,
            ("group tax", tax),
            ("handicap bonus", points([0, handicap_bonus])),
            ("komi", [Komi::ZERO, self.komi]),
        ];
        let says_something = |(name, points): &(&str, [Komi; 2])| {
            !matches!(*name, "group tax" | "handicap bonus") || *points != [Komi::ZERO; 2]
        };
        all.into_iter().filter(says_something).collect()
    }

    fn totals(&self) -> [Komi; 2] {
        let sum = |color: usize| self.parts().iter().map(|(_, points)| points[color].half_points()).sum();
        [0, 1].map(|color| Komi::from_half_points(sum(color)))
    }
}

/// The end of the game in a file: a diagram, or SGF.
fn read(path: &Path, number: u32) -> anyhow::Result<End> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let text = String::from_utf8_lossy(&bytes);
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('(') {
        return of_sgf(&bytes, number).with_context(|| format!("cannot score {}", path.display()));
    }
    let board: Board = Board::from_diagram(&text, Suicide::Allowed)
        .with_context(|| format!("{} is neither SGF nor a diagram", path.display()))?;
    Ok(End {
        position: board.position(),
        dead: Vec::new(),
        prisoners: [0; 2],
        handicap_stones: 0,
        rules: Rules::TROMP_TAYLOR.into(),
        komi: None,
    })
}

fn of_sgf(bytes: &[u8], number: u32) -> anyhow::Result<End> {
    let games = sgf::read_collection(bytes).games;
    let count = games.len();
    let Some(record) = games.into_iter().nth(number as usize - 1) else {
        bail!("it has {count} games, so there is no game {number}");
    };
    let record = record?;
    if let Some(end) = of_whole_game(&record.game)? {
        return Ok(end);
    }
    let rules = sgf::rules_of(&record.game);
    let mut game = Game::new(record.game.size, rules);
    sgf::replay_in(&mut game, &record)?;
    Ok(End {
        position: game.board().position(),
        dead: Vec::new(),
        prisoners: Color::BOTH.map(|color| game.prisoners(color)),
        handicap_stones: record.game.handicap().unwrap_or(0),
        rules: rules.into(),
        komi: record.game.komi(),
    })
}

/// The end of a game whose record has the whole of it, dead stones agreed on included.
fn of_whole_game(sgf: &SgfGame) -> anyhow::Result<Option<End>> {
    let game = match sgf::to_protocol(sgf) {
        Err(WholeGameError::NoConduct) => return Ok(None),
        game => game?,
    };
    let conduct = game.conduct();
    let name = conduct.name(sgf.size).map_or_else(|| conduct.rules.canonical(), str::to_owned);
    Ok(Some(End {
        position: game.game().board().position(),
        dead: game.dead().collect(),
        prisoners: Color::BOTH.map(|color| game.prisoners(color)),
        handicap_stones: conduct.handicap,
        rules: NamedRules { name, rules: conduct.rules },
        komi: Some(conduct.komi),
    }))
}

/// The stones that `--dead` names.
fn dead_stones(names: &[String], end: &End) -> anyhow::Result<Vec<Point>> {
    let size: BoardSize = end.position.size();
    if names == ["unconditional"] {
        let stones = Color::BOTH.into_iter();
        let stones = stones.flat_map(|color| end.position.stones(color).map(move |point| (point, color)));
        let mut board: Board = Board::new(size, end.rules.rules.suicide);
        board.set_position(stones, Color::Black)?;
        return Ok(board.unconditionally_dead());
    }
    let named: Vec<Point> = names.iter().map(|name| Point::from_gtp(name, size)).collect::<Result<_, _>>()?;
    match named.iter().find(|&&point| end.position.stone(point).is_none()) {
        Some(point) => bail!("there is no stone on {}, which --dead names", point.to_gtp(size)),
        None => Ok(named),
    }
}

fn as_sheet(count: &Count) -> String {
    let mut sheet = format!("{:<16}{:>8}{:>8}\n", count.name, "Black", "White");
    for (name, [black, white]) in count.parts() {
        let _ = writeln!(sheet, "{name:<16}{black:>8}{white:>8}");
    }
    let [black, white] = count.totals();
    let _ = writeln!(sheet, "{:<16}{black:>8}{white:>8}", "total");
    let _ = writeln!(sheet, "result: {}", count.result());
    sheet
}

fn as_table(counts: &[Count]) -> String {
    let mut table = format!(
        "{:<14}{:<11}{:>8}{:>8}{:>7}   {}\n",
        "rules", "counting", "Black", "White", "komi", "result"
    );
    for count in counts {
        let counting = match count.rules.counting {
            Counting::Area => "area",
            Counting::Territory => "territory",
        };
        let [black, white] = count.totals();
        let Count { name, komi, .. } = count;
        let _ = writeln!(table, "{name:<14}{counting:<11}{black:>8}{white:>8}{komi:>7}   {}", count.result());
    }
    table
}

fn tell_dame(end: &End) {
    let size = end.position.size();
    let dame = end.dame();
    if !dame.is_empty() {
        let names: Vec<String> = dame.iter().map(|point| point.to_gtp(size)).collect();
        tell(&format!("nobody's points, to be filled before a count: {}", names.join(" ")));
    }
}

fn as_json(end: &End, counts: &[Count]) -> String {
    let size = end.position.size();
    let names = |points: &[Point]| points.iter().map(|point| point.to_gtp(size)).collect::<Vec<_>>();
    let counts: Vec<Value> = counts
        .iter()
        .map(|count| {
            let parts = count.parts().into_iter();
            let parts = parts.map(|(name, points)| (name.to_owned(), json!(points.map(Komi::to_f64))));
            json!({
                "name": count.name,
                "rules": count.rules.canonical(),
                "komi": count.komi.to_f64(),
                "points": parts.collect::<serde_json::Map<_, _>>(),
                "total": count.totals().map(Komi::to_f64),
                "result": count.result(),
            })
        })
        .collect();
    let value = json!({
        "size": size.to_string(),
        "dead": names(&end.dead),
        "dame": names(&end.dame()),
        "prisoners": end.prisoners,
        "counts": counts,
    });
    format!("{value:#}\n")
}
