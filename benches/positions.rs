//! What measuring a final position costs, and the exact counts: `cargo bench --bench positions`.
#![allow(missing_docs)] // Criterion's macros make public items.

use std::{hint::black_box, ops::ControlFlow};

use criterion::{Criterion, criterion_group, criterion_main};
use jigo_engine::{BoardSize, Color, Game, Rules, Suicide, count, for_width};
use jigo_selfplay::{Census, Player, PlayoutSpec, Policy};

const SUICIDE: Suicide = Rules::TROMP_TAYLOR.suicide;

fn finals(criterion: &mut Criterion) {
    for side in [9, 19] {
        let size = BoardSize::square(side).unwrap();
        for_width!(size, W => {
            let spec = PlayoutSpec::new(size, Rules::TROMP_TAYLOR, Policy::EYE_SAFE, 1);
            let mut player = Player::<W>::new(spec, Census::Draws);
            let position = player.play(0).1.clone();
            let alive = |color| position.unconditional_life(color, SUICIDE).stone_count() as usize;
            assert!(Color::BOTH.iter().all(|&color| alive(color) == position.stone_count(color)));
            criterion.bench_function(&format!("unconditional_life/{size}"), |bencher| {
                bencher.iter(|| Color::BOTH.map(|color| black_box(&position).unconditional_life(color, SUICIDE)));
            });
            criterion.bench_function(&format!("area/{size}"), |bencher| {
                bencher.iter(|| black_box(&position).area());
            });
        });
    }
}

fn counts(criterion: &mut Criterion) {
    let size = BoardSize::square(5).unwrap();
    let legal = || count::legal_positions(size, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(legal(), 414_295_148_741);
    criterion.bench_function("legal_positions/5x5", |bencher| bencher.iter(legal));
    let mut game = Game::<2>::new(BoardSize::square(9).unwrap(), Rules::TROMP_TAYLOR);
    let mut perft = || count::perft(&mut game, 2, &mut |_| ControlFlow::Continue(())).unwrap()[1].plies;
    assert_eq!(perft(), 81 * 81 + 82);
    criterion.bench_function("perft/9x9/2", |bencher| bencher.iter(&mut perft));
}

criterion_group!(benches, finals, counts);
criterion_main!(benches);
