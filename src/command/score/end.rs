//! The end of a game, as a file has it.

use std::path::Path;

use anyhow::{Context as _, bail};
use jigo_engine::{
    Board, BoardSize, Color, Game, Komi, Point, Position, Rules, Suicide,
    life::StatusSolver,
    protocol::{EndRule, Protocol},
};
use jigo_selfplay::{
    files::{MAX_TEXT_BYTES, read_bounded, read_file},
    sgf::{self, SgfGame, WholeGameError},
};

use super::steps::Step;
use crate::{
    config::{CountedBy, NamedRules},
    output::tell,
};

/// A position at the end of a game, and what is known beside it.
pub(super) struct End {
    pub(super) position: Position,
    pub(super) dead: Vec<Point>,
    pub(super) prisoners: [u32; 2],
    pub(super) handicap_stones: u32,
    pub(super) rules: NamedRules,
    pub(super) komi: Option<Komi>,
    /// The game, where the file has the whole of it.
    pub(super) whole: Option<Protocol>,
}

/// Which position of a file is meant.
#[derive(Clone, Copy, Debug)]
pub(in crate::command) struct Which {
    /// The game of a collection, from 1; `None` for the first, which is said where there are others.
    pub(in crate::command) game: Option<u32>,
    /// The moves before the position; `None` for the end of the game.
    pub(in crate::command) moves: Option<u32>,
}

impl End {
    /// The empty points that are nobody's once dead stones are taken off.
    pub(super) fn dame(&self) -> Vec<Point> {
        let mut living = self.position.clone();
        for &point in &self.dead {
            living.set_stone(point, None);
        }
        let nobody = living.ownership().filter(|(_, owner)| owner.is_none()).map(|(point, _)| point);
        nobody.filter(|&point| self.position.stone(point).is_none()).collect()
    }

    /// The stones with their colours.
    pub(super) fn stones(&self) -> impl Iterator<Item = (Point, Color)> {
        let of = |color| self.position.stones(color).map(move |point| (point, color));
        Color::BOTH.into_iter().flat_map(of)
    }

    /// The stones that `--dead` names; where it asks for proofs, those under these rules.
    pub(super) fn dead_stones(&self, names: &[String], rules: Rules) -> anyhow::Result<Vec<Point>> {
        let size: BoardSize = self.position.size();
        if names == ["unconditional"] {
            let lives = self.position.unconditional_lives(rules.suicide);
            return Ok(lives.iter().flat_map(|life| life.dead_stones()).collect());
        }
        if names == ["certified"] {
            let chains = StatusSolver::new(rules.suicide, rules.ko).chains(&self.position);
            let dead = self.position.taken_off(&chains);
            return Ok(dead.flat_map(|chain| chain.stones.iter().copied()).collect());
        }
        let named: Vec<Point> =
            names.iter().map(|name| Point::from_gtp(name, size)).collect::<Result<_, _>>()?;
        match named.iter().find(|&&point| self.position.stone(point).is_none()) {
            Some(point) => bail!("there is no stone on {}, which --dead names", point.to_gtp(size)),
            None => Ok(named),
        }
    }
}

/// The end of the game in a file: a diagram, or SGF. The steps of a whole game are added to `steps`, also where it breaks off with an error.
///
/// A path with a line break in it is no path, but a diagram.
pub(super) fn read(path: &Path, which: Which, steps: &mut Vec<Step>) -> anyhow::Result<End> {
    let bytes;
    let mut name = path.display().to_string();
    if path == Path::new("-") {
        name = "standard input".to_owned();
        bytes = read_bounded(std::io::stdin().lock(), MAX_TEXT_BYTES)
            .with_context(|| format!("cannot read {name}"))?;
    } else if name.contains('\n') {
        bytes = name.into_bytes();
        name = "the argument".to_owned();
    } else {
        bytes = read_file(path, MAX_TEXT_BYTES).with_context(|| format!("cannot read {name}"))?;
    }
    let text = String::from_utf8_lossy(&bytes);
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('(') {
        return of_sgf(&bytes, which, steps).with_context(|| format!("cannot replay {name}"));
    }
    let board: Board = Board::from_diagram(&text, Suicide::Allowed)
        .with_context(|| format!("{name} is neither SGF nor a diagram"))?;
    Ok(End {
        position: board.position(),
        dead: Vec::new(),
        prisoners: [0; 2],
        handicap_stones: 0,
        rules: Rules::TROMP_TAYLOR.into(),
        komi: None,
        whole: None,
    })
}

/// The position that is meant, and the rules of its game.
pub(in crate::command) fn position(path: &Path, which: Which) -> anyhow::Result<(Position, Rules)> {
    read(path, which, &mut Vec::new()).map(|end| (end.position, end.rules.rules))
}

fn of_sgf(bytes: &[u8], which: Which, steps: &mut Vec<Step>) -> anyhow::Result<End> {
    let games = sgf::read_collection(bytes).games;
    let count = games.len();
    if which.game.is_none() && count > 1 {
        tell(&format!("this is the first of {count} games: --game N names another"));
    }
    let number = which.game.unwrap_or(1);
    let Some(record) = games.into_iter().nth(number as usize - 1) else {
        let games = if count == 1 { "1 game" } else { &format!("{count} games") };
        bail!("it has {games}, so there is no game {number}");
    };
    let mut record = record?;
    if let Some(moves) = which.moves {
        cut_off(&mut record.game, moves)?;
    } else if let Some(end) = of_whole_game(&record.game, steps)? {
        return Ok(end);
    }
    record.game.check_rules_fingerprint()?;
    let rules = sgf::rules_of(&record.game);
    let mut game = Game::new(record.game.size, rules);
    sgf::replay_in(&mut game, &record)?;
    Ok(End {
        position: game.board().position(),
        dead: Vec::new(),
        prisoners: Color::BOTH.map(|color| game.prisoners(color)),
        handicap_stones: record.game.handicap().unwrap_or(0),
        rules: rules.into(),
        komi: record.game.komi(),
        whole: None,
    })
}

/// Takes off what comes after so many moves.
fn cut_off(game: &mut SgfGame, moves: u32) -> anyhow::Result<()> {
    let is_move = |event: &sgf::Event| matches!(event, sgf::Event::Play { .. });
    let count = game.events.iter().filter(|event| is_move(event)).count();
    if count < moves as usize {
        bail!("the game has {count} moves, so there is no position after move {moves}");
    }
    let mut left = moves;
    let kept = game.events.iter().take_while(|event| {
        let stays = left > 0;
        left -= u32::from(stays && is_move(event));
        stays
    });
    let kept = kept.count();
    game.events.truncate(kept);
    Ok(())
}

/// The end of a game whose record has the whole of it, dead stones agreed on included.
fn of_whole_game(sgf: &SgfGame, steps: &mut Vec<Step>) -> anyhow::Result<Option<End>> {
    let game = match sgf::watch_protocol(sgf, |game| steps.extend(Step::last_of(game))) {
        Err(WholeGameError::NoConduct) => return Ok(None),
        game => game?,
    };
    let (stated, found) = (sgf.result(), sgf::from_protocol(&game).result());
    if let (Some(stated), Some(found)) = (stated, found)
        && stated != found
    {
        tell(&format!("the record states the result {stated}, but its events give {found}"));
    }
    let conduct = game.conduct();
    let name = conduct.name(sgf.size).map_or_else(|| conduct.rules.canonical(), str::to_owned);
    let counted = match conduct.ending {
        EndRule::Continuations(_) => CountedBy::Makrai,
        _ => CountedBy::RuleSet,
    };
    Ok(Some(End {
        position: game.game().board().position(),
        dead: game.dead().collect(),
        prisoners: Color::BOTH.map(|color| game.prisoners(color)),
        handicap_stones: conduct.handicap,
        rules: NamedRules { name, rules: conduct.rules, counted },
        komi: Some(conduct.komi),
        whole: Some(game),
    }))
}
