//! Files of openings, as text and as SGF.

use jigo_engine::{BoardSize, Game, Rules};
use jigo_selfplay::matches::Openings;

use crate::harness::Target;

const TOKENS: &[&str] = &[
    "A1 ", "C3 ", "E5 ", "pass ", "\n", "#", "(;", "SZ[5]", ";B[aa]", ";W[bb]", "AB[cc]", ")", "\u{feff}",
    "\0", "I5", "Z99",
];

#[test]
fn openings() {
    let target = Target { name: "openings", made: Vec::new(), tokens: TOKENS, memory: 64 << 20 };
    let start = Game::new(BoardSize::square(5).unwrap(), Rules::TROMP_TAYLOR);
    target.run(|_, path| match Openings::read(path, &start) {
        Ok(Openings::Listed(all)) => assert!(!all.is_empty()),
        Ok(other) => panic!("{other:?}"),
        Err(error) => assert!(error.to_string().contains(path.to_str().unwrap()), "{error}"),
    });
}
