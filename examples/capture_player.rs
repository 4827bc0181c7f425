//! A player of one's own: it captures when it can, and else plays at random. Measured by a run, in a match, and for GTP.
//!
//! `cargo run --release --example capture_player` measures it and plays a match; `-- gtp` answers GTP on standard input.

use std::{env, error::Error, io};

use jigo_analysis::{Measure as _, Run};
use jigo_engine::Game;
use jigo_selfplay::{
    Decision, Player, PlayerError, Progress, Stream,
    gtp::{self, Gtp, GtpOptions},
    matches::{Contestant, MatchSpec, PlayerSpec, play_match},
    policy::PlayoutPolicy,
};

/// Takes the most stones that it can; plays by `eye-safe` where it can take none.
#[derive(Default)]
struct Capturing;

impl Player for Capturing {
    fn choose(&mut self, game: &Game, stream: &mut Stream) -> Result<Decision, PlayerError> {
        let captured = |&point: &_| game.board().outcome(point).captured;
        let best = game.legal_points().filter(|point| captured(point) > 0).max_by_key(captured);
        Ok(best.or_else(|| PlayoutPolicy::EYE_SAFE.sample(game, stream)).into())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = GtpOptions { size: "9".parse()?, ..GtpOptions::default() };
    if env::args().nth(1).as_deref() == Some("gtp") {
        let mut gtp = Gtp::with_player(&options, Box::new(Capturing));
        return Ok(gtp::serve(&mut gtp, io::stdin(), io::stdout().lock())?);
    }
    let run = Run::new("9", "chinese", "eye-safe")?.seed(1);
    let measured = run.measure_with(Capturing::default, 0..1000)?;
    println!("fair komi between two capturing players: {}", measured.fair_komi()?);

    let players = [PlayerSpec::custom("capturing", Capturing::default), "policy:eye-safe".parse()?];
    let spec = MatchSpec::new(players, options.size, jigo_engine::rules::Preset::Chinese);
    let folder = env::temp_dir().join(format!("capture-player-{}", std::process::id()));
    let results = play_match(&folder, &spec, &Progress::new())?;
    let wins = results.iter().filter(|result| result.winner == Some(Contestant::First)).count();
    println!("{wins} of {} games won against eye-safe; records in {}", results.len(), folder.display());
    Ok(())
}

#[test]
fn plays_runs_matches_and_gtp() -> Result<(), Box<dyn Error>> {
    main()?;
    let mut gtp = Gtp::with_player(&GtpOptions::default(), Box::new(Capturing));
    for command in ["play b A2", "play w A1"] {
        assert_eq!(gtp.answer(command).unwrap().to_string(), "= \n\n");
    }
    assert_eq!(gtp.answer("genmove b").unwrap().to_string(), "= B1\n\n");
    Ok(())
}
