//! Commands about a game, and the reply that each of them must have by jigo's rules.

use std::collections::BTreeSet;

use jigo_engine::{
    BoardSize, Color, Game, IllegalMove, Komi, Move, Point, Rules,
    board::MoveOutcome,
    life::{Status, StatusSolver},
};

use super::{Check, connection::Reply};

/// One command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Begins another game on a board of this size.
    Size(usize),
    /// Begins another game.
    Clear,
    /// Plays a move, which may be illegal.
    Play(Color, Move),
    /// Takes the last move back.
    Undo,
    /// Asks for the stones of a colour.
    Stones(Color),
    /// Asks for the result.
    Score,
    /// Asks for the stones of this status at the end.
    Status(Status),
}

/// A conversation from the beginning of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Script {
    /// The side of the board.
    pub(super) side: usize,
    /// The komi that is set after the board is cleared, where it plays a role.
    pub(super) komi: Option<Komi>,
    pub(super) actions: Vec<Action>,
}

/// A command with the reply that it must have.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) command: String,
    pub(super) expected: Expected,
    /// What is wrong if the reply is another one.
    pub(super) fault: FaultName,
}

/// A kind of fault: the check that it belongs to, and what the program does.
pub(super) type Kind = (Check, String);

/// The same, as it is written here.
type FaultName = (Check, &'static str);

/// What a reply must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Success,
    Failure,
    /// A list of these points, in any order.
    Points(BTreeSet<Point>, BoardSize),
    /// Black's result in half points.
    Result(i32),
}

impl Script {
    pub(super) fn new(side: usize, actions: Vec<Action>) -> Self {
        Self { side, komi: None, actions }
    }

    /// Returns a script of moves in turn, Black's first.
    pub(super) fn of_moves(side: usize, moves: &[Move]) -> Self {
        let colors = Color::BOTH.into_iter().cycle();
        Self::new(side, colors.zip(moves).map(|(color, &mv)| Action::Play(color, mv)).collect())
    }

    /// Returns the commands that come before those of the actions.
    fn start(&self) -> Vec<Step> {
        let step = |command: String, what| Step {
            command,
            expected: Expected::Success,
            fault: (Check::Boards, what),
        };
        let mut steps = vec![
            step(format!("boardsize {}", self.side), "refuses a board size that it accepted before"),
            step("clear_board".to_owned(), "refuses clear_board"),
        ];
        if let Some(komi) = self.komi {
            steps.push(Step {
                command: format!("komi {komi}"),
                expected: Expected::Success,
                fault: (Check::Score, "refuses a komi"),
            });
        }
        steps
    }

    /// Returns the number of commands before those of the actions.
    pub(super) fn start_len(&self) -> usize {
        2 + usize::from(self.komi.is_some())
    }

    /// Returns all commands with the replies that they must have under these rules.
    pub(super) fn steps(&self, rules: Rules) -> Vec<Step> {
        let mut referee = Referee::new(self, rules);
        let mut steps = self.start();
        steps.extend(self.actions.iter().map(|&action| referee.step(action)));
        steps
    }

    /// Returns whether the players move by turns, Black first, and do nothing else.
    pub(super) fn takes_turns(&self) -> bool {
        let colors = Color::BOTH.into_iter().cycle();
        self.actions
            .iter()
            .zip(colors)
            .all(|(action, color)| matches!(action, Action::Play(by, _) if *by == color))
    }

    /// Returns whether the last action is a question that has one answer. Results and statuses are asked for after two passes alone: results where
    /// all stones live without an answer and no point is neutral, statuses where all are proved.
    pub(super) fn is_fair(&self, rules: Rules) -> bool {
        let Some((&last @ (Action::Score | Action::Status(_)), before)) = self.actions.split_last() else {
            return true;
        };
        let mut referee = Referee::new(self, rules);
        let are_accepted = before.iter().all(|&action| referee.step(action).expected != Expected::Failure);
        let position = referee.game.board().position();
        let is_over = are_accepted && referee.last == Event::PassedTwice;
        is_over
            && match last {
                Action::Score => {
                    let life = position.life_counts(rules.suicide);
                    life.iter().any(|side| side.stones > 0)
                        && life.iter().all(|side| side.alive_stones == side.stones)
                        && position.area().neutral == 0
                }
                _ => {
                    let chains = StatusSolver::new(rules.suicide, rules.ko).chains(&position);
                    chains.iter().all(|chain| matches!(chain.status, Status::Alive | Status::Dead))
                }
            }
    }

    /// Returns the same with the moves that were played and not taken back alone before the last action.
    pub(super) fn without_detours(&self, rules: Rules) -> Self {
        let mut referee = Referee::new(self, rules);
        let (&last, before) = self.actions.split_last().expect("a script of something");
        before.iter().for_each(|&action| drop(referee.step(action)));
        let moves = referee.moves.iter().map(|&(color, mv)| Action::Play(color, mv));
        let side = referee.game.board().size().width();
        Self { side, komi: self.komi, actions: moves.chain([last]).collect() }
    }
}

/// What the last command did to the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Begun,
    BegunAgain,
    Resized,
    Moved,
    Captured,
    GivenUp,
    Passed,
    PassedTwice,
    Refused,
    Undone,
}

/// The game as it must stand in the program.
struct Referee {
    rules: Rules,
    komi: Komi,
    game: Game,
    moves: Vec<(Color, Move)>,
    last: Event,
    /// The points that the last move emptied.
    emptied: BTreeSet<Point>,
}

impl Referee {
    fn new(script: &Script, rules: Rules) -> Self {
        Self {
            rules,
            komi: script.komi.unwrap_or_default(),
            game: Game::new(square(script.side), rules),
            moves: Vec::new(),
            last: Event::Begun,
            emptied: BTreeSet::new(),
        }
    }

    fn step(&mut self, action: Action) -> Step {
        let (command, expected, fault) = match action {
            Action::Size(side) => {
                self.begin(side, Event::Resized);
                let fault = (Check::Boards, "refuses a board size that it accepted before");
                (format!("boardsize {side}"), Expected::Success, fault)
            }
            Action::Clear => {
                self.begin(self.game.board().size().width(), Event::BegunAgain);
                ("clear_board".to_owned(), Expected::Success, (Check::Boards, "refuses clear_board"))
            }
            Action::Play(color, mv) => {
                let command = format!("play {} {}", color.name(), mv.to_gtp(self.game.board().size()));
                let (expected, fault) = self.play(color, mv);
                (command, expected, fault)
            }
            Action::Undo => {
                let (expected, fault) = self.undo();
                ("undo".to_owned(), expected, fault)
            }
            Action::Stones(color) => {
                let points = self.game.board().stones(color).collect();
                let expected = Expected::Points(points, self.game.board().size());
                (format!("list_stones {}", color.name()), expected, self.stones_fault())
            }
            Action::Score => {
                let result = self.game.score(&[], 0).result(self.komi);
                let fault = (Check::Score, "counts another result");
                ("final_score".to_owned(), Expected::Result(result), fault)
            }
            Action::Status(status) => {
                let fault = match status {
                    Status::Dead => (Check::Status, "lists other stones as dead"),
                    _ => (Check::Status, "lists other stones as alive"),
                };
                let expected = Expected::Points(self.of_status(status), self.game.board().size());
                (format!("final_status_list {status}"), expected, fault)
            }
        };
        Step { command, expected, fault }
    }

    fn begin(&mut self, side: usize, event: Event) {
        self.game = Game::new(square(side), self.rules);
        self.moves.clear();
        self.emptied.clear();
        self.last = event;
    }

    /// Plays a move if it is legal.
    fn play(&mut self, color: Color, mv: Move) -> (Expected, FaultName) {
        let board = self.game.board();
        let before: BTreeSet<Point> = board.stones(color).chain(board.stones(color.opponent())).collect();
        // Out of turn, a ban may be lifted that stays where the move is refused.
        let mut game = self.game.clone();
        game.set_to_play(color);
        let Move::Play(point) = mv else {
            game.pass();
            let is_second = matches!(self.last, Event::Passed | Event::PassedTwice);
            self.advance(game, (color, mv), if is_second { Event::PassedTwice } else { Event::Passed });
            return (Expected::Success, (Check::Passes, "refuses a pass"));
        };
        let is_single = !game.board().stones(color).any(|stone| is_beside(stone, point));
        if let Err(illegal) = game.check_point(point) {
            let fault = self.illegal_fault(illegal, is_single);
            if self.last != Event::Undone {
                self.last = Event::Refused;
            }
            return (Expected::Failure, fault);
        }
        let played = game.play_unchecked(point);
        let fault = self.legal_fault(point, played.outcome, played.repetition.is_some());
        let event = match played.outcome {
            MoveOutcome { given_up: 1.., .. } => Event::GivenUp,
            MoveOutcome { captured: 1.., .. } => Event::Captured,
            _ => Event::Moved,
        };
        self.advance(game, (color, mv), event);
        self.emptied = before.into_iter().filter(|&point| self.game.board().stone(point).is_none()).collect();
        (Expected::Success, fault)
    }

    fn advance(&mut self, game: Game, mv: (Color, Move), event: Event) {
        self.game = game;
        self.moves.push(mv);
        self.emptied.clear();
        self.last = event;
    }

    fn legal_fault(&self, point: Point, outcome: MoveOutcome, repeats: bool) -> FaultName {
        match self.last {
            _ if outcome.given_up > 0 => (Check::Suicide, "refuses suicide of several stones"),
            _ if repeats => (Check::Superko, "refuses a repetition that the rules allow"),
            Event::Undone => (Check::Undo, "refuses a legal move after undo"),
            _ if self.emptied.contains(&point) => {
                (Check::Captures, "refuses a move on a point whose stone was captured")
            }
            Event::BegunAgain => (Check::Boards, "refuses a legal move after clear_board"),
            Event::Resized => (Check::Boards, "refuses a legal move after boardsize"),
            Event::PassedTwice => (Check::Passes, "refuses a move after two passes"),
            Event::Passed => (Check::Passes, "refuses a legal move after a pass"),
            _ if outcome.captured > 1 => {
                (Check::Legality, "refuses a legal move that captures several stones")
            }
            _ if outcome.captured > 0 => (Check::Legality, "refuses a legal move that captures a stone"),
            _ => (Check::Legality, "refuses a legal move"),
        }
    }

    fn illegal_fault(&self, illegal: IllegalMove, is_single: bool) -> FaultName {
        match illegal {
            _ if self.last == Event::Undone => (Check::Undo, "accepts an illegal move after undo"),
            IllegalMove::Ko => (Check::Ko, "accepts the immediate recapture of a ko"),
            IllegalMove::Superko { .. } => {
                (Check::Superko, "accepts a move that repeats an earlier position")
            }
            IllegalMove::Suicide if is_single => (Check::Suicide, "accepts suicide of a single stone"),
            IllegalMove::Suicide => (Check::Suicide, "accepts suicide of several stones"),
            _ => (Check::Legality, "accepts a move on an occupied point"),
        }
    }

    fn stones_fault(&self) -> FaultName {
        match self.last {
            Event::Captured => (Check::Captures, "has other stones on the board after a capture"),
            Event::GivenUp => (Check::Suicide, "has other stones on the board after suicide"),
            Event::Undone => (Check::Undo, "has other stones on the board after undo"),
            Event::Refused => (Check::Legality, "has other stones on the board after a move that it refused"),
            Event::Passed | Event::PassedTwice => {
                (Check::Passes, "has other stones on the board after a pass")
            }
            Event::Begun | Event::BegunAgain => (Check::Boards, "has stones on the board after clear_board"),
            Event::Resized => (Check::Boards, "has stones on the board after boardsize"),
            Event::Moved => (Check::Captures, "has other stones on the board after a move"),
        }
    }

    /// Takes the last move back: plays all others again, because the order of colours may have lifted bans.
    fn undo(&mut self) -> (Expected, FaultName) {
        if self.moves.pop().is_none() {
            return (Expected::Failure, (Check::Undo, "accepts undo before the first move"));
        }
        self.game.clear();
        for &(color, mv) in &self.moves {
            self.game.set_to_play(color);
            match mv {
                Move::Play(point) => drop(self.game.play_unchecked(point)),
                Move::Pass => self.game.pass(),
            }
        }
        self.emptied.clear();
        self.last = Event::Undone;
        (Expected::Success, (Check::Undo, "refuses undo"))
    }

    /// Returns the stones that have this status by proof.
    fn of_status(&self, status: Status) -> BTreeSet<Point> {
        let mut solver = StatusSolver::new(self.rules.suicide, self.rules.ko);
        let chains = solver.chains(&self.game.board().position());
        chains.into_iter().filter(|chain| chain.status == status).flat_map(|chain| chain.stones).collect()
    }
}

/// Returns the board of a side that was found or is given.
pub(super) fn square(side: usize) -> BoardSize {
    BoardSize::square(side).expect("a side from 1 to 25")
}

/// Returns whether two points are neighbours.
pub(super) fn is_beside(one: Point, other: Point) -> bool {
    one.x.abs_diff(other.x) + one.y.abs_diff(other.y) == 1
}

impl Step {
    pub(super) fn kind(&self) -> Kind {
        (self.fault.0, self.fault.1.to_owned())
    }

    /// Returns whether the reply is as it must be.
    pub(super) fn accepts(&self, reply: &Reply) -> bool {
        match (&self.expected, reply.parse(None)) {
            (Expected::Success, Some((success, _))) => success,
            (Expected::Failure, Some((success, _))) => !success,
            (Expected::Points(points, size), Some((true, text))) => {
                let named: Vec<&str> = text.split_whitespace().collect();
                let found =
                    named.iter().map(|name| Point::from_gtp(name, *size)).collect::<Result<BTreeSet<_>, _>>();
                named.len() == points.len() && found.as_ref() == Ok(points)
            }
            (&Expected::Result(half_points), Some((true, text))) => parse_result(text) == Some(half_points),
            _ => false,
        }
    }
}

/// Returns Black's result in half points; `None` where the text is none.
pub(super) fn parse_result(text: &str) -> Option<i32> {
    let text = text.to_ascii_uppercase();
    let points = |text: &str| {
        let half_points = 2.0 * text.parse::<f64>().ok()?;
        (half_points.fract() == 0.0 && half_points.abs() < 10_000.0).then_some(half_points as i32)
    };
    match text.split_once('+') {
        Some(("B", text)) => points(text),
        Some(("W", text)) => points(text).map(|half_points| -half_points),
        None if matches!(text.as_str(), "DRAW" | "JIGO") => Some(0),
        None => points(&text).filter(|&half_points| half_points == 0),
        Some(_) => None,
    }
}

impl Expected {
    /// Returns the reply as messages show it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Success => "=".to_owned(),
            Self::Failure => "?".to_owned(),
            Self::Points(points, size) => {
                let names: Vec<String> = points.iter().map(|point| point.to_gtp(*size)).collect();
                format!("= {}", names.join(" ")).trim_end().to_owned()
            }
            Self::Result(half_points) => format!("= {}", result_text(*half_points)),
        }
    }
}

/// Returns a result as `final_score` answers it.
fn result_text(half_points: i32) -> String {
    let margin = Komi::from_half_points(half_points.abs());
    match half_points {
        0 => "0".to_owned(),
        1.. => format!("B+{margin}"),
        _ => format!("W+{margin}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(text: &str) -> Vec<Action> {
        let moves = text.split(' ').map(|name| Move::from_gtp(name, square(5)).unwrap()).collect::<Vec<_>>();
        Script::of_moves(5, &moves).actions
    }

    fn faults(script: &Script) -> Vec<FaultName> {
        script.steps("tromp-taylor".parse().unwrap()).into_iter().map(|step| step.fault).collect()
    }

    #[test]
    fn every_step_knows_what_would_be_wrong() {
        let mut script = Script::new(5, play("A2 B2 B1 A1 A1"));
        script.actions.extend([Action::Stones(Color::Black), Action::Undo, Action::Stones(Color::White)]);
        let steps = script.steps("tromp-taylor".parse().unwrap());
        let shown: Vec<String> =
            steps.iter().map(|step| format!("{} {}", step.command, step.expected.shown())).collect();
        assert_eq!(shown[2], "play black A2 =");
        // White's stone in the corner has no liberty and captures nothing.
        assert_eq!(
            shown[5..],
            [
                "play white A1 ?",
                "play black A1 =",
                "list_stones black = A2 A1 B1",
                "undo =",
                "list_stones white = B2"
            ]
        );
        assert_eq!(steps[5].fault.1, "accepts suicide of a single stone");
        assert_eq!(steps[9].fault, (Check::Undo, "has other stones on the board after undo"));
    }

    #[test]
    fn detours_are_left_out() {
        let mut script = Script::new(5, play("A1 A1 B2"));
        script.actions.extend([Action::Undo, Action::Stones(Color::Black)]);
        let direct = script.without_detours("tromp-taylor".parse().unwrap());
        assert_eq!(direct.actions, [&play("A1")[..], &[Action::Stones(Color::Black)]].concat());
        assert_eq!(faults(&direct).last().unwrap().0, Check::Captures);
    }

    #[test]
    fn results_are_read() {
        for (text, half_points) in
            [("B+3.5", 7), ("w+12", -24), ("W+0.50", -1), ("0", 0), ("draw", 0), ("B+7.0", 14)]
        {
            assert_eq!(parse_result(text), Some(half_points), "{text}");
        }
        for text in ["", "3.5", "B", "B+x", "B+0.3", "X+1", "B+NaN"] {
            assert_eq!(parse_result(text), None, "{text}");
        }
    }
}
