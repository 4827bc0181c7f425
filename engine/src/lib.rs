//! The rules of Go: boards, superko, counting, unconditional life, exact numbers.
//!
//! [`Board`] is one position, kept up to date move by move; [`Game`] adds history, and with it superko and the end; [`Position`] is the
//! stones alone, for measuring. [`Rules`] is a rule set: a value on each axis, all combinations valid. No I/O, no randomness, and no threads but those that [`solve`] is asked for.
//!
//! ```
//! use jigo_engine::{BoardSize, Game, Komi, Move, Point, Rules};
//! let size = BoardSize::new(5, 5)?;
//! let mut game: Game = Game::new(size, "new-zealand".parse()?);
//! for name in ["C3", "C4", "D4", "B3"] {
//!     game.play(Move::Play(Point::from_gtp(name, size)?))?;
//! }
//! println!("{:#}", game.board());
//! assert_eq!(game.board().area().result(Komi::from_half_points(11)), -11);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to start
//!
//! | to | take |
//! | --- | --- |
//! | play moves under the rules, with superko | [`Game`] |
//! | look at one position, its chains and legal points | [`Board`], also from a [diagram](Board::from_diagram) |
//! | name a rule set, or make one | [`Rules`], [`rules::Preset`]; [`rules::KataGoRules`] for KataGo's notation |
//! | count a final position | [`Game::score`] or [`Position::score`] by the rules; [`Board::area`] |
//! | know which stones live without an answer | [`Board::unconditional_life`] |
//! | know the status of every chain, with its proof | [`life::StatusSolver`] |
//! | hold a whole game: handicap, stop, agreement, result | [`protocol`] |
//! | count positions or games | [`count`] |
//! | find best play on a small board, or prove what a player secures | [`solve`] |
//! | play very many games at once | [`batch`]; the crate `jigo-selfplay` does it for you |
//! | search for a move by playouts | [`search`]; the crate `jigo-selfplay` plays with it |
//! | check all of this against the plain definition | [`reference`](mod@reference) |
//!
//! The status of chains, found and proved:
//!
//! ```
//! use jigo_engine::{life::{Status, StatusSolver}, Board, Ko, Suicide};
//! let board: Board = Board::from_diagram("
//!     . X . X O .
//!     X X X X O .
//!     O O O O O .
//! ", Suicide::Forbidden)?;
//! let chains = StatusSolver::new(Suicide::Forbidden, Ko::PositionalSuperko).chains(&board.position());
//! assert_eq!(chains[0].status, Status::Alive);
//! println!("{} stones: {:?}, by {:?}", chains[0].stones.len(), chains[0].status, chains[0].proof);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Of note
//!
//! - **Widths.** Types have a width `W`, the number of 64-bit words in a bitboard. The default fits every size; [`for_width!`] picks the narrowest for speed; [`AnyGame`] and [`AnyPosition`] hide it.
//! - **Superko is exact.** A hash only suggests that a position is an earlier one; the stones decide.
//! - **Processors.** [`simd::with_fast_bits`] and [`batch`] choose instructions ([`simd::Simd`]) at run time; one program runs everywhere and plays the same games.
//! - **Errors** name the rule or the place, and leave the value as it was.
//!
//! # Not here
//!
//! Random games and files of games are in `jigo-selfplay`, statistics in `jigo-analysis`. There is no clock, no opening book and no opinion on who is ahead: what is
//! not proved is [unknown](life::Status::Unknown).

#[cfg(test)]
extern crate self as jigo_engine; // The definitions in `tests`, which unit tests share, name the crate.

mod any;
pub mod batch;
mod bitboard;
pub mod board;
pub mod count;
pub mod game;
mod geometry;
mod komi;
pub mod life;
mod names;
mod point;
mod position;
pub mod protocol;
pub mod reference;
pub mod rules;
pub mod score;
pub mod search;
pub mod simd;
mod size;
pub mod solve;
mod word_set;
pub mod zobrist;

pub use any::{AnyGame, AnyPosition};
pub use board::{Board, IllegalMove};
pub use game::Game;
pub use komi::{InvalidKomi, Komi};
pub use point::{Color, InvalidPoint, Move, Point};
pub use position::Position;
pub use rules::{Counting, Ko, RuleSet, Rules, Suicide};
pub use size::{BoardSize, InvalidSize, Symmetry};

/// Runs an expression with the narrowest bitboard width that fits a size: the one place where the size, a runtime value, selects
/// monomorphised code.
///
/// The widths are 1 word (up to 7×7), 2 (10×10), 3 (13×13), 6 (19×19) and 11 (25×25). Every width is another copy of all that is compiled for it.
///
/// ```
/// use jigo_engine::{Board, BoardSize, Suicide, for_width};
/// let size = BoardSize::square(9).unwrap();
/// let bytes = for_width!(size, W => std::mem::size_of_val(&Board::<W>::new(size, Suicide::Allowed)));
/// assert!(bytes < 3_000);
/// ```
#[macro_export]
macro_rules! for_width {
    ($size:expr, $width:ident => $body:expr) => {
        $crate::for_width!(@words $crate::BoardSize::bitboard_words($size), $width => $body)
    };
    // For a width that is known already.
    (@words $words:expr, $width:ident => $body:expr) => {
        match $words {
            1 => $crate::for_width!(@ 1, $width, $body),
            2 => $crate::for_width!(@ 2, $width, $body),
            3 => $crate::for_width!(@ 3, $width, $body),
            4..=6 => $crate::for_width!(@ 6, $width, $body),
            _ => $crate::for_width!(@ 11, $width, $body),
        }
    };
    (@ $words:literal, $width:ident, $body:expr) => {{
        const $width: usize = $words;
        $body
    }};
}
