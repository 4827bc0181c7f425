//! Games in the lanes of a batch that start where another game stands, against the same games played one at a time with their history; and what
//! starting so costs: `cargo test --release -p jigo-engine batch -- --ignored --nocapture`.

use std::sync::Arc;

use jigo_engine::{
    BoardSize, Color, Game, Ko, Move, Point, Rules, Suicide,
    batch::{self, BatchSpec, Choice, Driver, FinishedGame, MAX_LANES, Needs, Origin, Start, SuperkoEvent},
    board::Among,
    for_width,
    simd::Simd,
    zobrist::mix64,
};

/// The random samples of one game: the upper halves of the states of a linear congruential generator.
#[derive(Clone, Copy)]
struct Samples(u32);

impl Samples {
    fn new(game: u64) -> Self {
        Self(mix64(game) as u32)
    }

    /// A number below `bound`, made as batches make it.
    fn below(&mut self, bound: u32) -> u32 {
        loop {
            let product = (self.0 >> 16) * bound;
            self.0 = next_state(self.0);
            if product & 0xffff >= (1 << 16) % bound {
                return product >> 16;
            }
        }
    }
}

/// The generator's step. The constants are those of PCG's 32-bit generator.
fn next_state(state: u32) -> u32 {
    state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453)
}

/// What is compared of a game.
#[derive(Debug, PartialEq)]
struct Playout {
    moves: Vec<u16>,
    is_over: bool,
    stones: [Vec<u32>; 2],
    placed: [u32; 2],
    refused: Vec<SuperkoEvent>,
    repeated: Vec<SuperkoEvent>,
}

/// Plays on from where the game stands.
fn play_on_board<const W: usize>(mut game: Game<W>, spec: &BatchSpec, mut samples: Samples) -> Playout {
    let size = spec.size;
    let among = if spec.choice == Choice::Legal { Among::Empty } else { Among::NotEyeLike };
    let (mut moves, mut refused, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
    while !game.is_over() && moves.len() < usize::from(spec.ply_cap) {
        let ply = game.ply_count();
        let mut candidates = game.board().candidates(among);
        let mut mv = Move::Pass;
        for count in (1..=candidates.count()).rev() {
            let point = candidates.take(samples.below(count)).point();
            let guards =
                |stones| game.board().self_atari_size(point).is_some_and(|size| size >= usize::from(stones));
            let is_rejected = match spec.choice {
                Choice::Guarded(stones) => guards(stones),
                _ => false,
            };
            if game.board().is_legal(point) && !is_rejected {
                match game.superko_violation(point) {
                    None => {
                        mv = Move::Play(point);
                        break;
                    }
                    Some(repetition) => refused.push(SuperkoEvent { ply, repetition }),
                }
            }
        }
        let played = game.play(mv).unwrap();
        repeated.extend(played.repetition.map(|repetition| SuperkoEvent { ply, repetition }));
        moves.push(mv.code(size));
    }
    let stones = Color::BOTH.map(|color| {
        let row = |y| {
            game.board().stones(color).filter(|point| point.y == y).fold(0, |row, point| row | 1 << point.x)
        };
        (0..size.height() as u8).map(row).collect()
    });
    let placed = Color::BOTH.map(|color| game.placed(color));
    Playout { moves, is_over: game.is_over(), stones, placed, refused, repeated }
}

/// Plays games, game *i* with the samples of game *i*, each from the next of these starts.
struct Lanes<'a> {
    starts: &'a [Start],
    game_count: usize,
    next: usize,
    indices: [usize; MAX_LANES],
    states: [u32; MAX_LANES],
    samples: [u16; MAX_LANES],
    plies: u64,
    /// Stays empty where only the speed is measured.
    playouts: Vec<Option<Playout>>,
}

impl<'a> Lanes<'a> {
    /// Plays one game from each start.
    fn play(simd: Simd, spec: &BatchSpec, starts: &'a [Start]) -> Vec<Playout> {
        let mut lanes = Self::new(starts, starts.len());
        lanes.playouts = starts.iter().map(|_| None).collect();
        batch::play(simd, spec, std::slice::from_mut(&mut lanes));
        lanes.playouts.into_iter().map(|playout| playout.expect("every game was played")).collect()
    }

    fn new(starts: &'a [Start], game_count: usize) -> Self {
        Lanes {
            starts,
            game_count,
            next: 0,
            indices: [0; MAX_LANES],
            states: [0; MAX_LANES],
            samples: [0; MAX_LANES],
            plies: 0,
            playouts: Vec::new(),
        }
    }
}

impl Driver for Lanes<'_> {
    #[inline(always)]
    fn samples(&self) -> &[u16; MAX_LANES] {
        &self.samples
    }

    #[inline(always)]
    fn use_samples(&mut self, used: &[u16]) {
        for (lane, &used) in used.iter().enumerate().take(MAX_LANES) {
            let mask = i32::from(used as i16) as u32;
            self.states[lane] ^= (self.states[lane] ^ next_state(self.states[lane])) & mask;
            self.samples[lane] = (self.states[lane] >> 16) as u16;
        }
    }

    fn start(&mut self, lane: usize, start: &mut Start) -> bool {
        if self.next == self.game_count {
            return false;
        }
        self.indices[lane] = self.next;
        self.states[lane] = Samples::new(self.next as u64).0;
        self.samples[lane] = (self.states[lane] >> 16) as u16;
        self.next += 1;
        start.clone_from(&self.starts[self.indices[lane] % self.starts.len()]);
        true
    }

    fn finish(&mut self, lane: usize, game: &FinishedGame<'_>) {
        self.plies += u64::from(game.plies);
        let Some(kept) = self.playouts.get_mut(self.indices[lane]) else { return };
        let playout = Playout {
            moves: game.moves.to_vec(),
            is_over: game.is_over,
            stones: game.stones.map(<[u32]>::to_vec),
            placed: Color::BOTH.map(|color| game.placed(color)),
            refused: game.refused.to_vec(),
            repeated: game.repeated.to_vec(),
        };
        assert_eq!(playout.moves.len(), game.plies as usize);
        assert_eq!(kept.replace(playout), None);
    }
}

/// Two batches take turns, though one runs out of games long before the other; three are played one after the other.
#[test]
fn several_batches_play_the_games_of_one() {
    const GAMES: usize = 300;
    let starts = vec![Start::EmptyBoard; GAMES];
    let sizes = [BoardSize::square(5), BoardSize::square(9), BoardSize::new(17, 3)].map(Result::unwrap);
    for simd in Simd::available() {
        for (size, ko) in
            sizes.into_iter().flat_map(|size| [(size, Ko::Simple), (size, Ko::PositionalSuperko)])
        {
            let spec = BatchSpec {
                size,
                ko,
                choice: Choice::EyeSafe,
                plays_suicide: false,
                ply_cap: 3 * size.point_count() as u16,
                needs: Needs::All,
                first_stones: false,
            };
            let expected = Lanes::play(simd, &spec, &starts);
            for ends in [vec![20, GAMES], vec![100, 101, GAMES]] {
                let mut first = 0;
                let mut batches: Vec<Lanes<'_>> = Vec::new();
                for end in ends {
                    let mut lanes = Lanes::new(&starts, end);
                    lanes.next = std::mem::replace(&mut first, end);
                    lanes.playouts = starts.iter().map(|_| None).collect();
                    batches.push(lanes);
                }
                batch::play(simd, &spec, &mut batches);
                for (index, expected) in expected.iter().enumerate() {
                    let found = batches.iter_mut().find_map(|lanes| lanes.playouts[index].take());
                    assert_eq!(found.as_ref(), Some(expected), "{simd}, {size}, {ko:?}, game {index}");
                }
            }
        }
    }
}

/// A game after random plies, passes among them; some start from a position, some go on out of turn.
fn random_game<const W: usize>(size: BoardSize, rules: Rules, number: u64) -> Game<W> {
    let mut samples = Samples::new(mix64(number ^ 0x5eed));
    let mut game = Game::<W>::new(size, rules);
    let play = |game: &mut Game<W>, plies: u32, samples: &mut Samples| {
        for _ in 0..plies {
            let points: Vec<Point> = game.legal_points().collect();
            let passes = points.is_empty() || samples.below(12) == 0;
            if !passes {
                game.play_unchecked(points[samples.below(points.len() as u32) as usize]);
            } else if game.consecutive_passes() == 0 {
                game.pass();
            }
        }
    };
    let most = 3 * size.point_count() as u32;
    if number % 4 == 1 {
        play(&mut game, samples.below(most), &mut samples);
        let board = game.board().clone();
        let stones =
            Color::BOTH.into_iter().flat_map(|color| board.stones(color).map(move |point| (point, color)));
        game.set_position(stones, Color::White).unwrap();
    }
    let plies = samples.below(most);
    play(&mut game, plies, &mut samples);
    if number % 4 == 2 {
        game.set_to_play(game.to_play().opponent());
        play(&mut game, samples.below(plies + 1), &mut samples);
    }
    game
}

/// Which things happened, so that a test that compares nothing fails: moves that superko rejects for positions before and after the start, and
/// repetitions that are played.
type Seen = [usize; 4];

fn compare<const W: usize>(spec: &BatchSpec, rules: Rules, count: u64, seen: &mut Seen) {
    let games: Vec<Game<W>> = (0..count).map(|number| random_game(spec.size, rules, number)).collect();
    let starts: Vec<Start> = games.iter().map(|game| Start::Game(Arc::new(Origin::new(game)))).collect();
    let alone =
        |(number, game): (usize, &Game<W>)| play_on_board(game.clone(), spec, Samples::new(number as u64));
    let expected: Vec<Playout> = games.iter().enumerate().map(alone).collect();
    for (game, playout) in games.iter().zip(&expected) {
        for (kind, events) in [&playout.refused, &playout.repeated].into_iter().enumerate() {
            for event in events {
                seen[2 * kind + usize::from(event.repetition.earlier_ply >= game.ply_count())] += 1;
            }
        }
    }
    for simd in Simd::available() {
        let found = Lanes::play(simd, spec, &starts);
        for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(
                found,
                expected,
                "{} {rules} {spec:?} {simd} game {number}\n{}",
                spec.size,
                games[number].board()
            );
        }
    }
}

#[test]
fn games_from_positions_are_those_of_the_board() {
    let mut seen = Seen::default();
    for (size, count) in [("2x2", 60), ("3x2", 60), ("3x3", 60), ("4x5", 12), ("9x9", 4), ("17x3", 4)] {
        let size: BoardSize = size.parse().unwrap();
        for ko in [Ko::Simple, Ko::PositionalSuperko, Ko::SituationalSuperko] {
            for suicide in [Suicide::Forbidden, Suicide::Allowed] {
                for choice in [Choice::Legal, Choice::EyeSafe, Choice::Guarded(2)] {
                    let rules = Rules { ko, suicide, ..Rules::TROMP_TAYLOR };
                    let plays_suicide = suicide == Suicide::Allowed;
                    let ply_cap = 3 * size.point_count() as u16;
                    let spec = BatchSpec {
                        size,
                        ko,
                        choice,
                        plays_suicide,
                        ply_cap,
                        needs: Needs::All,
                        first_stones: false,
                    };
                    for_width!(size, W => compare::<W>(&spec, rules, count, &mut seen));
                }
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

/// The time that this thread has run on a processor, in nanoseconds.
fn thread_time_ns() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("a Linux kernel");
    text.split(' ').next().and_then(|ns| ns.parse().ok()).expect("nanoseconds")
}

/// Nanoseconds that each of `count` repetitions takes: the least of several measurements, each so long that the clock's coarse ticks do not matter.
fn measure(count: usize, mut run: impl FnMut()) -> f64 {
    let mut time = || {
        let (start, mut runs) = (thread_time_ns(), 0);
        while thread_time_ns() - start < 4e8 {
            run();
            runs += 1;
        }
        (thread_time_ns() - start) / (runs * count) as f64
    };
    (0..5).map(|_| time()).fold(f64::INFINITY, f64::min)
}

/// What starting a game where another one stands costs.
#[test]
#[ignore = "measures speed"]
fn speed_of_loading() {
    const GAMES: usize = 20_000;
    for (size, ko) in [("9", Ko::Simple), ("9", Ko::PositionalSuperko), ("19", Ko::PositionalSuperko)] {
        let size: BoardSize = size.parse().unwrap();
        let rules = Rules { ko, ..Rules::TROMP_TAYLOR };
        let ply_cap = 3 * size.point_count() as u16;
        let spec = BatchSpec {
            size,
            ko,
            choice: Choice::EyeSafe,
            plays_suicide: false,
            ply_cap,
            needs: Needs::End,
            first_stones: false,
        };
        let mut game: Game = Game::new(size, rules);
        let empty = Start::Game(Arc::new(Origin::new(&game)));
        let mut samples = Samples::new(1);
        while game.ply_count() < size.point_count() as u32 / 2 {
            let points: Vec<Point> = game.legal_points().collect();
            game.play_unchecked(points[samples.below(points.len() as u32) as usize]);
        }
        let middle = Start::Game(Arc::new(Origin::new(&game)));
        let origin_ns = measure(1000, || {
            (0..1000).for_each(|_| drop(std::hint::black_box(Origin::new(&game))));
        });
        println!("{size} {ko:?}: a new origin after {} plies takes {origin_ns:.0} ns", game.ply_count());
        for simd in Simd::available() {
            let time = |starts: &[Start]| {
                let mut plies = 0;
                let ns = measure(GAMES, || {
                    let mut lanes = Lanes::new(starts, GAMES);
                    batch::play(simd, &spec, std::slice::from_mut(&mut lanes));
                    plies = lanes.plies;
                });
                (ns, plies)
            };
            let (board, board_plies) = time(&[Start::EmptyBoard]);
            let (loaded, loaded_plies) = time(std::slice::from_ref(&empty));
            let (from_middle, _) = time(std::slice::from_ref(&middle));
            assert_eq!(board_plies, loaded_plies);
            println!(
                "{size} {ko:?} {simd}: {board:.0} ns a game from the empty board, {loaded:.0} ns ({:+.1} %) loaded, {from_middle:.0} ns from the middle",
                (loaded / board - 1.0) * 100.0
            );
        }
    }
}

/// What taking a move back costs, beside playing it on a copy of the board.
#[test]
#[ignore = "measures speed"]
fn speed_of_undo() {
    for size in ["5", "9", "13", "19", "25"] {
        let size: BoardSize = size.parse().unwrap();
        for_width!(size, W => {
            let games: Vec<Game<W>> = (0..50).map(|number| random_game(size, Rules::TROMP_TAYLOR, 4 * number)).collect();
            let points: Vec<Vec<Point>> = games.iter().map(|game| game.board().legal_points().collect()).collect();
            let count = points.iter().map(Vec::len).sum();
            let mut undone = games.clone();
            let undo = measure(count, || {
                for (game, points) in undone.iter_mut().zip(&points) {
                    for &point in points {
                        game.play_recorded_unchecked(Move::Play(point));
                        game.undo();
                    }
                }
            });
            let copy = measure(count, || {
                for (game, points) in games.iter().zip(&points) {
                    for &point in points {
                        let mut board = std::hint::black_box(game.board()).clone();
                        board.play_unchecked(point);
                        std::hint::black_box(&board);
                    }
                }
            });
            let bytes = size_of::<jigo_engine::Board<W>>();
            println!("{size}: {undo:.0} ns to play and undo, {copy:.0} ns to play on a copy of {bytes} bytes");
        });
    }
}
