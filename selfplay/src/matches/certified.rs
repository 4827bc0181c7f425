//! Games between two policies that hold certified statuses.

use jigo_engine::{
    Color,
    life::StatusSolver,
    protocol::{Conduct, GameEvent, Phase, Protocol},
};

use super::{Contestant, DeadStones, Ending, MatchResult, MatchSpec, PlayerSpec, referee::removed};
use crate::{
    Stream,
    sgf::{SgfGame, from_protocol},
    whole_game::{Agreement, CertifiedPlayer, Settlement, play_whole_game},
};

/// Plays a game to its end by the protocol of the rule set. `limits` are those of the first and the second player.
pub(super) fn play(spec: &MatchSpec, limits: [usize; 2], game_index: u64) -> (MatchResult, SgfGame) {
    let conduct = Conduct { rules: spec.rules, ending: spec.ending, komi: spec.komi, handicap: 0 };
    let mut game = Protocol::new(spec.size, conduct).expect("no handicap");
    for mv in spec.opening(game_index) {
        let event = mv.point().map_or(GameEvent::Pass, GameEvent::Play);
        game.apply(game.to_play(), event).expect("openings are checked");
    }
    let black = Contestant::black_in(game_index);
    let [mut one, mut other] = Color::BOTH.map(|color| player(spec, limits, game_index, color));
    let settlement = play_whole_game(&mut game, [&mut one, &mut other], spec.ply_cap);
    let mut result = MatchResult {
        game: game_index,
        black,
        winner: None,
        ending: if matches!(game.phase(), Phase::Finished(_)) { Ending::TwoPasses } else { Ending::PlyCap },
        half_points: Some(half_points(&game)),
        dead: match settlement.agreement {
            Some(Agreement::Same) => DeadStones::Agreed,
            Some(Agreement::Common) => DeadStones::Common,
            None => DeadStones::NotAsked,
        },
        plies: game.game().ply_count(),
        detail: detail(&game, settlement),
    };
    let winner = match result.half_points {
        Some(1..) => Some(Color::Black),
        Some(..=-1) => Some(Color::White),
        _ => None,
    };
    result.winner = winner.map(|color| result.contestant(color));
    (result, from_protocol(&game))
}

fn player(spec: &MatchSpec, limits: [usize; 2], game_index: u64, color: Color) -> CertifiedPlayer {
    let black = Contestant::black_in(game_index);
    let contestant = if color == Color::Black { black } else { black.opponent() };
    let PlayerSpec::Policy(policy) = spec.players[contestant.index()] else {
        unreachable!("programs hold no certified statuses, which is checked before")
    };
    let judge = StatusSolver::with_limit(spec.rules.suicide, spec.rules.ko, limits[contestant.index()]);
    CertifiedPlayer::new(policy, judge, Stream::new(spec.seed, 4 * game_index + color.index() as u64))
}

/// Black's result after komi; of a game that was cut off as it stands.
fn half_points(game: &Protocol) -> i32 {
    if let Some(score) = game.result() {
        return score.result();
    }
    let Conduct { rules, komi, .. } = game.conduct();
    let prisoners = Color::BOTH.map(|color| game.prisoners(color));
    let ending =
        jigo_engine::score::ScoringContext { prisoners, ..jigo_engine::score::ScoringContext::default() };
    game.game().board().position().score(rules, &ending).result(komi)
}

fn detail(game: &Protocol, Settlement { disputes, .. }: Settlement) -> String {
    let disputes = match disputes {
        0 => String::new(),
        1 => "1 dispute played out".to_owned(),
        count => format!("{count} disputes played out"),
    };
    let parts = [removed(game.dead().count()), disputes];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}
