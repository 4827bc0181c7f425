//! What captions say.

use jigo_engine::{
    Counting, Game, Point, Position, Rules,
    game::Repetition,
    life::{ChainStatus, Status},
};
use jigo_selfplay::{End, GameRecord};

use crate::report::format::counted;

/// The player to move drew one of these points.
pub(super) fn refused(game: &Game, points: &[Point], repetition: &Repetition) -> String {
    let (player, size) = (game.to_play(), game.board().size());
    let what = match points {
        [point] => format!("Superko refuses {player} {}: it", point.to_gtp(size)),
        _ => format!("Superko refuses {player} a marked point: any of them"),
    };
    format!("{what} would bring back {}", cycle(repetition))
}

/// The last move brought a position back.
pub(super) fn repeated(repetition: &Repetition) -> String {
    format!("This move brings back {}", cycle(repetition))
}

/// The position that comes back, or would, in the one after `ply` plies.
pub(super) fn earlier(repetition: &Repetition, ply: u32) -> String {
    let next = repetition.earlier_ply + repetition.cycle_plies;
    if next == ply {
        format!("This position comes back after ply {ply}.")
    } else {
        format!(
            "This position would come back after ply {next}, by the move that is refused after ply {ply}."
        )
    }
}

fn cycle(repetition: &Repetition) -> String {
    let plies = match repetition.cycle_plies {
        1 => "1 ply".to_owned(),
        plies => format!("{plies} plies"),
    };
    let passes = match repetition.cycle_passes {
        0 => String::new(),
        1 => " with 1 pass".to_owned(),
        passes => format!(" with {passes} passes"),
    };
    let player = if repetition.same_player { "" } else { ", but with the other player to move" };
    let stones = |count: u32| counted(count.into(), "stone");
    let lost = match repetition.cycle_removed {
        [black, white] if black == white => format!("both players lose {}", stones(black)),
        [black, white] => format!("Black loses {}, White {white}", stones(black)),
    };
    let when = match repetition.earlier_ply {
        0 => "the empty board of the start".to_owned(),
        earlier => format!("the position after ply {earlier}"),
    };
    format!("{when}{player}. In this cycle of {plies}{passes} {lost}.")
}

/// How the game ended, and what is known of the stones that are left.
pub(super) fn end(record: &GameRecord, rules: Rules, position: &Position, chains: &[ChainStatus]) -> String {
    let plies = record.ply_count();
    let how = match record.end {
        End::TwoPasses => format!("The end, by two passes after {plies} plies."),
        End::PlyCap => format!("The ply cap cut the game off after {plies} plies."),
        End::BrokenOff => format!("The game was broken off after {plies} plies."),
    };
    let counting = match rules.counting {
        Counting::Area => "area",
        Counting::Territory => "territory and prisoners",
    };
    let margin = match record.margin_by(rules.counting) {
        0 => "Equal".to_owned(),
        ahead @ 1.. => format!("Black is ahead by {}", counted(ahead.unsigned_abs().into(), "point")),
        ahead => format!("White is ahead by {}", counted(ahead.unsigned_abs().into(), "point")),
    };
    let life = life(position, chains);
    format!("{how} {margin} before komi, by {counting} with all stones as they stand. {life}")
}

fn life(position: &Position, chains: &[ChainStatus]) -> String {
    if chains.is_empty() {
        return "Every stone is unconditionally alive.".to_owned();
    }
    let chains_with = |status| chains.iter().filter(move |chain| chain.status == status);
    let counts = Status::ALL.into_iter().filter_map(|status| {
        let count = chains_with(status).count() as u64;
        (count > 0).then(|| format!("{status} {count}"))
    });
    let mut text = format!("Chains: {}.", counts.collect::<Vec<_>>().join(", "));
    let sekis: Vec<&str> = position.sekis(chains).iter().map(|seki| seki.kind.name()).collect();
    if !sekis.is_empty() {
        text += &format!(" Kind of seki: {}.", sekis.join(", "));
    }
    text
}

/// Stones of the largest dead chain.
pub(super) fn largest_dead(chains: &[ChainStatus]) -> usize {
    let dead = chains.iter().filter(|chain| chain.status == Status::Dead);
    dead.map(|chain| chain.stones.len()).max().unwrap_or(0)
}
