//! Search players: the section on search of `docs/playouts.md`, written a second time on the naive reference board, and the same games on all backends,
//! at any number of threads.

use std::collections::BTreeMap;

use crate::kept::Games;
use crate::naive::{Draws, Naive};
use jigo_engine::{
    BoardSize, Color, Counting, Move, Point, Rules, Suicide,
    reference::{ReferenceGame, neighbours},
};
use jigo_selfplay::{
    Backend, Policy, Progress, Run, SearchRecord,
    policy::{PlayoutPolicy, PolicySuicide},
    search::{Uct, UctReward},
};

/// A node of the naive tree: a position, by the rules of the game and by simple ko.
struct Node {
    real: ReferenceGame,
    simple: ReferenceGame,
    placed: [u32; 2],
    passed: bool,
    visits: u32,
    edges: Vec<Edge>,
}

struct Edge {
    mv: Move,
    visits: i32,
    sum: i32,
    rave_visits: i32,
    rave_sum: i32,
    margins: i32,
    node: Option<Node>,
}

/// Black's margin at the end of a playout, the edges that led to it, and who first played on each point afterwards.
struct Played {
    path: Vec<usize>,
    margin: i32,
    first: BTreeMap<Point, Color>,
}

struct Search {
    uct: Uct,
    rules: Rules,
    size: BoardSize,
    center: Option<i32>,
}

fn sign(color: Color) -> i32 {
    if color == Color::Black { 1 } else { -1 }
}

impl Search {
    fn points(&self) -> i32 {
        self.size.point_count() as i32
    }

    fn naive(&self, game: &ReferenceGame, draws: Draws) -> Naive {
        Naive::at(self.uct.playout, self.rules.suicide, self.size, game.clone(), draws)
    }

    fn margin(&self, game: &ReferenceGame, placed: [u32; 2]) -> i32 {
        let stones = Color::BOTH
            .map(|color| game.colouring().iter().filter(|&&stone| stone == Some(color)).count() as i32);
        let area = game.area().map(|area| area as i32);
        match self.rules.counting {
            Counting::Area => area[0] - area[1],
            Counting::Territory => {
                let lost = [0, 1].map(|color| placed[color] as i32 - stones[color]);
                (area[0] - stones[0] + lost[1]) - (area[1] - stones[1] + lost[0])
            }
        }
    }

    fn reward(&self, margin: i32) -> i32 {
        match (self.uct.reward, self.center) {
            (UctReward::Margin, None) => margin,
            (UctReward::Margin, Some(center)) => {
                let reach = (self.points() * 15 / 100).max(1);
                (margin - center).clamp(-reach, reach) * self.points() / reach
            }
            (UctReward::Win(komi), _) => komi.expect("a komi").apply(margin).signum() * self.points(),
        }
    }

    fn node(
        &self,
        real: ReferenceGame,
        simple: ReferenceGame,
        placed: [u32; 2],
        passed: bool,
        mean: i32,
    ) -> Node {
        let naive = self.naive(&real, Draws::new(0, 0));
        let plays_suicide = self.uct.playout.suicide() == PolicySuicide::AsTheRulesSay
            && self.rules.suicide == Suicide::Allowed;
        let without_suicide = Rules { suicide: Suicide::Forbidden, ..self.rules };
        let is_considered = |&point: &Point| {
            let strict = ReferenceGame::from_position(
                self.size,
                without_suicide,
                real.colouring().clone(),
                real.to_play(),
            );
            real.check(Move::Play(point)).is_ok()
                && (plays_suicide || strict.check(Move::Play(point)).is_ok())
                && (self.uct.playout == PlayoutPolicy::Uniform || !naive.is_eye_like(point))
        };
        let own = sign(real.to_play()) * self.points();
        let edge = |mv: Move| {
            let prior = self.uct.prior as i32;
            let (mut rave_visits, mut rave_sum) = (prior, prior * mean);
            if let Move::Play(point) = mv {
                if naive.captures(point) {
                    rave_visits += 30;
                    rave_sum += 30 * (mean + own);
                }
                if neighbours(self.size, point).count() < 4 {
                    rave_visits += 10;
                    rave_sum += 10 * (mean - 40 * own / 100);
                }
            }
            Edge { mv, visits: 0, sum: 0, rave_visits, rave_sum, margins: 0, node: None }
        };
        let moves = self.size.points().filter(is_considered).map(Move::Play).chain([Move::Pass]);
        let edges = moves.map(edge).collect();
        Node { real, simple, placed, passed, visits: 0, edges }
    }

    /// The edge of a node that the next playout takes.
    fn best(&self, node: &Node, ties: &mut Draws) -> usize {
        let bias = self.uct.rave.map_or(0.0, |rave| 1.0 / rave as f32);
        let exploration = self.uct.exploration as f32 / 1000.0 * (self.points() as f32).sqrt();
        let number = node.visits + 1;
        let whole = 31 - number.leading_zeros();
        let log = whole as f32 + (number - (1 << whole)) as f32 / (1_u32 << whole) as f32;
        let scores: Vec<f32> = node
            .edges
            .iter()
            .map(|edge| {
                let is_early = (node.visits as usize) < node.edges.len() - 1;
                if edge.mv == Move::Pass && !node.passed && is_early {
                    return f32::NEG_INFINITY;
                }
                let weight = 1.0 + bias * edge.rave_visits as f32;
                let mean = (weight * edge.sum as f32 + edge.rave_sum as f32)
                    / (weight * edge.visits as f32 + edge.rave_visits as f32);
                sign(node.real.to_play()) as f32 * mean
                    + exploration * (log / (edge.visits as f32 + 1.0)).sqrt()
            })
            .collect();
        let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let equal: Vec<usize> = (0..scores.len()).filter(|&edge| scores[edge] == best).collect();
        if equal.len() == 1 { equal[0] } else { equal[ties.below(equal.len() as u32)] }
    }

    /// Goes down from a node, counts the visits, and plays the game out.
    fn descend(&self, node: &mut Node, ties: &mut Draws, mut draws: Draws) -> Played {
        let index = self.best(node, ties);
        let mover = node.real.to_play();
        node.visits += 1;
        let loss = if self.uct.leaves > 1 { self.points() } else { 0 };
        let (visits, sum) = (node.edges[index].visits, node.edges[index].sum);
        node.edges[index].visits += 1;
        node.edges[index].sum -= sign(mover) * loss;
        let mv = node.edges[index].mv;
        if mv == Move::Pass && node.passed {
            let margin = self.margin(&node.real, node.placed);
            return Played { path: vec![index], margin, first: BTreeMap::new() };
        }
        if node.edges[index].node.is_none() {
            let (mut real, mut simple, mut placed) = (node.real.clone(), node.simple.clone(), node.placed);
            real.play(mv).unwrap();
            simple.play(mv).unwrap();
            placed[mover.index()] += u32::from(mv != Move::Pass);
            if (visits as u32) < self.uct.expand {
                let (margin, first) = self.play_out(simple, placed, draws);
                return Played { path: vec![index], margin, first };
            }
            node.edges[index].node = Some(self.node(real, simple, placed, mv == Move::Pass, sum / visits));
        }
        let next = node.edges[index].node.as_mut().unwrap();
        draws = draws.clone();
        let mut played = self.descend(next, ties, draws);
        played.path.insert(0, index);
        played
    }

    fn play_out(
        &self,
        game: ReferenceGame,
        mut placed: [u32; 2],
        draws: Draws,
    ) -> (i32, BTreeMap<Point, Color>) {
        let mut naive = self.naive(&game, draws);
        let mut first = BTreeMap::new();
        for _ in 0..3 * self.points() {
            if naive.game.is_over() {
                break;
            }
            let (mover, mv) = (naive.game.to_play(), naive.choose());
            if let Move::Play(point) = mv {
                first.entry(point).or_insert(mover);
                placed[mover.index()] += 1;
            }
            naive.game.play(mv).unwrap();
        }
        (self.margin(&naive.game, placed), first)
    }

    fn back_up(&self, node: &mut Node, path: &[usize], reward: i32, first: &mut BTreeMap<Point, Color>) {
        let [index, rest @ ..] = path else { return };
        let mover = node.real.to_play();
        if let Some(next) = &mut node.edges[*index].node {
            self.back_up(next, rest, reward, first);
        }
        let edge = &mut node.edges[*index];
        edge.sum += reward + if self.uct.leaves > 1 { sign(mover) * self.points() } else { 0 };
        if let Move::Play(point) = edge.mv {
            first.insert(point, mover);
        }
        if self.uct.rave.is_some() {
            for edge in &mut node.edges {
                if let Move::Play(point) = edge.mv
                    && first.get(&point) == Some(&mover)
                {
                    edge.rave_visits += 1;
                    edge.rave_sum += reward;
                }
            }
        }
    }

    /// The move that a search finds, and what it found of all moves.
    fn choose(&mut self, root: impl Fn(&Self) -> Node, seed: u64) -> (Move, Option<SearchRecord>) {
        let mut ties = Draws::new(seed, 0);
        let mut tree = root(self);
        let (playouts, mut begun) = (self.uct.playouts, 0);
        if tree.edges.len() == 1 {
            return (Move::Pass, None);
        }
        let first_stage = (playouts / 8).max(16);
        while begun < playouts {
            if self.uct.reward == UctReward::Margin && self.center.is_none() && begun >= first_stage {
                let (visits, sum) = tree
                    .edges
                    .iter()
                    .fold((0, 0), |(visits, sum), edge| (visits + edge.visits, sum + edge.sum));
                self.center = Some(sum / visits);
                tree = root(self);
            }
            let end = match (self.uct.reward, self.center) {
                (UctReward::Margin, None) => first_stage.min(playouts),
                _ => playouts,
            };
            let wave: Vec<Played> = (begun..end.min(begun + self.uct.leaves))
                .map(|playout| self.descend(&mut tree, &mut ties, Draws::new(seed, u64::from(playout) + 1)))
                .collect();
            begun += wave.len() as u32;
            for mut played in wave {
                tree.edges[played.path[0]].margins += played.margin;
                self.back_up(&mut tree, &played.path, self.reward(played.margin), &mut played.first);
            }
        }
        let to_play = tree.real.to_play();
        let key = |edge: &Edge| (edge.visits, sign(to_play) * edge.sum);
        let best = tree.edges.iter().map(key).max().unwrap();
        let chosen = tree.edges.iter().find(|edge| key(edge) == best).unwrap().mv;
        (chosen, Some(self.found(&tree)))
    }

    fn found(&self, tree: &Node) -> SearchRecord {
        let codes = 0..=self.size.point_count() as u16;
        let edge = |code| tree.edges.iter().find(|edge| edge.mv.code(self.size) == code);
        let visits = codes.map(|code| edge(code).map_or(0, |edge| edge.visits as u32)).collect();
        let margins: i32 = tree.edges.iter().map(|edge| edge.margins).sum();
        SearchRecord { visits, margin: (f64::from(margins) / f64::from(tree.visits)) as f32 }
    }
}

/// A ply of an opening.
fn random_move(game: &ReferenceGame, size: BoardSize, draws: &mut Draws) -> Move {
    let is_legal = |&mv: &Move| game.check(mv).is_ok();
    let legal: Vec<Move> = size.points().map(Move::Play).filter(is_legal).collect();
    if legal.is_empty() { Move::Pass } else { legal[draws.below(legal.len() as u32)] }
}

/// A game by the letter of the specification, and what the search for each ply found.
fn naive_game(run: Run, index: u64) -> (Vec<Move>, Vec<Option<SearchRecord>>) {
    let Policy::Uct(uct) = run.config.policy else { panic!("a search player") };
    let (size, rules) = (run.config.size, *run.config.rules);
    let mut real = ReferenceGame::new(size, rules);
    let mut simple = ReferenceGame::new(size, Rules { ko: jigo_engine::Ko::Simple, ..rules });
    let mut draws = Draws::new(run.seed, index);
    let (mut moves, mut searches, mut placed) = (Vec::new(), Vec::new(), [0; 2]);
    while !real.is_over() && moves.len() < run.config.ply_cap as usize {
        let (mv, found) = if moves.len() < uct.opening as usize {
            (random_move(&real, size, &mut draws), None)
        } else {
            let seed = (0..4).fold(0, |seed, part| seed | u64::from(draws.sample()) << (16 * part));
            let mut search = Search { uct, rules, size, center: None };
            let passed = moves.last() == Some(&Move::Pass);
            let root = |search: &Search| search.node(real.clone(), simple.clone(), placed, passed, 0);
            search.choose(root, seed)
        };
        searches.push(found);
        placed[real.to_play().index()] += u32::from(mv != Move::Pass);
        real.play(mv).unwrap();
        simple.play(mv).unwrap();
        moves.push(mv);
    }
    (moves, searches)
}

#[test]
fn searches_follow_the_specification() {
    let players = [
        "uct:playouts=60",
        "uct:playouts=40,rave=off,exploration=0.4",
        "uct:playouts=150,expand=1,prior=1,rave=50",
        "uct:playouts=50,reward=win,komi=2,playout=guarded:k=2",
        "uct:playouts=70,leaves=5,playout=eye-safe:suicide=rules",
        "uct:playouts=12,playout=uniform",
        "uct:playouts=20,opening=2",
        "uct:playouts=8,opening=8,playout=uniform",
    ];
    let (mut plies, mut unsearched) = (0, 0);
    for (number, size) in ["1x3", "2x2", "3x3", "5x3"].into_iter().enumerate() {
        for (column, rules) in
            ["tromp-taylor", "japanese", "area+situational-superko+no-suicide"].into_iter().enumerate()
        {
            for player in players {
                let run = Run::new(size, rules, player).unwrap().seed(3 + number as u64).ply_cap(40);
                for index in 0..3 {
                    let index = 3 * column as u64 + index;
                    let record = run.game(index);
                    let (moves, searches) = naive_game(run, index);
                    assert_eq!(record.moves, moves, "{size} {rules} {player} {index}");
                    assert_eq!(record.searches, searches, "{size} {rules} {player} {index}");
                    unsearched += searches.iter().filter(|search| search.is_none()).count();
                    plies += record.plies;
                }
            }
        }
    }
    assert!(plies > 1500 && unsearched > 50, "{plies} {unsearched}");
}

#[test]
fn all_backends_and_threads_play_the_same_games() {
    let mut rejected = 0;
    for (size, rules, player, games) in [
        ("5", "tromp-taylor", "uct:playouts=50", 70),
        ("4x3", "area+situational-superko+no-suicide", "uct:playouts=200,expand=1", 70),
        ("3", "tromp-taylor", "uct:playouts=6", 400),
        ("9", "chinese", "uct:playouts=60,playout=guarded:k=2,leaves=4", 12),
        ("9", "chinese", "uct:playouts=2", 70),
        ("16x5", "japanese", "uct:playouts=40,leaves=32", 4),
        ("13", "tromp-taylor", "uct:playouts=30,rave=off", 6),
        ("4x2", "tromp-taylor", "uct:playouts=9,opening=8", 40),
    ] {
        let run = Run::new(size, rules, player).unwrap().seed(9);
        let play = |backend, range| -> Games {
            run.play_on(backend, range, Games::default, &Progress::new()).unwrap()
        };
        let expected = play(Backend::Board, 0..games);
        assert_eq!(expected.0.len(), games as usize);
        rejected += expected.0.values().map(|(record, _)| record.refused.len()).sum::<usize>();
        for backend in Backend::available().filter(|&backend| backend != Backend::Board) {
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let found = pool.install(|| play(backend, 0..games));
                for (index, game) in &expected.0 {
                    assert_eq!(found.0[index], *game, "{size} {rules} {player} {backend} {threads}");
                }
            }
        }
        let one = run.game(games - 1);
        assert_eq!(one, expected.0[&(games - 1)].0, "{size} {player}");
    }
    assert!(rejected > 0, "superko rejected nothing");
}
