//! Commands that analyse, clocks and resignation, in conversations over pipes.

use std::{
    collections::HashSet,
    io::{self, BufRead as _, BufReader, PipeReader, PipeWriter, Write as _},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use jigo_engine::{BoardSize, Color, Game, Move, Point, Rules};
use jigo_selfplay::gtp::{Gtp, GtpOptions, serve};

use super::{ask, fail};

fn options(size: &str, policy: &str) -> GtpOptions {
    GtpOptions { size: size.parse().unwrap(), policy: policy.parse().unwrap(), ..GtpOptions::default() }
}

/// A conversation with an engine in a thread of its own.
struct Talk {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    engine: JoinHandle<io::Result<()>>,
}

impl Talk {
    fn new(options: GtpOptions) -> Self {
        let (engine_input, input) = io::pipe().unwrap();
        let (output, engine_output) = io::pipe().unwrap();
        let engine = thread::spawn(move || serve(&mut Gtp::new(&options), engine_input, engine_output));
        Self { input: Some(input), output: BufReader::new(output), engine }
    }

    fn send(&mut self, line: &str) {
        self.input.as_mut().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// The next line, without its end.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.strip_suffix('\n').expect("a line").to_owned()
    }

    /// The lines of a reply, without the empty one at its end.
    fn reply(&mut self, command: &str) -> Vec<String> {
        self.send(command);
        let mut lines = vec![self.line()];
        while lines.last().is_some_and(|line| !line.is_empty()) {
            lines.push(self.line());
        }
        lines.pop();
        lines
    }

    /// Closes the input and waits for the end, at which nothing is left to be read.
    fn end(mut self) {
        self.input = None;
        self.engine.join().unwrap().unwrap();
        assert_eq!(io::read_to_string(self.output).unwrap(), "");
    }
}

/// A move of a line of analysis; the score is missing in Leela Zero's words.
#[derive(Debug)]
struct Info {
    mv: Move,
    visits: u32,
    winrate: f64,
    score: Option<f64>,
    lcb: f64,
}

/// Reads a line of analysis of this game, checks it field by field, and returns moves and ownership.
fn read(line: &str, game: &Game, is_katago: bool) -> (Vec<Info>, Option<Vec<f64>>) {
    let size = game.board().size();
    let (line, ownership) = match line.split_once(" ownership ") {
        Some((line, ownership)) => (line, Some(ownership)),
        None => (line, None),
    };
    let ownership =
        ownership.map(|text| text.split(' ').map(|word| word.parse().unwrap()).collect::<Vec<f64>>());
    if let Some(ownership) = &ownership {
        assert_eq!(ownership.len(), size.point_count());
        assert!(ownership.iter().all(|owner| (-1.0..=1.0).contains(owner)), "{ownership:?}");
    }
    let infos: Vec<Info> = line
        .strip_prefix("info ")
        .unwrap()
        .split(" info ")
        .enumerate()
        .map(|(order, info)| {
            let (fields, line) = info.split_once(" pv ").unwrap();
            let fields: Vec<&str> = fields.split(' ').collect();
            let keys: Vec<&str> = fields.iter().copied().step_by(2).collect();
            let value = |key| fields[keys.iter().position(|known| *known == key).unwrap() * 2 + 1];
            let number = |key| value(key).parse::<f64>().unwrap();
            let share = |key| {
                let share =
                    if is_katago { number(key) } else { f64::from(value(key).parse::<u16>().unwrap()) / 1e4 };
                assert!((0.0..=1.0).contains(&share), "{key} {share}");
                share
            };
            let names = if is_katago {
                assert_eq!(value("scoreMean"), value("scoreLead"));
                "move visits winrate scoreMean scoreLead prior lcb order"
            } else {
                "move visits winrate prior lcb order"
            };
            assert_eq!(keys.join(" "), names);
            assert_eq!(value("order"), order.to_string());
            assert!(share("prior") > 0.0 && share("lcb") <= share("winrate"));
            let line: Vec<Move> = line.split(' ').map(|name| Move::from_gtp(name, size).unwrap()).collect();
            assert_eq!(line[0].to_gtp(size), value("move"));
            let mut trial = game.clone();
            for &mv in &line {
                trial.play(mv).unwrap();
            }
            let (visits, winrate, lcb) = (value("visits").parse().unwrap(), share("winrate"), share("lcb"));
            Info { mv: line[0], visits, winrate, score: is_katago.then(|| number("scoreLead")), lcb }
        })
        .collect();
    assert!(
        infos.iter().all(|info| info.visits > 0) && infos.is_sorted_by(|one, next| one.visits >= next.visits)
    );
    let moves: HashSet<Move> = infos.iter().map(|info| info.mv).collect();
    assert_eq!(moves.len(), infos.len());
    (infos, ownership)
}

fn visits(infos: &[Info]) -> u32 {
    infos.iter().map(|info| info.visits).sum()
}

/// White's lead at komi 20.5, from White's view: by the ownership of all points, it is the mean score of all playouts.
#[test]
fn analyses_tell_every_field_until_the_next_line() {
    let mut talk = Talk::new(options("7x6", "uct:playouts=50"));
    let mut game: Game = Game::new("7x6".parse().unwrap(), Rules::TROMP_TAYLOR);
    assert_eq!(talk.reply("komi 20.5"), ["= "]);
    let point = |name| Move::Play(Point::from_gtp(name, game.board().size()).unwrap());
    for mv in [point("D4"), point("C3"), point("E3")] {
        assert_eq!(
            talk.reply(&format!("play {} {}", game.to_play(), mv.to_gtp(game.board().size()))),
            ["= "]
        );
        game.play(mv).unwrap();
    }
    talk.send("7 kata-analyze 1 ownership true");
    assert_eq!(talk.line(), "=7 ");
    let mut before = 0;
    for _ in 0..8 {
        let (infos, ownership) = read(&talk.line(), &game, true);
        let all = visits(&infos);
        assert!(all >= before);
        // The first stage does not count once it is over.
        before = if all < 150 { 0 } else { all };
        let sum: f64 = infos.iter().map(|info| f64::from(info.visits) * info.score.unwrap()).sum();
        let (mean, owned) = (sum / f64::from(all), ownership.unwrap().iter().sum::<f64>());
        assert!((mean - 20.5 - owned).abs() < 0.03, "{mean} {owned}");
        // At this komi, White is ahead.
        assert!(infos[0].winrate > 0.6 && infos[0].lcb < infos[0].winrate && infos[0].score.unwrap() > 2.0);
    }
    assert_eq!(talk.reply("name"), [""; 0]);
    assert_eq!([talk.line(), talk.line()], ["= jigo", ""]);
    // From Black's view, who plays twice.
    let mut game = game.clone();
    game.set_to_play(Color::Black);
    talk.send("lz-analyze b interval 2 maxmoves 3 minmoves 2");
    assert_eq!(talk.line(), "= ");
    let (infos, ownership) = read(&talk.line(), &game, false);
    assert_eq!((infos.len(), ownership), (3, None));
    assert!(infos[0].winrate < 0.4, "{infos:?}");
    talk.send("");
    assert_eq!(talk.line(), "");
    // The game is as before.
    assert_eq!(talk.reply("3 move_history")[0], "=3 black E3");
    talk.end();
}

/// Reads what is left of an analysis to the empty line.
fn rest(talk: &mut Talk) {
    while !talk.line().is_empty() {}
}

#[test]
fn analyses_end_at_quit_and_at_the_end_of_input() {
    for policy in ["eye-safe", "uct:playouts=10,leaves=2,reward=win"] {
        let mut talk = Talk::new(options("9", policy));
        talk.send("1 lz-analyze 1");
        assert_eq!(talk.line(), "=1 ");
        assert!(talk.line().starts_with("info move "));
        talk.send("2 quit");
        rest(&mut talk);
        assert_eq!([talk.line(), talk.line()], ["=2 ", ""]);
        // The input is still open.
        talk.engine.join().unwrap().unwrap();
        let mut talk = Talk::new(options("9", policy));
        talk.send("kata-analyze w 1");
        assert_eq!(talk.line(), "= ");
        assert!(talk.line().starts_with("info move "));
        talk.input = None;
        rest(&mut talk);
        talk.end();
    }
}

#[test]
fn lines_come_at_intervals() {
    let mut talk = Talk::new(options("5", "eye-safe"));
    let started = Instant::now();
    talk.send("kata-analyze interval 20");
    (0..4).for_each(|_| drop(talk.line()));
    let elapsed = started.elapsed();
    assert!(elapsed >= Duration::from_millis(600) && elapsed < Duration::from_secs(20), "{elapsed:?}");
    talk.send("name");
    rest(&mut talk);
}

#[test]
fn without_a_choice_there_is_nothing_to_tell() {
    let mut talk = Talk::new(options("1", "eye-safe"));
    talk.send("kata-analyze 1 ownership true");
    assert_eq!(talk.line(), "= ");
    thread::sleep(Duration::from_millis(50));
    assert_eq!(talk.reply("name"), [""; 0]);
    assert_eq!(talk.reply("quit"), ["= jigo"]);
    assert_eq!([talk.line(), talk.line()], ["= ", ""]);
    talk.end();
}

/// They play what `genmove` plays, and their last line has all playouts.
#[test]
fn generated_moves_are_those_of_genmove() {
    for (policy, playouts) in [
        ("uct:playouts=300,reward=win", 300),
        ("uct:playouts=300,reward=win,leaves=4", 300),
        // An eighth is the first stage.
        ("uct:playouts=400", 350),
    ] {
        let options = options("5", policy);
        let mut plain = Gtp::new(&options);
        let mut talk = Talk::new(options);
        let mut game: Game = Game::new(options.size, Rules::TROMP_TAYLOR);
        for command in ["kata", "lz", "kata", "lz"] {
            let color = game.to_play();
            let lines = talk.reply(&format!("4 {command}-genmove_analyze {color} 100"));
            assert_eq!(lines[0], "=4 ");
            let mv = ask(&mut plain, &format!("genmove {color}"));
            assert_eq!(lines.last().unwrap(), &format!("play {mv}"));
            let (infos, _) = read(&lines[lines.len() - 2], &game, command == "kata");
            assert_eq!(infos[0].mv.to_gtp(options.size), mv);
            assert_eq!(visits(&infos), playouts);
            game.play(infos[0].mv).unwrap();
        }
        talk.end();
    }
    let mut talk = Talk::new(options("5", "eye-safe"));
    let mv = ask(&mut Gtp::new(&options("5", "eye-safe")), "genmove b");
    assert_eq!(talk.reply("kata-genmove_analyze b 1"), ["= ".to_owned(), format!("play {mv}")]);
    talk.end();
}

#[test]
fn whole_answers_show_nothing_of_an_analysis() {
    let mut gtp = Gtp::new(&options("5", "uct:playouts=20"));
    assert_eq!(gtp.answer("kata-analyze b 1").unwrap().to_string(), "= \n\n");
    assert!(ask(&mut gtp, "lz-genmove_analyze b").starts_with("\nplay "));
    for arguments in
        ["b 0", "b 1 2", "avoid b A1 5", "b 1 maxmoves", "maxmoves 0", "b w", "1.5", "pvVisits true"]
    {
        assert!(
            fail(&mut gtp, &format!("kata-analyze {arguments}"))
                .starts_with("syntax error: write kata-analyze [")
        );
    }
    assert!(fail(&mut gtp, "lz-genmove_analyze ownership true").contains("write lz-genmove_analyze ["));
}

/// Without a clock, the search would take minutes.
#[test]
fn searches_keep_to_the_time() {
    let mut gtp = Gtp::new(&options("9", "uct:playouts=1000000"));
    let mut genmove = |settings: &str| {
        ask(&mut gtp, settings);
        let started = Instant::now();
        ask(&mut gtp, "genmove b");
        started.elapsed().as_secs_f64()
    };
    // The machine may be busy.
    let seconds = genmove("time_settings 0 1 1");
    assert!((0.89..10.0).contains(&seconds), "{seconds}");
    let seconds = genmove("time_left b 0.25 1");
    assert!((0.22..10.0).contains(&seconds), "{seconds}");
    genmove("time_settings 2 0 0");
    // It is over.
    genmove("time_left b -3 0");
    assert!(fail(&mut gtp, "time_left b NaN 0").starts_with("syntax error"));
}

#[test]
fn without_a_limit_the_games_are_those_of_the_seed() {
    let game = |settings: &[&str]| {
        let mut gtp = Gtp::new(&options("5", "uct:playouts=60"));
        settings.iter().for_each(|command| drop(ask(&mut gtp, command)));
        ["b", "w", "b", "w"].map(|color| ask(&mut gtp, &format!("genmove {color}")))
    };
    let plain = game(&[]);
    assert_eq!(game(&["time_settings 0 0 0"]), plain);
    assert_eq!(game(&["time_settings 60 30 0", "time_left b 1 0"]), plain);
    // With time for all of them, all playouts are made.
    assert_eq!(game(&["time_settings 100000 0 0"]), plain);
}

/// Black has a stone in a corner of a board that is White's.
#[test]
fn lost_games_are_resigned_on_request() {
    let position = ["w B4", "w C4", "w D4", "w B2", "w C2", "w D2", "b E1", "w A5"];
    let size: BoardSize = "5".parse().unwrap();
    let replies = |resign_percent, position: &[&str]| {
        let options = GtpOptions { size, resign_percent, ..options("5", "uct:playouts=400") };
        let mut gtp = Gtp::new(&options);
        position.iter().for_each(|mv| drop(ask(&mut gtp, &format!("play {mv}"))));
        let first = ask(&mut gtp, "genmove b");
        let suggested = ask(&mut gtp, "reg_genmove b");
        ask(&mut gtp, "play w pass");
        [first, suggested, ask(&mut gtp, "genmove b"), ask(&mut gtp, "jigo-score")]
    };
    let [first, suggested, second, _] = replies(Some(10), &position);
    assert_ne!((first.as_str(), suggested.as_str()), ("resign", "resign"));
    assert_eq!(second, "resign");
    assert_ne!(replies(None, &position)[2], "resign");
    // There, the second move is made before ply 6.
    assert_ne!(replies(Some(10), &position[..3])[2], "resign");
}
