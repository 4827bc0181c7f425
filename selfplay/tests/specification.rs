//! `docs/playouts.md`, written a second time on the naive reference board and compared with the product game by game; and the golden
//! signatures that pin the games for good.

#[path = "../../engine/tests/definitions/life.rs"]
mod definition;

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use definition::unconditional_life;
use jigo_engine::{
    BoardSize, Color, Move, Point, Rules, Suicide,
    reference::{Colouring, ReferenceGame, Refusal, connected, neighbours, reaches},
    zobrist::mix64,
};
use jigo_selfplay::{
    End, GameRecord, Policy, Progress, Run, RunConfig, Signature, SuperkoEvent, policy::PolicySuicide,
    stream::GAMES_VERSION,
};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro128PlusPlus;

/// A game by the letter of the specification.
struct Naive {
    spec: Run,
    size: BoardSize,
    game: ReferenceGame,
    draws: std::vec::IntoIter<u16>,
    refused: usize,
}

impl Naive {
    fn new(spec: Run, index: u64) -> Self {
        let seed = mix64(mix64(spec.seed).wrapping_add(index));
        let mut generator = Xoshiro128PlusPlus::seed_from_u64(seed);
        let words = (0..40 * spec.config.ply_cap + 1000).map(|_| generator.next_u32());
        let draws: Vec<u16> = words.flat_map(|word| [(word & 0xffff) as u16, (word >> 16) as u16]).collect();
        let size = spec.config.size.playing_orientation();
        let game = ReferenceGame::new(size, *spec.config.rules);
        Self { spec, size, game, draws: draws.into_iter(), refused: 0 }
    }

    fn below(&mut self, bound: u32) -> usize {
        loop {
            let product = u32::from(self.draws.next().expect("enough draws")) * bound;
            if product % 65_536 >= 65_536 % bound {
                return (product / 65_536) as usize;
            }
        }
    }

    fn stone(&self, point: Point) -> Option<Color> {
        self.game.colouring()[point.index(self.size)]
    }

    fn is_eye_like(&self, point: Point) -> bool {
        let mover = self.game.to_play();
        let all_own = neighbours(self.size, point).all(|near| self.stone(near) == Some(mover));
        let diagonal = |other: &Point| point.x.abs_diff(other.x) == 1 && point.y.abs_diff(other.y) == 1;
        let diagonals = self.size.points().filter(diagonal);
        let opposing = diagonals.filter(|&other| self.stone(other) == Some(mover.opponent())).count();
        let on_edge = neighbours(self.size, point).count() < 4;
        all_own && opposing + usize::from(on_edge) < 2
    }

    /// The colouring with one more stone of the mover, before anything is removed.
    fn with_stone(&self, point: Point) -> Colouring {
        let mut colouring = self.game.colouring().clone();
        colouring[point.index(self.size)] = Some(self.game.to_play());
        colouring
    }

    fn captures(&self, point: Point) -> bool {
        let colouring = self.with_stone(point);
        let opponent = Some(self.game.to_play().opponent());
        neighbours(self.size, point)
            .any(|near| self.stone(near) == opponent && !reaches(self.size, &colouring, near, None))
    }

    /// The chain that the new stone would belong to, and its liberties.
    fn chain(&self, point: Point) -> (usize, usize) {
        let colouring = self.with_stone(point);
        let chain = connected(self.size, &colouring, point);
        let is_liberty = |other: &Point| {
            colouring[other.index(self.size)].is_none()
                && neighbours(self.size, *other).any(|near| chain.contains(&near))
        };
        (chain.len(), self.size.points().filter(is_liberty).count())
    }

    fn fills_own_territory(&self, point: Point) -> bool {
        let suicide = self.spec.config.rules.suicide;
        let life = unconditional_life(self.size, self.game.colouring(), self.game.to_play(), suicide);
        life.territory.contains(&point)
    }

    /// Whether the policy refuses the point, legal or not.
    fn policy_refuses(&self, point: Point) -> bool {
        let (stones, liberties) = self.chain(point);
        let never = |suicide| suicide == PolicySuicide::Never && liberties == 0 && !self.captures(point);
        let guards = |limit: u16| liberties == 1 && stones >= usize::from(limit) && !self.captures(point);
        match self.spec.config.policy {
            Policy::Uniform => false,
            Policy::EyeSafe { suicide } => never(suicide),
            Policy::Guarded { stones: limit, suicide } => never(suicide) || guards(limit),
            Policy::Settled { stones: limit, suicide } => {
                never(suicide) || guards(limit) || self.fills_own_territory(point)
            }
        }
    }

    fn choose(&mut self) -> Move {
        if self.game.is_out_of_stones() {
            return Move::Pass;
        }
        let considered = |&point: &Point| {
            self.stone(point).is_none()
                && self.game.check(Move::Play(point)) != Err(Refusal::Ko)
                && (self.spec.config.policy == Policy::Uniform || !self.is_eye_like(point))
        };
        let mut candidates: Vec<Point> = self.size.points().filter(considered).collect();
        while !candidates.is_empty() {
            let rank = self.below(candidates.len() as u32);
            let pick = candidates.remove(rank);
            let verdict = self.game.check(Move::Play(pick));
            if verdict == Err(Refusal::Suicide) || self.policy_refuses(pick) {
                continue;
            }
            match verdict {
                Ok(()) => return Move::Play(pick),
                Err(refusal) => {
                    assert_eq!(refusal, Refusal::Superko);
                    self.refused += 1;
                }
            }
        }
        Move::Pass
    }

    fn play(mut self) -> NaiveRecord {
        let (mut moves, mut forced_passes) = (Vec::new(), 0);
        while !self.game.is_over() && moves.len() < self.spec.config.ply_cap as usize {
            forced_passes += u32::from(self.game.is_out_of_stones());
            let mv = self.choose();
            self.game.play(mv).unwrap();
            moves.push(match mv {
                Move::Play(point) if self.size != self.spec.config.size => Move::Play(point.transposed()),
                other => other,
            });
        }
        let end = match self.game.is_over() {
            true if self.game.has_cycled() => End::Cycle,
            true => End::TwoPasses,
            false => End::PlyCap,
        };
        NaiveRecord { moves, refused: self.refused, area: self.game.area(), end, forced_passes }
    }
}

struct NaiveRecord {
    moves: Vec<Move>,
    refused: usize,
    area: [u32; 2],
    end: End,
    forced_passes: u32,
}

impl NaiveRecord {
    #[track_caller]
    fn compare(&self, record: &GameRecord) {
        assert_eq!(record.moves, self.moves, "game {}", record.game_index);
        assert_eq!(record.refused.len(), self.refused);
        assert_eq!(Color::BOTH.map(|color| record.area.of(color)), self.area);
        assert_eq!((record.end, record.forced_passes), (self.end, self.forced_passes));
    }
}

#[test]
fn the_product_follows_the_specification() {
    let policies = [
        "uniform",
        "eye-safe",
        "eye-safe:suicide=rules",
        "guarded:k=1",
        "guarded:k=3,suicide=rules",
        "settled:k=2,suicide=rules",
        "settled:k=3",
    ];
    let sizes = [
        ("1x1", 3),
        ("1x4", 6),
        ("4x1", 6),
        ("2x2", 8),
        ("3x3", 6),
        ("2x5", 4),
        ("5x4", 4),
        ("7x7", 2),
        ("9x6", 1),
    ];
    let (mut games, mut refused, mut capped) = (0, 0, 0);
    for (size, count) in sizes {
        for rules in Rules::lattice() {
            for policy in policies {
                let spec = RunConfig::new(size.parse().unwrap(), rules, policy.parse().unwrap()).seed(42);
                for index in 0..count {
                    let record = spec.game(index);
                    Naive::new(spec, index).play().compare(&record);
                    games += 1;
                    refused += record.refused.len();
                    capped += u32::from(record.is_capped());
                }
            }
        }
    }
    assert!(
        games >= 4000 && refused > 500 && capped > 100,
        "{games} games, {refused} refused, {capped} capped"
    );
}

#[test]
fn a_finite_supply_of_stones_follows_the_specification() {
    let (mut cycles, mut out_of_stones, mut single_suicides) = (0, 0, 0);
    for rules in ["makrai-area", "no-suicide+finite-stones", "simple-ko+finite-stones"] {
        for (size, ply_cap, games) in [("1x3", 60, 20), ("2x2", 200, 20), ("3x3", 400, 10), ("4x3", 600, 3)] {
            for policy in ["uniform", "eye-safe", "guarded:k=2,suicide=rules"] {
                let run = Run::new(size, rules, policy).unwrap().seed(7).ply_cap(ply_cap);
                for index in 0..games {
                    let record = run.game(index);
                    Naive::new(run, index).play().compare(&record);
                    cycles += u32::from(record.end == End::Cycle);
                    out_of_stones += u32::from(record.forced_passes > 0);
                    let removed = |event: &SuperkoEvent| event.repetition.cycle_plies == 1;
                    single_suicides += u32::from(record.repeated.iter().any(removed));
                }
            }
        }
    }
    let seen = [cycles, out_of_stones, single_suicides];
    assert!(seen.iter().all(|&games| games >= 20), "{seen:?}");
}

/// The settings whose games are pinned.
fn pinned() -> Vec<(Run, u64)> {
    let mut pinned = Vec::new();
    let sizes = [
        ("2x2", 2000),
        ("5", 1000),
        ("7x7", 1000),
        ("9", 1000),
        ("9x13", 200),
        ("13", 200),
        ("19", 100),
        ("25x20", 20),
    ];
    for (size, games) in sizes {
        for policy in ["eye-safe", "uniform", "guarded:k=2", "eye-safe:suicide=rules", "settled:k=3"] {
            for rules in ["tromp-taylor", "new-zealand", "chinese"] {
                let spec = Run::new(size, rules, policy).unwrap().seed(1);
                pinned.push((spec, games));
            }
        }
    }
    pinned
}

/// What to do when games change.
const CHANGED: &str = "the games of a seed change, or rows are missing. If that is not meant, find out why. If it is: raise GAMES_VERSION (selfplay/src/stream.rs), say what changes \
    in docs/playouts.md and in CHANGELOG.md under Signatures, write the new folder with `JIGO_BLESS=1 cargo test --release -p jigo-selfplay --test \
    specification`, and point the other readers of the old one to it. docs/stability.md has the whole list";

/// Compares with `tests/data/games-v1/signatures.csv`, whose folder is that of [`GAMES_VERSION`]. Rows that are there are never written again;
/// those of a new policy are added with `JIGO_BLESS=1`.
#[test]
fn games_are_pinned() {
    let heading = "# Signatures of the first games of seed 1: see docs/playouts.md and specification.rs\nsize,rules,policy,games,signature\n";
    let rows = pinned().into_iter().map(|(spec, games)| {
        let signature = spec.play(0..games, Signature::default, &Progress::new()).unwrap();
        let RunConfig { size, rules, policy, .. } = spec.config;
        (format!("{size},{rules},{policy},{games},"), signature.to_string())
    });
    let rows: Vec<(String, String)> = rows.collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/games-v{GAMES_VERSION}"));
    let path = folder.join("signatures.csv");
    let mut golden = fs::read_to_string(&path).unwrap_or_else(|_| heading.to_owned());
    if std::env::var_os("JIGO_BLESS").is_some() {
        for (run, signature) in &rows {
            if !golden.lines().any(|line| line.starts_with(run)) {
                writeln!(golden, "{run}{signature}").unwrap();
            }
        }
        fs::create_dir_all(&folder).unwrap();
        fs::write(&path, &golden).unwrap();
    }
    let lines = rows.iter().map(|(run, signature)| format!("{run}{signature}\n"));
    let table = lines.fold(heading.to_owned(), |table, line| table + &line);
    let total = table.bytes().fold(0, |hash, byte| mix64(hash ^ u64::from(byte)));
    println!("Signature: {total:016x}");
    let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(sorted(&table), sorted(&golden), "{CHANGED}");
}

#[test]
fn threads_and_ranges_do_not_matter() {
    let size = BoardSize::new(6, 5).unwrap();
    for policy in [Policy::EYE_SAFE, "settled:k=3".parse().unwrap()] {
        let spec = RunConfig::new(size, Rules::TROMP_TAYLOR, policy).seed(9);
        let play = |threads, range: std::ops::Range<u64>| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| spec.play(range, Signature::default, &Progress::new()).unwrap())
        };
        let whole = play(1, 0..3000);
        assert_eq!(whole, play(2, 0..3000));
        assert_eq!(whole, play(3, 0..3000));
        let mut parts = play(2, 1234..3000);
        jigo_selfplay::Sink::merge(&mut parts, play(1, 0..1234));
        assert_eq!(whole, parts);
        assert_ne!(whole, play(1, 1..3001));
    }
}

#[test]
fn suicide_is_played_only_where_rules_and_policy_allow_it() {
    let size = BoardSize::square(5).unwrap();
    let given_up = |suicide: Suicide, policy: &str| {
        let rules = Rules { suicide, ..Rules::TROMP_TAYLOR };
        let spec = RunConfig::new(size, rules, policy.parse().unwrap()).seed(3);
        let mut stones = 0;
        for index in 0..200 {
            let record = spec.game(index);
            let mut game: jigo_engine::Game = jigo_engine::Game::new(size, rules);
            stones += record.moves.iter().map(|&mv| game.play(mv).unwrap().outcome.given_up).sum::<u16>();
        }
        stones
    };
    assert_eq!(given_up(Suicide::Forbidden, "eye-safe:suicide=rules"), 0);
    assert_eq!(given_up(Suicide::Allowed, "eye-safe"), 0);
    assert!(given_up(Suicide::Allowed, "eye-safe:suicide=rules") > 0);
    assert!(given_up(Suicide::Allowed, "uniform") > 0);
}
