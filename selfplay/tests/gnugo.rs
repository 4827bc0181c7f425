//! GNU Go as an outside gnugo of legality, captures and counting. Skipped where it is not installed.

use std::{collections::BTreeSet, time::Duration};

use jigo_engine::{
    BoardSize, Color, Counting, Game, Move, Point, Rules,
    rules::Preset,
    score::{ScoringContext, SekiBy},
};
use jigo_selfplay::{Policy, Progress, RunConfig, Stream, gtp::GtpClient, matches::Openings};

const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Games of random legal moves on each size, and how often both are asked in them, beside every ko.
const GAMES_PER_SIZE: u64 = 12;
const EVERY_PLIES: u32 = 7;

/// GNU Go with simple ko, no suicide, and the counting of `chinese` or `japanese` rules.
struct GnuGo {
    engine: GtpClient,
    size: BoardSize,
}

impl GnuGo {
    fn new(program: &str, size: BoardSize, rules: &str) -> Self {
        let line = format!("{program} --mode gtp --{rules}-rules --simple-ko --forbid-suicide --level 1");
        let mut gnugo = Self { engine: GtpClient::start(&line).unwrap(), size };
        gnugo.ask(&format!("boardsize {}", size.width()));
        gnugo.ask("komi 0");
        gnugo
    }

    fn ask(&mut self, command: &str) -> String {
        self.engine.ask(command, TIME_LIMIT, &Progress::new()).unwrap()
    }

    fn play(&mut self, color: Color, mv: Move) {
        self.ask(&format!("play {color} {}", mv.to_gtp(self.size)));
    }

    fn points(&mut self, command: &str) -> BTreeSet<Point> {
        let size = self.size;
        self.ask(command).split_whitespace().map(|name| Point::from_gtp(name, size).unwrap()).collect()
    }
}

fn chinese() -> Rules {
    Preset::Chinese.rules()
}

/// What was compared, so that a test cannot pass for want of questions.
#[derive(Debug, Default)]
struct Seen {
    positions: u64,
    /// Points of which both said whether a player may play there.
    questions: u64,
    suicides: u64,
    ko_bans: u64,
}

/// Compares stones, and for both players every point of the board.
fn compare(game: &Game, gnugo: &mut GnuGo, seen: &mut Seen) {
    seen.positions += 1;
    for color in Color::BOTH {
        let mut asked = game.clone();
        asked.set_to_play(color);
        let board = asked.board();
        let stones: BTreeSet<Point> = board.stones(color).collect();
        assert_eq!(stones, gnugo.points(&format!("list_stones {color}")), "\n{board}");
        let legal: BTreeSet<Point> = asked.legal_points().collect();
        let theirs = gnugo.points(&format!("all_legal {color}"));
        assert_eq!(legal, theirs, "{color} to play\n{board}");
        seen.questions += gnugo.size.point_count() as u64;
        seen.suicides += board.empty_points().filter(|&point| board.is_suicide(point)).count() as u64;
        seen.ko_bans += u64::from(board.ko_point().is_some());
    }
}

/// Plays one game of the uniform policy and asks now and then.
fn compare_along_a_game(gnugo: &mut GnuGo, game_index: u64, seen: &mut Seen) {
    let mut game: Game = Game::new(gnugo.size, chinese());
    let mut stream = Stream::new(20_261_121, game_index);
    gnugo.ask("clear_board");
    while !game.is_over() && game.ply_count() < RunConfig::default_ply_cap(gnugo.size) {
        let points: Vec<Point> = game.legal_points().collect();
        let mv = match points.len() {
            0 => Move::Pass,
            count => Move::Play(points[stream.below(count as u32) as usize]),
        };
        gnugo.play(game.to_play(), mv);
        game.play(mv).unwrap();
        let has_ko = game.board().ko_point().is_some();
        if !game.is_over() && (game.ply_count().is_multiple_of(EVERY_PLIES) || has_ko) {
            compare(&game, gnugo, seen);
        }
    }
}

#[test]
fn legal_moves_are_those_of_gnu_go() {
    let Some(program) = crate::outside::gnugo() else { return };
    let mut seen = Seen::default();
    for side in 5..=19 {
        let mut gnugo = GnuGo::new(program, BoardSize::square(side).unwrap(), "chinese");
        for index in 0..GAMES_PER_SIZE {
            compare_along_a_game(&mut gnugo, 100 * side as u64 + index, &mut seen);
        }
    }
    println!("{seen:?}");
    assert!(seen.questions > 5_000_000 && seen.suicides > 50_000 && seen.ko_bans > 300, "{seen:?}");
}

/// Whether all stones are alive whatever the opponent does, so that nothing is left to gnugo.
fn is_settled(game: &Game) -> bool {
    let board = game.board();
    let counts = board.position().life_counts(board.suicide());
    counts.iter().all(|counts| counts.alive_stones == counts.stones)
}

/// A result such as `B+3.0` as Black's margin.
fn margin(result: &str) -> f64 {
    match result.split_once('+') {
        Some(("B", points)) => points.parse().unwrap(),
        Some(("W", points)) => -points.parse::<f64>().unwrap(),
        _ => result.parse().unwrap(),
    }
}

#[test]
fn areas_are_those_of_gnu_go() {
    let Some(program) = crate::outside::gnugo() else { return };
    let (mut games, mut compared) = (0, 0);
    for (side, count) in
        [(5, 100), (6, 60), (7, 60), (8, 40), (9, 60), (11, 30), (13, 30), (16, 10), (19, 20)]
    {
        let size = BoardSize::square(side).unwrap();
        let spec = RunConfig::new(size, chinese(), Policy::EYE_SAFE).seed(20_261_121);
        let mut gnugo = GnuGo::new(program, size, "chinese");
        for index in 0..count {
            let record = spec.game(index);
            games += 1;
            let mut game: Game = Game::new(size, chinese());
            gnugo.ask("clear_board");
            for &mv in &record.moves {
                gnugo.play(game.to_play(), mv);
                game.play(mv).unwrap();
            }
            if !is_settled(&game) {
                continue;
            }
            compared += 1;
            let theirs = margin(&gnugo.ask("final_score"));
            assert_eq!(f64::from(game.board().area().margin()), theirs, "\n{}", game.board());
            assert_eq!(gnugo.ask("final_status_list dead"), "");
            for color in Color::BOTH {
                let captured = gnugo.ask(&format!("captures {color}"));
                assert_eq!(captured, game.prisoners(color.opponent()).to_string(), "by {color}");
            }
        }
    }
    println!(
        "{compared} of {games} finished games have unconditionally alive stones only, and were compared"
    );
    assert!(compared >= 300, "{compared} of {games}");
}

/// Lets GNU Go play against itself behind a random opening, to two passes.
fn play_out(gnugo: &mut GnuGo, game_index: u64) -> Game {
    let size = gnugo.size;
    let mut game: Game = Game::new(size, Preset::Japanese.rules());
    gnugo.ask("clear_board");
    for mv in Openings::Random(4).moves(2 * game_index, &game, 20_261_121) {
        gnugo.play(game.to_play(), mv);
        game.play(mv).unwrap();
    }
    while !game.is_over() && game.ply_count() < RunConfig::default_ply_cap(size) {
        let name = gnugo.ask(&format!("genmove {}", game.to_play()));
        let mv = if name == "PASS" { Move::Pass } else { Move::Play(Point::from_gtp(&name, size).unwrap()) };
        game.play(mv).unwrap();
    }
    game
}

/// With the dead stones and sekis that GNU Go sees, territory and prisoners come to the score that it gives.
#[test]
fn territories_are_those_of_gnu_go() {
    let Some(program) = crate::outside::gnugo() else { return };
    let (mut games, mut with_dead) = (0, 0);
    for (side, count) in [(5, 12), (6, 12), (7, 12)] {
        let mut gnugo =
            GnuGo::new(&format!("{program} --never-resign"), BoardSize::square(side).unwrap(), "japanese");
        for index in 0..count {
            let game = play_out(&mut gnugo, index);
            if !game.is_over() {
                continue;
            }
            games += 1;
            let [dead, seki] = ["dead", "seki"].map(|status| {
                gnugo.points(&format!("final_status_list {status}")).into_iter().collect::<Vec<_>>()
            });
            with_dead += u32::from(!dead.is_empty());
            let theirs = margin(&gnugo.ask("final_score"));
            let prisoners = Color::BOTH.map(|color| game.prisoners(color));
            let context =
                ScoringContext { dead: &dead, seki: SekiBy::Agreed(&seki), prisoners, handicap_stones: 0 };
            let rules = Rules { counting: Counting::Territory, ..Rules::TROMP_TAYLOR };
            let ours = game.board().position().score(rules, &context);
            assert_eq!(f64::from(ours.margin()), theirs, "{ours:?} {dead:?} {seki:?}\n{}", game.board());
        }
    }
    println!("{games} games to their end, {with_dead} with dead stones");
    assert!(games >= 30 && with_dead >= 10, "{games} {with_dead}");
}
