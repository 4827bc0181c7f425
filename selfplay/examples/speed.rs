//! scratch
use std::time::Instant;
use jigo_engine::{Position, Rules};
use jigo_selfplay::*;
#[derive(Default)] struct S<const N: u8> { plies: u64 }
macro_rules! sink { ($n:literal, $needs:expr) => { impl Sink for S<$n> { const NEEDS: Needs = $needs;
  fn add<const W: usize>(&mut self, r: &GameRecord, _: &Position<W>) { self.plies += r.plies as u64; } fn merge(&mut self, o: Self) { self.plies += o.plies } } } }
sink!(0, Needs::End); sink!(1, Needs::Moves); sink!(2, Needs::Repetitions);
#[repr(C)] struct Ts { s: i64, n: i64 }
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let rules: Rules = a[2].parse().unwrap();
    let spec = PlayoutSpec::new(a[1].parse().unwrap(), rules, a[3].parse().unwrap(), 1);
    let means: Means = a[4].parse().unwrap(); let n: u64 = a[5].parse().unwrap(); let needs: u8 = a[6].parse().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut v = vec![]; let mut p = 0;
    for _ in 0..5 { let t = Instant::now();
        pool.install(|| { p = match needs { 0 => run_by(means, &spec, 0..n, Census::Draws, S::<0>::default, &Progress::new()).unwrap().plies, 1 => run_by(means, &spec, 0..n, Census::Draws, S::<1>::default, &Progress::new()).unwrap().plies, _ => run_by(means, &spec, 0..n, Census::Draws, S::<2>::default, &Progress::new()).unwrap().plies }; });
        v.push(n as f64 / t.elapsed().as_secs_f64()); }
    v.sort_by(f64::total_cmp);
    println!("{} {} {} {} needs {}: median {:.0} best {:.0} games/s, {:.2} plies/game", a[1], a[2], a[3], a[4], needs, v[2], v[4], p as f64 / n as f64);
}
