//! The regularised incomplete beta function, both tails as logarithms.
//!
//! A continued fraction serves while one parameter is moderate, and a quadrature of the tail when both are large, where the fraction would need √n
//! steps. Crates such as `statrs` return the probability itself, which underflows, and lose half of their digits to the gamma function when the
//! parameters are large: here its large part cancels on paper, and only the remainder of Stirling's formula is computed.
//!
//! # Source
//! A. R. DiDonato and A. H. Morris, *Algorithm 708: Significant Digit Computation of the Incomplete Beta Function Ratios*, ACM
//! Transactions on Mathematical Software 18, 1992 (the fraction); I. J. Thompson and A. R. Barnett, *Coulomb and Bessel functions of
//! complex arguments and order*, Journal of Computational Physics 64, 1986 (its evaluation); C. Loader, *Fast and Accurate Computation of
//! Binomial Probabilities*, 2000 (the cancellation).

/// Logarithms of the two tails of a beta distribution, so that neither underflows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LnTails {
    /// ln I_x(a, b): the probability up to x.
    pub(super) lower: f64,
    /// ln (1 − I_x(a, b)): the probability beyond x.
    pub(super) upper: f64,
}

/// From this size of both parameters on, quadrature replaces the continued fraction.
const LARGE: f64 = 1000.0;

/// Returns the tails of the beta distribution with parameters `a` and `b` (positive) at `x` (strictly between 0 and 1). For whole parameters these are
/// binomial tails: I_p(k, n − k + 1) is the probability of at least k successes in n trials.
///
/// Relative error of the probabilities about 10⁻¹³ for moderate parameters, growing to 10⁻¹¹ at a + b = 10⁹. Cost: below 5 µs.
pub(super) fn ln_beta_tails(x: f64, a: f64, b: f64) -> LnTails {
    let y = 1.0 - x;
    if a * y >= b * x {
        let lower = ln_lower_tail(x, y, a, b).min(0.0);
        LnTails { lower, upper: ln_complement(lower) }
    } else {
        let upper = ln_lower_tail(y, x, b, a).min(0.0);
        LnTails { lower: ln_complement(upper), upper }
    }
}

/// Returns ln I_x(a, b) for `x` up to the mean. Here and below `y` is 1 − `x`: the smaller of the two is accurate in all its digits.
fn ln_lower_tail(x: f64, y: f64, a: f64, b: f64) -> f64 {
    let factor = if a.min(b) < LARGE { fraction(x, y, a, b) } else { relative_area(x, y, a, b) };
    ln_front(x, y, a, b) + factor.ln()
}

/// Returns ln (1 − eˡ) for `ln` ≤ 0.
fn ln_complement(ln: f64) -> f64 {
    if ln > -std::f64::consts::LN_2 { (-ln.exp_m1()).ln() } else { (-ln.exp()).ln_1p() }
}

/// Returns ln (xᵃ yᵇ / B(a, b)). With mean m the linear parts of a·ln(x/m) and b·ln(y/(1−m)) cancel exactly, so they are left out.
fn ln_front(x: f64, y: f64, a: f64, b: f64) -> f64 {
    let n = a + b;
    let (mean, rest) = (a / n, b / n);
    let shift = if x < y { x - mean } else { rest - y };
    let deviance = a * ln_minus_linear(x / mean, shift / mean) + b * ln_minus_linear(y / rest, -shift / rest);
    let width = 0.5 * (a / std::f64::consts::TAU * rest).ln();
    deviance + width + stirling_error(n) - stirling_error(a) - stirling_error(b)
}

/// Returns I_x(a, b) over its front factor by continued fraction, for `x` up to the mean.
fn fraction(x: f64, y: f64, a: f64, b: f64) -> f64 {
    /// Far above what is needed (a few hundred); makes termination plain.
    const MAX_TERMS: u32 = 10_000;
    let distance = a * y - b * x + 1.0;
    let denominator = |m: f64| {
        m + m * (b - m) * x / (a + 2.0 * m - 1.0) + (a + m) * (distance + m * (1.0 + y)) / (a + 2.0 * m + 1.0)
    };
    let mut value = a * distance / (a + 1.0);
    let (mut ahead, mut behind) = (value, 0.0);
    for term in 1..=MAX_TERMS {
        let m = f64::from(term);
        let pair = x / (a + 2.0 * m - 1.0);
        let numerator = (a + m - 1.0) * pair * (a + b + m - 1.0) * pair * m * (b - m);
        let next = denominator(m);
        ahead = next + numerator / ahead;
        behind = 1.0 / (next + numerator * behind);
        let step = ahead * behind;
        value *= step;
        if (step - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    1.0 / value
}

/// Positive nodes and weights of the 16-point Gauss–Legendre rule (M. Abramowitz and I. A. Stegun, *Handbook of Mathematical
/// Functions*, table 25.4).
const GAUSS: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
    (0.458_016_777_657_227_4, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_7, 0.149_595_988_816_576_73),
    (0.755_404_408_355_003, 0.124_628_971_255_533_87),
    (0.865_631_202_387_831_7, 0.095_158_511_682_492_78),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_89),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_095),
];

/// Returns I_x(a, b) over its front factor by quadrature, for large parameters and `x` up to the mean. The density at x(1 − u) relative to that at x is
/// exp(−λu + …) with a concave exponent, so the range where it matters follows from its slope and curvature at x.
fn relative_area(x: f64, y: f64, a: f64, b: f64) -> f64 {
    /// Exponent at which the integrand no longer counts: e⁻⁴⁰ is 4 × 10⁻¹⁸.
    const NEGLIGIBLE: f64 = 40.0;
    const PANELS: u32 = 4;
    let odds = x / y;
    let (power_x, power_y) = (a - 1.0, b - 1.0);
    let slope = power_x - power_y * odds;
    let curvature = power_x + power_y * odds * odds;
    let range = 2.0 * NEGLIGIBLE / (slope + (slope * slope + 2.0 * NEGLIGIBLE * curvature).sqrt());
    let half_panel = range.min(1.0) / f64::from(2 * PANELS);
    let relative_density = |u: f64| {
        let gain = u * odds;
        let bend = power_x * ln_minus_linear(1.0 - u, -u) + power_y * ln_minus_linear(1.0 + gain, gain);
        (bend - slope * u).exp()
    };
    let mut sum = 0.0;
    for panel in 0..PANELS {
        let middle = f64::from(2 * panel + 1) * half_panel;
        for (node, weight) in GAUSS {
            let offset = node * half_panel;
            sum += weight * (relative_density(middle - offset) + relative_density(middle + offset));
        }
    }
    sum * half_panel / y
}

/// Returns the remainder of Stirling's formula: `ln Γ(z) = (z − ½) ln z − z + ½ ln 2π + stirling_error(z)`, for `z` > 0, to about 10⁻¹⁵.
fn stirling_error(z: f64) -> f64 {
    let (mut shifted, mut shift) = (z, 0.0);
    while shifted < 16.0 {
        shift += (shifted + 0.5) * (1.0 / shifted).ln_1p() - 1.0;
        shifted += 1.0;
    }
    // DLMF 5.11.1; the first term left out is below 10⁻¹⁷ at 16.
    const SERIES: [f64; 6] =
        [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    let square = 1.0 / (shifted * shifted);
    shift + SERIES.iter().rev().fold(0.0, |sum, term| sum * square + term) / shifted
}

/// Returns `ln(ratio) − (ratio − 1)`, accurate relative to its own size, where `excess` is `ratio − 1` computed without cancellation.
fn ln_minus_linear(ratio: f64, excess: f64) -> f64 {
    if excess.abs() > 0.5 {
        return ratio.ln() - excess;
    }
    // ln(1+u) = 2 artanh(r) with r = u/(2+u), and 2r − u = −ru.
    let r = excess / (2.0 + excess);
    let square = r * r;
    let (mut sum, mut power, mut odd) = (0.0, 1.0, 3.0);
    while power > 1e-18 {
        sum += power / odd;
        power *= square;
        odd += 2.0;
    }
    2.0 * r * square * sum - r * excess
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_match_the_golden_values() {
        let golden = include_str!("../../tests/data/beta_tails.csv");
        for line in golden.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
            let tails = ln_beta_tails(fields[0], fields[1], fields[2]);
            // An absolute error of a logarithm is a relative error of the probability.
            let allowed = 4e-15 + 4e-16 * (fields[1] + fields[2]).sqrt();
            assert!(
                (tails.lower - fields[3]).abs() < allowed * fields[3].abs().max(1.0),
                "{line}: {tails:?}"
            );
            assert!(
                (tails.upper - fields[4]).abs() < allowed * fields[4].abs().max(1.0),
                "{line}: {tails:?}"
            );
        }
    }

    #[test]
    fn fraction_and_quadrature_agree_where_both_work() {
        for (a, b) in [(1000.0_f64, 1000.0_f64), (1000.0, 1e6), (9000.0, 4000.0), (5000.0, 1e9)] {
            let mean = a / (a + b);
            for deviations in [-30.0, -8.0, -2.0, -0.5, 0.0] {
                let x = mean + deviations * (mean * (1.0 - mean) / (a + b)).sqrt();
                let ratio = fraction(x, 1.0 - x, a, b) / relative_area(x, 1.0 - x, a, b);
                assert!((ratio - 1.0).abs() < 1e-11, "{a} {b} {deviations}: {ratio}");
            }
        }
    }

    #[test]
    fn extremes_stay_ordered() {
        for (a, b) in [(1.0, 1.0), (1.0, 1e18), (1e9, 1e9), (0.5, 1e6)] {
            let mut previous = f64::NEG_INFINITY;
            for x in [1e-300, 1e-30, 1e-10, 1e-3, 0.4, 0.5, 0.6, 0.999, 1.0 - 1e-16] {
                let LnTails { lower, upper } = ln_beta_tails(x, a, b);
                assert!(
                    !lower.is_nan() && !upper.is_nan() && lower >= previous,
                    "{x} {a} {b}: {lower} {upper}"
                );
                previous = lower;
            }
        }
    }

    /// ln Γ(z), put together again.
    fn ln_gamma(z: f64) -> f64 {
        (z - 0.5) * z.ln() - z + 0.5 * std::f64::consts::TAU.ln() + stirling_error(z)
    }

    #[test]
    fn factorials_come_out() {
        let mut ln_factorial = 0.0;
        for n in 1..=60 {
            ln_factorial += f64::from(n).ln();
            let error = ln_gamma(f64::from(n + 1)) - ln_factorial;
            assert!(error.abs() < 4e-15 * ln_factorial.max(1.0), "{n}! is off by {error:e}");
        }
        assert!((ln_gamma(0.5) - 0.5 * std::f64::consts::PI.ln()).abs() < 4e-15);
    }

    #[test]
    fn logarithm_keeps_its_small_part() {
        for excess in [-0.5, -0.3, -1e-3, 1e-3, 0.2, 0.5] {
            let direct = f64::ln_1p(excess) - excess;
            assert!((ln_minus_linear(1.0 + excess, excess) / direct - 1.0).abs() < 1e-12, "{excess}");
        }
        // −u²/2 + u³/3: the logarithm itself would keep no digit of this.
        let tiny = 1e-9;
        assert!((ln_minus_linear(1.0 + tiny, tiny) / (-tiny * tiny / 2.0) - 1.0).abs() < 1e-8);
        assert_eq!(ln_minus_linear(1.0, 0.0), 0.0);
    }
}
