use std::time::{Duration, Instant};

use super::*;

fn interval(count: u64, of: u64) -> Interval {
    Proportion::new(count, of).unwrap().interval()
}

#[track_caller]
fn assert_close(value: f64, expected: f64, allowed: f64) {
    let error = (value - expected).abs();
    assert!(error <= allowed * expected.abs(), "{value:e} is not {expected:e} within {allowed:e}");
}

#[test]
fn matches_the_golden_values() {
    let golden = include_str!("../../../tests/data/clopper_pearson.csv");
    for line in golden.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(',').collect();
        let proportion = Proportion::new(fields[0].parse().unwrap(), fields[1].parse().unwrap()).unwrap();
        let level: f64 = fields[2].parse().unwrap();
        let Interval { lower, upper } = proportion.interval_with_tail((1.0 - level) / 2.0);
        // Above one half the ends are differences from 1 and share its absolute accuracy.
        let rounding = if 2 * proportion.count() > proportion.trials() { 2e-16 } else { 0.0 };
        for (found, expected) in [(lower, fields[3]), (upper, fields[4])] {
            let expected: f64 = expected.parse().unwrap();
            let allowed = 2e-14 * expected + rounding;
            assert!((found - expected).abs() <= allowed, "{line}: {found:e}");
        }
    }
}

#[test]
fn none_and_all_have_closed_forms() {
    for of in [1_u64, 2, 3, 10, 12_515, 10_000_000, 1_000_000_000_000, u64::MAX] {
        let closed = -(0.025_f64.ln() / of as f64).exp_m1();
        let none = interval(0, of);
        assert_eq!(none.lower, 0.0);
        assert_close(none.upper, closed, 1e-13);
        let all = interval(of, of);
        assert_close(all.lower, 1.0 - closed, 1e-13);
        assert_eq!(all.upper, 1.0);
    }
    assert_eq!(interval(0, 0), Interval { lower: 0.0, upper: 1.0 });
}

#[test]
fn swapping_success_and_failure_mirrors_the_interval() {
    for (count, of) in [(1, 2), (3, 10), (50, 100), (5, 11), (1, 1000)] {
        let (one, other) = (interval(count, of), interval(of - count, of));
        assert!((one.lower + other.upper - 1.0).abs() < 1e-14, "{count} of {of}");
        assert!((one.upper + other.lower - 1.0).abs() < 1e-14, "{count} of {of}");
    }
}

/// The share of samples whose interval contains `p`, summed exactly over the binomial distribution.
fn coverage(p: f64, intervals: &[Interval]) -> f64 {
    let n = intervals.len() - 1;
    let mut probability = (1.0 - p).powi(n as i32);
    let mut sum = 0.0;
    for (k, interval) in intervals.iter().enumerate() {
        if interval.contains(p) {
            sum += probability;
        }
        probability *= (n - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
    }
    sum
}

#[test]
fn coverage_is_never_below_the_level() {
    for n in [1, 2, 3, 5, 10, 17, 40, 100] {
        for level in [0.5, 0.9, 0.95, 0.999] {
            let interval = |k| Proportion::new(k, n).unwrap().interval_with_tail((1.0 - level) / 2.0);
            let intervals: Vec<Interval> = (0..=n).map(interval).collect();
            for step in 1..1000 {
                let p = f64::from(step) / 1000.0;
                let covered = coverage(p, &intervals);
                assert!(covered >= level - 1e-12, "n {n}, p {p}: {covered} < {level}");
            }
        }
    }
}

#[test]
fn always_ends_and_soon() {
    let counts = [1, 3, 1000, 3000, 1_000_000, 123_456_789];
    let mut slowest = Duration::ZERO;
    for of in [10_000_000, 1_000_000_000, 1_000_000_000_000_000, u64::MAX] {
        for count in counts.into_iter().chain([of / 2, of / 3, of - 3]).filter(|&count| count <= of) {
            let start = Instant::now();
            let Interval { lower, upper } = interval(count, of);
            slowest = slowest.max(start.elapsed());
            assert!(0.0 < lower && lower <= upper && upper <= 1.0, "{count} of {of}: {lower} {upper}");
        }
    }
    // Below 1 ms on an idle machine; the limit allows for a debug build on a busy one.
    assert!(slowest < Duration::from_millis(200), "{slowest:?}");
}

#[test]
fn extreme_levels_are_survived() {
    for level in [f64::MIN_POSITIVE, 1e-9, 1.0 - 1e-12, 1.0 - f64::EPSILON / 2.0] {
        for (count, of) in [(0, 1), (1, 2), (3, 10_000_000), (500, 1000)] {
            let proportion = Proportion::new(count, of).unwrap();
            let Interval { lower, upper } = proportion.interval_with_tail((1.0 - level) / 2.0);
            assert!(
                0.0 <= lower && lower <= upper && upper <= 1.0,
                "{level} {count} of {of}: {lower} {upper}"
            );
        }
    }
}

#[test]
fn per_cent_rounds_halves_up() {
    let shown = |count, of| Proportion::new(count, of).unwrap().to_string();
    assert_eq!(shown(1, 3), "33.33 %");
    assert_eq!(shown(2, 3), "66.67 %");
    assert_eq!(shown(1, 20_000), "0.01 %");
    assert_eq!(shown(1, 20_001), "0.00 %");
    assert_eq!(shown(u64::MAX, u64::MAX), "100.00 %");
    assert_eq!(shown(0, 0), "-");
    assert!(Proportion::new(2, 1).is_err());
}
