//! Playing and counting the games of a match.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use jigo_engine::{
    Color, Game, Move, Point,
    life::StatusSolver,
    protocol::{EndRule, GameEnd, GameEvent, Phase, Protocol},
    score::ScoringContext,
};

use super::{
    Adjudication, Contestant, DeadStones, MatchEnding, MatchError, MatchResult, MatchSpec, Played,
    PlayerSpec, record,
};
use crate::{
    Decision, Player, PlayerError, Progress, Stream,
    gtp::GtpFailure,
    player::{Claims, vertex},
    policy::PlayoutPolicy,
    search::SearchPools,
    sgf::from_protocol,
    time_control::Clock,
    whole_game::{Agreement, CertifiedPlayer, Settlement, play_whole_game},
};

/// Lets two players play, and judges.
pub(super) struct Referee<'a> {
    spec: &'a MatchSpec,
    progress: &'a Progress,
    /// First, second.
    players: [Box<dyn Player + 'a>; 2],
    /// The game that is played.
    game_index: u64,
    /// The random numbers of Black and White in it.
    streams: [Stream; 2],
    /// The clocks of the first and the second player in it; policies have none.
    clocks: [Option<Clock>; 2],
    /// What the clock of the mover showed after each move that was chosen, as properties in SGF.
    times: Vec<String>,
}

/// Why a game ends before both have passed.
enum Break {
    /// One player loses.
    Loss { loser: Color, ending: MatchEnding, detail: String },
    /// Not the game's fault; the game does not count.
    Match(MatchError),
    /// On request; the game does not count.
    Stopped,
}

impl<'a> Referee<'a> {
    pub(super) fn new(spec: &'a MatchSpec, pools: &SearchPools, progress: &'a Progress) -> Self {
        let players = spec.players.each_ref().map(|player| player.player(spec, pools, progress));
        Self {
            spec,
            progress,
            players,
            game_index: 0,
            streams: streams(spec, 0),
            clocks: [None; 2],
            times: Vec::new(),
        }
    }

    /// Plays a game; returns `None` when it was stopped.
    pub(super) fn play(&mut self, game_index: u64) -> Result<Option<Played>, MatchError> {
        self.game_index = game_index;
        self.streams = streams(self.spec, game_index);
        self.times.clear();
        self.clocks = self.spec.players.each_ref().map(|player| match player {
            PlayerSpec::Policy(_) => None,
            _ => self.spec.clock.map(|control| Clock::new(control, self.spec.time_margin)),
        });
        let mut game = self.spec.first_position();
        let mut moves = Vec::new();
        let (mut result, mut dead) = (MatchResult::new(game_index), BTreeSet::new());
        match self.play_to_the_end(&mut game, &mut moves) {
            Ok(()) => dead = self.count(&game, &mut result),
            Err(Break::Loss { loser, ending, detail }) => {
                result = MatchResult { ending, detail, ..result };
                result.winner = Some(result.contestant(loser.opponent()));
            }
            Err(Break::Match(error)) => return Err(error),
            Err(Break::Stopped) => return Ok(None),
        }
        result.plies = moves.len() as u32;
        result.time_ms = self.clocks.map(|clock| Some(clock?.used().as_millis() as u64));
        let mut record = record::plain(self.spec, &moves);
        if result.half_points.is_some() {
            record.set_dead(&dead);
        }
        // A request during the last questions may have cut an answer short.
        let played = Played { result, game: record, times: std::mem::take(&mut self.times) };
        Ok((!self.progress.is_stopped()).then_some(played))
    }

    /// Returns the player who has this colour.
    fn player(&mut self, color: Color) -> &mut dyn Player {
        &mut *self.players[Contestant::of_color(color, self.game_index).index()]
    }

    /// White's player begins when the handicap stones that Black puts are there.
    fn play_to_the_end(&mut self, game: &mut Game, moves: &mut Vec<Move>) -> Result<(), Break> {
        let mut opening = self.spec.opening(self.game_index).into_iter();
        let (komi, mut has_begun) = (self.spec.komi, [false; 2]);
        let puts_handicap = game.handicap().free > 0;
        while !game.is_over() && game.ply_count() < self.spec.ply_cap {
            let mover = game.to_play();
            for color in Color::BOTH.into_iter().filter(|&color| color == mover || !puts_handicap) {
                if !std::mem::replace(&mut has_begun[color.index()], true) {
                    let begun = self.player(color).begin(game, komi);
                    begun.map_err(|error| before_play(color, error))?;
                }
            }
            let given = opening.next();
            let mv = given.map_or_else(|| self.choose(game), Ok)?;
            enter(game, moves, mv)?;
            self.times.resize(moves.len(), String::new());
            let is_told = |color: &Color| has_begun[color.index()] && (given.is_some() || *color != mover);
            for color in Color::BOTH.into_iter().filter(is_told) {
                let told = self.player(color).note(game, mover, mv);
                // Nobody loses a game that has ended.
                if !game.is_over() {
                    told.map_err(|error| in_play(color, error))?;
                }
            }
        }
        Ok(())
    }

    /// Returns the move of the player to move.
    fn choose(&mut self, game: &Game) -> Result<Move, Break> {
        if self.progress.is_stopped() {
            return Err(Break::Stopped);
        }
        let mover = game.to_play();
        let index = Contestant::of_color(mover, self.game_index).index();
        let (player, clock) = (&mut self.players[index], &mut self.clocks[index]);
        if let Some(clock) = clock {
            player.time_left(mover, clock.left()).map_err(|error| in_play(mover, error))?;
        }
        let begin = Instant::now();
        let decision = player.choose(game, &mut self.streams[mover.index()]);
        let flag = clock.as_mut().map_or(Ok(()), |clock| stop(clock, begin.elapsed(), mover));
        let decision = decision.map_err(|error| in_play(mover, error))?;
        flag?;
        self.times.extend(clock.map(|clock| record::time_left(mover, clock.left())));
        match decision {
            Decision::Move(mv) => Ok(mv),
            Decision::Resign => {
                let detail = format!("{mover} resigned");
                Err(Break::Loss { loser: mover, ending: MatchEnding::Resignation, detail })
            }
        }
    }

    /// Counts a game that nobody lost otherwise, and returns the dead stones that are removed for it.
    fn count(&mut self, game: &Game, result: &mut MatchResult) -> BTreeSet<Point> {
        let mut dead = BTreeSet::new();
        if game.has_cycled() {
            result.ending = MatchEnding::Cycle;
            return dead;
        }
        if game.is_over() {
            result.ending = MatchEnding::TwoPasses;
            if self.spec.adjudication == Adjudication::Engines {
                match self.agreed_dead(game) {
                    Ok(agreed) => {
                        result.dead = DeadStones::Agreed;
                        result.detail = counted(agreed.len(), REMOVED);
                        dead = agreed;
                    }
                    Err(reason) => {
                        result.dead = DeadStones::Disputed;
                        result.detail = reason;
                    }
                }
            }
        }
        result.count(self.spec.komi.apply(margin(game, &dead)));
        dead
    }

    /// Returns the dead stones if both players name the same; else why not.
    fn agreed_dead(&mut self, game: &Game) -> Result<BTreeSet<Point>, String> {
        let mut lists = Vec::new();
        for (contestant, player) in Contestant::ALL.into_iter().zip(&mut self.players) {
            let named = |reason: String| format!("dead stones of the {} player: {reason}", contestant.name());
            let claims = player.claims(game).map_err(|error| match error {
                PlayerError::Failed(reason) => named(reason),
                error => error.to_string(),
            })?;
            lists.push(stones(&claims, game).map_err(named)?);
        }
        match (lists.pop(), lists.pop()) {
            (Some(one), Some(other)) if one == other => Ok(one),
            _ => Err("the players name different dead stones".to_owned()),
        }
    }
}

/// Takes the time of a move from its player's clock.
fn stop(clock: &mut Clock, time: Duration, loser: Color) -> Result<(), Break> {
    let allowed = clock.left().limit.as_secs_f64();
    if clock.spend(time) {
        return Ok(());
    }
    let detail = format!("{loser}'s move took {:.3} s, and {allowed:.3} s were left", time.as_secs_f64());
    Err(Break::Loss { loser, ending: MatchEnding::Timeout, detail })
}

/// Returns all stones of the chains that a player calls dead.
fn stones(claims: &Claims, game: &Game) -> Result<BTreeSet<Point>, String> {
    let board = game.board();
    let mut stones = BTreeSet::new();
    for &point in claims.dead.iter().flatten() {
        if !board.size().contains(point) || board.stone(point).is_none() {
            return Err(format!("no stone is on {}", vertex(Move::Play(point), board.size())));
        }
        stones.extend(board.chain_stones(point));
    }
    Ok(stones)
}

/// Returns the random numbers of Black and White in a game.
fn streams(spec: &MatchSpec, game_index: u64) -> [Stream; 2] {
    Color::BOTH.map(|color| Stream::new(spec.seed, 4 * game_index + color.index() as u64))
}

/// Returns Black's points minus White's before komi by the [rules in full](jigo_engine::Position::score), with these stones taken to be dead.
/// White's compensation for a handicap and the prisoners that are part of one are included.
pub(super) fn margin(game: &Game, dead: &BTreeSet<Point>) -> i32 {
    let dead: Vec<Point> = dead.iter().copied().collect();
    let start = game.handicap();
    let prisoners = [game.prisoners(Color::Black), game.prisoners(Color::White) + start.prisoners];
    let context =
        ScoringContext { dead: &dead, prisoners, handicap_stones: start.stones, ..ScoringContext::default() };
    game.board().position().score(game.rules(), &context).margin()
}

/// Returns a count and what was counted, in the singular or the plural; nothing when the count is 0.
fn counted(count: usize, [one, several]: [&str; 2]) -> String {
    match count {
        0 => String::new(),
        1 => format!("1 {one}"),
        count => format!("{count} {several}"),
    }
}

const REMOVED: [&str; 2] = ["dead stone removed", "dead stones removed"];

/// Plays a move if it is legal.
fn enter(game: &mut Game, moves: &mut Vec<Move>, mv: Move) -> Result<(), Break> {
    let mover = game.to_play();
    match game.play(mv) {
        Ok(_) => {
            moves.push(mv);
            Ok(())
        }
        Err(rule) => {
            let detail = format!("{mover} played {}: {rule}", vertex(mv, game.board().size()));
            Err(Break::Loss { loser: mover, ending: MatchEnding::IllegalMove, detail })
        }
    }
}

/// Returns what an error means for the game.
fn in_play(loser: Color, error: PlayerError) -> Break {
    let (ending, detail) = match error {
        PlayerError::NotAMove(_) => (MatchEnding::Garbage, format!("{loser} {error}")),
        PlayerError::Failed(reason) => (MatchEnding::Crash, format!("{loser} failed: {reason}")),
        PlayerError::Program(error) => {
            let ending = match error.failure {
                GtpFailure::Refused(_) => MatchEnding::Refused,
                GtpFailure::Ended(_) => MatchEnding::Crash,
                GtpFailure::TimedOut(_) => MatchEnding::Timeout,
                GtpFailure::Garbage(_) => MatchEnding::Garbage,
                GtpFailure::Stopped => return Break::Stopped,
                GtpFailure::BadCommandLine | GtpFailure::NotStarted(_) => return Break::Match(error.into()),
            };
            (ending, error.to_string())
        }
    };
    Break::Loss { loser, ending, detail }
}

/// Returns what an error before the first move means: a player that refuses the board or the komi cannot play this match at all.
fn before_play(loser: Color, error: PlayerError) -> Break {
    match error {
        PlayerError::Program(error) if matches!(error.failure, GtpFailure::Refused(_)) => {
            Break::Match(error.into())
        }
        PlayerError::Failed(_) => Break::Match(MatchError::Player(error)),
        error => in_play(loser, error),
    }
}

/// Plays a game between two policies with certified statuses to its end, by the protocol of the rule set; returns `None` when it was stopped. `limits` are those
/// of the first and the second player.
///
/// A policy that would pass before all handicap stones are there puts the rest at random.
pub(super) fn play_certified(
    spec: &MatchSpec,
    pools: &SearchPools,
    limits: [usize; 2],
    game_index: u64,
    progress: &Progress,
) -> Result<Option<Played>, MatchError> {
    let player = |color| certified_player(spec, pools, limits, Contestant::of_color(color, game_index));
    let [mut one, mut other] = Color::BOTH.map(player);
    let mut streams = streams(spec, game_index);
    let mut opening = spec.opening(game_index);
    let mut start = spec.first_position();
    let free = start.handicap().free as usize;
    for &mv in &opening {
        start.play(mv).expect("openings are checked");
    }
    one.begin(&start, spec.komi).map_err(MatchError::Player)?;
    while opening.len() < free {
        let point = match one.choose(&start, &mut streams[0]) {
            Ok(Decision::Move(Move::Play(point))) => point,
            _ => PlayoutPolicy::Uniform.sample(&start, &mut streams[0]).expect("a point is left for White"),
        };
        start.play_unchecked(point);
        opening.push(Move::Play(point));
    }
    let conduct = spec.conduct();
    let mut game = Protocol::new(spec.size, conduct).expect("checked before the match");
    // Stones that are put at once are no plies of the whole game.
    let put_at_once = if conduct.ending == EndRule::Marking { free as u32 } else { 0 };
    let (stones, plies) = opening.split_at(free);
    let stones = conduct.ending.handicap_events(stones.iter().filter_map(|mv| mv.point()));
    let plies = plies.iter().map(|mv| mv.point().map_or(GameEvent::Pass, GameEvent::Play));
    for event in stones.into_iter().chain(plies) {
        game.apply(game.to_play(), event).expect("openings are checked");
    }
    let settlement = play_whole_game(&mut game, [&mut one, &mut other], streams, spec.ply_cap - put_at_once);
    let settlement = match settlement {
        Ok(settlement) => settlement,
        Err(_) if progress.is_stopped() => return Ok(None),
        Err(error) => return Err(MatchError::Player(error)),
    };
    let mut result = MatchResult::new(game_index);
    let is_cycle = *game.phase() == Phase::Finished(GameEnd::Repeated);
    if is_cycle {
        result.ending = MatchEnding::Cycle;
    } else if matches!(game.phase(), Phase::Finished(_)) {
        result.ending = MatchEnding::TwoPasses;
    }
    result.dead = match settlement.agreement {
        Some(Agreement::Same) => DeadStones::Agreed,
        Some(Agreement::Common) => DeadStones::Common,
        None if *game.phase() == Phase::Finished(GameEnd::Counted) => DeadStones::Disputed,
        None => DeadStones::NotAsked,
    };
    let proposals = if spec.has_proposals_in_turn() { settlement.disputes } else { 0 };
    result.plies = put_at_once + game.game().ply_count() + proposals;
    result.detail = detail(&game, settlement, result.dead);
    if !is_cycle {
        result.count(half_points(&game));
    }
    Ok(Some(Played { result, game: from_protocol(&game), times: Vec::new() }))
}

fn certified_player(
    spec: &MatchSpec,
    pools: &SearchPools,
    limits: [usize; 2],
    contestant: Contestant,
) -> CertifiedPlayer {
    let policy = spec.players[contestant.index()].policy();
    let policy = policy.expect("programs hold no certified statuses, which is checked before");
    let solver = StatusSolver::with_limit(spec.rules.suicide, spec.rules.ko, limits[contestant.index()]);
    CertifiedPlayer::new(pools.player(policy), solver)
}

/// Returns Black's result after komi; all stones are alive in a game that was stopped.
pub(super) fn half_points(game: &Protocol) -> i32 {
    if let Some(score) = game.result() {
        return score.result();
    }
    let prisoners = Color::BOTH.map(|color| game.prisoners(color));
    let context = ScoringContext { prisoners, ..ScoringContext::default() };
    game.conduct().count(&game.game().board().position(), &context).result()
}

fn detail(game: &Protocol, Settlement { disputes, .. }: Settlement, dead: DeadStones) -> String {
    let disputes = counted(disputes as usize, ["dispute played out", "disputes played out"]);
    let end = if dead == DeadStones::Disputed { "ended by four passes" } else { "" };
    let parts = [counted(game.dead().count(), REMOVED), disputes, end.to_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black's wall on the third column of a 5×5 board, White's on the fourth, and a white chain of two to the left of Black's.
    fn game(rules: &str) -> Game {
        let mut game = Game::new("5".parse().unwrap(), rules.parse().unwrap());
        let column = |x, color| (0..5).map(move |y| (Point::new(x, y), color));
        let lost = [(Point::new(0, 0), Color::White), (Point::new(0, 1), Color::White)];
        let stones = column(2, Color::Black).chain(column(3, Color::White)).chain(lost);
        game.set_position(stones, Color::Black).unwrap();
        game
    }

    fn claims(points: &[(u8, u8)]) -> Claims {
        let points = points.iter().map(|&(x, y)| Point::new(x, y)).collect();
        Claims { dead: vec![points], seki: Vec::new() }
    }

    #[test]
    fn dead_stones_are_removed_by_chains() {
        let area = game("chinese");
        let dead = stones(&claims(&[(0, 0)]), &area).unwrap();
        assert_eq!(dead.len(), 2);
        assert_eq!(margin(&area, &BTreeSet::new()), 5 - 12);
        assert_eq!(margin(&area, &dead), 15 - 10);
        // Ten points and two prisoners against five points.
        assert_eq!(margin(&game("japanese"), &dead), 12 - 5);
        assert_eq!(margin(&game("japanese"), &BTreeSet::new()), -5);
        // Two points for each living group.
        assert_eq!(margin(&game("group-tax"), &dead), 15 - 10);
        assert_eq!(margin(&game("group-tax"), &BTreeSet::new()), 5 - 12 - 2 + 4);
    }

    #[test]
    fn claims_must_name_stones() {
        for point in [(1, 0), (7, 7)] {
            assert!(stones(&claims(&[point]), &game("chinese")).is_err(), "{point:?}");
        }
        assert!(stones(&Claims::default(), &game("chinese")).unwrap().is_empty());
    }
}
