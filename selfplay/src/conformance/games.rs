//! Random games with questions in every position, and trees of all moves.

use jigo_engine::{Color, Game, IllegalMove, Move, Point};

use super::{
    Check, CheckError,
    checker::Checker,
    script::{Action, Script, is_beside, square},
};
use crate::{Progress, Stream};

/// Plies, in relation to the points of the board, after which a random game ends: long enough for captures everywhere.
const PLIES_PER_POINT: u32 = 2;
/// One of so many random moves is a pass.
const PASSES: u32 = 40;
/// After so many plies, some moves are taken back.
const UNDO_INTERVAL: u32 = 10;
/// Points of each kind that are tried in most positions; in one of so many positions all of them are.
const TRIED: usize = 2;
const FULL_INTERVAL: u32 = 12;
/// Scripts of a game that try points of captured stones where nothing can be taken back.
const MAX_AFTERWARDS: usize = 4;
/// The most commands for a tree of moves, and its greatest depth.
const MAX_TREE: usize = 12_000;
const MAX_DEPTH: usize = 8;

/// Plays random games, half of them on the smallest usual board, where more stones are captured.
pub(super) fn check_games(checker: &mut Checker<'_>, progress: &Progress) -> Result<(), CheckError> {
    let (mut positions, mut index) = (0, 0);
    while positions < checker.spec.positions && !checker.is_hopeless() {
        let side = if index % 2 == 0 { checker.abilities.small } else { checker.spec.size.width() };
        let mut game = RandomGame::new(checker, side, index);
        let plies = game.play(checker.spec.positions - positions);
        let RandomGame { script, afterwards, .. } = game;
        checker.run(&script)?;
        for script in afterwards {
            checker.run(&script)?;
        }
        (positions, index) = (positions + plies, index + 1);
        progress.add(1, plies);
    }
    if !checker.abilities.has("list_stones") {
        checker.note(Check::Captures, "no list_stones: found out by playing on points");
    }
    Ok(())
}

/// A random game in the making.
struct RandomGame {
    game: Game,
    stream: Stream,
    script: Script,
    /// The moves that stand on the board.
    moves: Vec<(Color, Move)>,
    afterwards: Vec<Script>,
    has_undo: bool,
    has_list: bool,
    leaves_out: [bool; 2],
}

impl RandomGame {
    fn new(checker: &Checker<'_>, side: usize, index: u64) -> Self {
        Self {
            game: Game::new(square(side), checker.rules),
            stream: Stream::new(checker.spec.seed, index),
            script: Script::new(side, Vec::new()),
            moves: Vec::new(),
            afterwards: Vec::new(),
            has_undo: checker.abilities.has("undo"),
            has_list: checker.abilities.has("list_stones"),
            leaves_out: checker.leaves_out,
        }
    }

    /// Plays to the end, or so many plies, with questions after each of them. Returns the number of plies.
    fn play(&mut self, most: u64) -> u64 {
        let cap = PLIES_PER_POINT * self.game.board().size().point_count() as u32;
        let cap = u64::from(cap).min(most) as u32;
        while !self.game.is_over() && self.game.ply_count() < cap {
            let (legal, illegal) = points(&self.game, self.leaves_out);
            let is_full = self.game.ply_count() % FULL_INTERVAL == FULL_INTERVAL - 1;
            for point in illegal {
                self.try_move(Move::Play(point));
            }
            self.try_occupied(if is_full { usize::MAX } else { TRIED });
            if self.has_undo {
                self.try_and_undo(&legal, if is_full { usize::MAX } else { TRIED });
            }
            self.advance(&legal);
            if self.has_undo && self.game.ply_count().is_multiple_of(UNDO_INTERVAL) {
                self.undo_and_repeat();
            }
        }
        u64::from(self.game.ply_count())
    }

    fn try_move(&mut self, mv: Move) {
        self.script.actions.push(Action::Play(self.game.to_play(), mv));
    }

    fn list_stones(&mut self) {
        let stones = Color::BOTH.map(Action::Stones).into_iter().filter(|_| self.has_list);
        self.script.actions.extend(stones);
    }

    /// Tries points with stones.
    fn try_occupied(&mut self, count: usize) {
        let board = self.game.board();
        let stones: Vec<Point> = Color::BOTH.into_iter().flat_map(|color| board.stones(color)).collect();
        for point in self.sample(&stones, count) {
            self.try_move(Move::Play(point));
        }
    }

    /// Tries legal points, and takes every move back.
    fn try_and_undo(&mut self, legal: &[Point], count: usize) {
        for point in self.sample(legal, count) {
            self.try_move(Move::Play(point));
            self.script.actions.push(Action::Undo);
        }
        self.list_stones();
    }

    /// Returns so many of the points, or all of them where these are not many more.
    fn sample(&mut self, points: &[Point], count: usize) -> Vec<Point> {
        if points.len() <= count {
            return points.to_vec();
        }
        (0..count).map(|_| points[self.stream.below(points.len() as u32) as usize]).collect()
    }

    /// Plays a random move.
    fn advance(&mut self, legal: &[Point]) {
        let color = self.game.to_play();
        let mv = match legal.len() as u32 {
            0 => Move::Pass,
            _ if self.stream.below(PASSES) == 0 => Move::Pass,
            count => Move::Play(legal[self.stream.below(count) as usize]),
        };
        let board = self.game.board();
        let before: Vec<Point> = Color::BOTH.into_iter().flat_map(|color| board.stones(color)).collect();
        self.try_move(mv);
        self.game.play(mv).expect("one of the legal moves");
        self.moves.push((color, mv));
        self.list_stones();
        if !self.has_list {
            let emptied =
                before.into_iter().filter(|&point| self.game.board().stone(point).is_none()).collect();
            self.try_captured(emptied);
        }
    }

    /// Finds out by playing whether the points of captured stones are empty, and whether all other stones are there.
    fn try_captured(&mut self, mut points: Vec<Point>) {
        points.retain(|&point| self.game.check_point(point).is_ok());
        if points.is_empty() || self.game.is_over() {
            return;
        }
        self.try_occupied(usize::MAX);
        if self.has_undo {
            self.try_and_undo(&points, usize::MAX);
        } else if self.afterwards.len() < MAX_AFTERWARDS {
            let moves = self.moves.iter().map(|&(color, mv)| Action::Play(color, mv));
            let last = Action::Play(self.game.to_play(), Move::Play(points[0]));
            let script = Script::new(self.script.side, moves.chain([last]).collect());
            self.afterwards.push(script);
        }
    }

    /// Takes up to three moves back, and plays them again.
    fn undo_and_repeat(&mut self) {
        let count = 1 + self.stream.below(3) as usize;
        let again = self.moves[self.moves.len().saturating_sub(count)..].to_vec();
        self.script.actions.extend(again.iter().map(|_| Action::Undo));
        self.list_stones();
        self.script.actions.extend(again.iter().map(|&(color, mv)| Action::Play(color, mv)));
        self.list_stones();
    }
}

/// Plays all moves to the depth that the size of the tree allows, and takes them back, on the smallest board.
pub(super) fn check_perft(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    if !checker.abilities.has("undo") {
        return Ok(());
    }
    let side = checker.abilities.smallest;
    let game: Game = Game::new(square(side), checker.rules);
    let (mut scripts, mut depth) = (Vec::new(), 0);
    while let Some(tree) = tree(&game, depth + 1, checker.leaves_out).filter(|_| depth < MAX_DEPTH) {
        (scripts, depth) = (tree, depth + 1);
    }
    checker.note(Check::Perft, format!("{side}x{side} to depth {depth}"));
    for actions in scripts {
        if checker.is_hopeless() {
            break;
        }
        checker.run_for(&Script::new(side, actions), Some(Check::Perft))?;
    }
    Ok(())
}

/// Returns the commands for each first move and all that follows it to a depth; `None` where these are too many.
fn tree(game: &Game, depth: usize, leaves_out: [bool; 2]) -> Option<Vec<Vec<Action>>> {
    let mut room = MAX_TREE;
    let mut scripts = Vec::new();
    for mv in game.legal_points().map(Move::Play).chain([Move::Pass]) {
        let mut actions = Vec::new();
        add_move(game, mv, depth, leaves_out, &mut actions);
        room = room.checked_sub(actions.len())?;
        scripts.push(actions);
    }
    Some(scripts)
}

/// Adds a move, all that follows it, and its undo.
fn add_move(game: &Game, mv: Move, depth: usize, leaves_out: [bool; 2], actions: &mut Vec<Action>) {
    let color = game.to_play();
    actions.push(Action::Play(color, mv));
    let mut next = game.clone();
    next.play(mv).expect("a legal move");
    if depth > 1 && !next.is_over() && actions.len() <= MAX_TREE {
        let (legal, illegal) = points(&next, leaves_out);
        let occupied = Color::BOTH.into_iter().flat_map(|color| next.board().stones(color));
        let refused = illegal.into_iter().chain(occupied).map(Move::Play);
        actions.extend(refused.map(|mv| Action::Play(next.to_play(), mv)));
        for mv in legal.into_iter().map(Move::Play).chain([Move::Pass]) {
            add_move(&next, mv, depth - 1, leaves_out, actions);
        }
    }
    actions.push(Action::Undo);
}

/// Returns the empty points where the player to move may play and may not, without those that are left out: suicides of several stones, and moves
/// that repeat a position.
fn points(game: &Game, [no_suicides, no_repetitions]: [bool; 2]) -> (Vec<Point>, Vec<Point>) {
    let board = game.board();
    let own: Vec<Point> = board.stones(game.to_play()).collect();
    let is_single = |point: Point| !own.iter().any(|&stone| is_beside(stone, point));
    let (mut legal, mut illegal) = (Vec::new(), Vec::new());
    for point in board.empty_points() {
        if no_suicides && board.is_suicide(point) && !is_single(point) {
            continue;
        }
        match game.check_point(point) {
            Ok(()) if no_repetitions && game.repetition(point).is_some() => {}
            Ok(()) => legal.push(point),
            Err(IllegalMove::Superko { .. }) if no_repetitions => {}
            Err(_) => illegal.push(point),
        }
    }
    (legal, illegal)
}
