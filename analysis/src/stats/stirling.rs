//! The two small functions that keep the incomplete beta function accurate for huge arguments.
//!
//! ln Γ of a large number is large, and the interesting part of a probability is a small difference of such numbers. So the gamma
//! function never appears by itself: its large part cancels on paper, and only the remainder of Stirling's formula is computed.
//!
//! # Source
//! C. Loader, *Fast and Accurate Computation of Binomial Probabilities*, 2000; A. R. DiDonato and A. H. Morris, *Algorithm 708:
//! Significant Digit Computation of the Incomplete Beta Function Ratios*, ACM Transactions on Mathematical Software 18, 1992.

/// The remainder of Stirling's formula: `ln Γ(z) = (z − ½) ln z − z + ½ ln 2π + stirling_error(z)`, for `z` > 0.
///
/// Absolute error about 10⁻¹⁵. Cost: at most 16 logarithms, none from 16 on.
pub(super) fn stirling_error(z: f64) -> f64 {
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

/// `ln(ratio) − (ratio − 1)`, never positive, where `excess` is `ratio − 1` computed by the caller without cancellation.
///
/// Accurate relative to its own size, which is about `−excess²/2` near a ratio of 1.
pub(super) fn ln_minus_linear(ratio: f64, excess: f64) -> f64 {
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
