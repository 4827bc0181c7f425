//! Whole games in words.

use jigo_engine::{
    Board, BoardSize, Color, Point, Suicide,
    protocol::{Conduct, GameEvent, IllegalEvent, Protocol},
};

/// A game from a diagram.
pub(crate) fn game(diagram: &str, to_play: Color, conduct: impl Fn(BoardSize) -> Conduct) -> Protocol {
    let board: Board = Board::from_diagram(diagram, Suicide::Allowed).unwrap();
    let of = |color| board.stones(color).map(move |point| (point, color));
    let stones = Color::BOTH.into_iter().flat_map(of);
    Protocol::from_position(board.size(), conduct(board.size()), stones, to_play).unwrap()
}

pub(crate) fn point(game: &Protocol, name: &str) -> Point {
    Point::from_gtp(name, game.game().board().size()).unwrap()
}

fn event(game: &Protocol, text: &str) -> GameEvent {
    GameEvent::from_text(text, game.game().board().size()).unwrap()
}

/// What the player to move does.
pub(crate) fn act(game: &mut Protocol, text: &str) -> Result<(), IllegalEvent> {
    let event = event(game, text);
    game.apply(game.to_play(), event)
}

/// Whether the player to move may do this.
pub(crate) fn check(game: &Protocol, text: &str) -> Result<(), IllegalEvent> {
    game.check(game.to_play(), &event(game, text))
}

pub(crate) fn acts(game: &mut Protocol, texts: &[&str]) {
    for text in texts {
        act(game, text).unwrap_or_else(|refusal| panic!("{text}: {refusal}\n{:#}", game.game().board()));
    }
}

/// One player proposes to end the game with these stones marked, the other accepts.
pub(crate) fn agree(game: &mut Protocol, proposer: Color, marks: &[&str]) {
    for text in marks.iter().copied().chain(["propose"]) {
        let event = event(game, text);
        game.apply(proposer, event).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    }
    game.apply(proposer.opponent(), GameEvent::Accept).unwrap();
}
