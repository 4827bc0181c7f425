//! From numbers to places, and the round numbers between.

/// Where numbers lie on an axis: equal steps for equal differences, or on a logarithmic axis for equal ratios.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// The ends; of a logarithmic axis the logarithms.
    domain: (f64, f64),
    range: (f64, f64),
    /// About so many round values are labelled; nothing on a logarithmic axis.
    tick_count: Option<u32>,
}

impl Scale {
    /// Maps the ends of `domain` to the ends of `range`, with about so many ticks. An empty domain is widened.
    pub(crate) fn new((low, high): (f64, f64), range: (f64, f64), tick_count: u32) -> Self {
        let domain = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        Self { domain, range, tick_count: Some(tick_count) }
    }

    /// As [`new`](Self::new), for a positive domain on a logarithmic axis.
    pub(crate) fn logarithmic((low, high): (f64, f64), range: (f64, f64)) -> Self {
        Self { tick_count: None, ..Self::new((low.log10(), high.log10()), range, 0) }
    }

    pub(crate) fn at(&self, value: f64) -> f64 {
        let value = if self.tick_count.is_some() { value } else { value.log10() };
        let part = (value - self.domain.0) / (self.domain.1 - self.domain.0);
        self.range.0 + part * (self.range.1 - self.range.0)
    }

    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        match self.tick_count {
            Some(count) => ticks(self.domain.0, self.domain.1, count),
            None => powers(self.domain.0, self.domain.1),
        }
    }
}

/// Returns the powers of ten between two logarithms, and numbers between the powers where these are few.
fn powers(low: f64, high: f64) -> Vec<(f64, String)> {
    /// More decades than this are labelled at every other power.
    const MANY: i32 = 6;
    let (first, last) = (low.ceil() as i32, high.floor() as i32);
    let between: &[f64] = if last - first < 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let step = if last - first > MANY { 2 } else { 1 };
    (low.floor() as i32..=last)
        .step_by(step)
        .flat_map(|power| between.iter().map(move |factor| (factor * 10_f64.powi(power), power)))
        .filter(|&(value, _)| (low - 1e-9..=high + 1e-9).contains(&value.log10()))
        .map(|(value, power)| (value, format!("{value:.*}", (-power).max(0) as usize)))
        .collect()
}

/// Returns the round numbers from `low` to `high`: multiples of 1, 2 or 5 times a power of ten, about `count` of them, with labels of equally
/// many decimals.
fn ticks(low: f64, high: f64, count: u32) -> Vec<(f64, String)> {
    let rough = (high - low) / f64::from(count.max(1));
    if rough <= 0.0 || !rough.is_finite() {
        return Vec::new();
    }
    let power = rough.log10().floor();
    let unit = 10_f64.powf(power);
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * unit >= 0.7 * rough).unwrap_or(10.0);
    let step = factor * unit;
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    // Rounded inwards, but a bound that is itself a tick stays one.
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (first..=last)
        .map(|index| index as f64 * step)
        .map(|value| (value, format!("{value:.decimals$}").replace('-', "−")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: Vec<(f64, String)>) -> Vec<String> {
        ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(ticks(-81.0, 81.0, 8)), ["−80", "−60", "−40", "−20", "0", "20", "40", "60", "80"]);
        assert_eq!(labels(ticks(0.0, 0.31, 4)), ["0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(ticks(3.0, 3.0, 4)), [""; 0]);
        assert_eq!(labels(Scale::logarithmic((0.004, 3.0), (0.0, 1.0)).ticks()), ["0.01", "0.1", "1"]);
        assert_eq!(
            labels(Scale::logarithmic((0.1, 3.0), (0.0, 1.0)).ticks()),
            ["0.1", "0.2", "0.5", "1", "2"]
        );
    }

    #[test]
    fn ends_map_to_ends() {
        let scale = Scale::new((2.0, 6.0), (100.0, 0.0), 4);
        assert_eq!([2.0, 4.0, 6.0].map(|value| scale.at(value)), [100.0, 50.0, 0.0]);
        let scale = Scale::logarithmic((0.01, 100.0), (0.0, 4.0));
        assert!((scale.at(1.0) - 2.0).abs() < 1e-12);
    }
}
