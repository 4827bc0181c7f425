//! From numbers to places, and the round numbers between.

/// Where a number lies on an axis.
pub(crate) trait Scale {
    /// The place of a value.
    fn at(&self, value: f64) -> f64;

    /// Round values to label, with their labels.
    fn ticks(&self) -> Vec<(f64, String)>;
}

/// Equal steps for equal differences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear {
    domain: (f64, f64),
    range: (f64, f64),
    tick_count: u32,
}

impl Linear {
    /// Maps the ends of `domain` to the ends of `range`, with about so many ticks. An empty domain is widened.
    pub(crate) fn new(domain: (f64, f64), range: (f64, f64), tick_count: u32) -> Self {
        let (low, high) = domain;
        let domain = if high > low { domain } else { (low - 0.5, low + 0.5) };
        Self { domain, range, tick_count }
    }
}

impl Scale for Linear {
    fn at(&self, value: f64) -> f64 {
        let part = (value - self.domain.0) / (self.domain.1 - self.domain.0);
        self.range.0 + part * (self.range.1 - self.range.0)
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        ticks(self.domain.0, self.domain.1, self.tick_count)
    }
}

/// Equal steps for equal ratios.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Log(Linear);

impl Log {
    /// As [`Linear::new`], for a positive domain.
    pub(crate) fn new(domain: (f64, f64), range: (f64, f64)) -> Self {
        Self(Linear::new((domain.0.log10(), domain.1.log10()), range, 0))
    }
}

impl Scale for Log {
    fn at(&self, value: f64) -> f64 {
        self.0.at(value.log10())
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        /// More decades than this are labelled at every other power.
        const MANY: i32 = 6;
        let (low, high) = self.0.domain;
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
}

/// Round numbers from `low` to `high`: multiples of 1, 2 or 5 times a power of ten, about `count` of them, with labels of equally
/// many decimals.
pub(crate) fn ticks(low: f64, high: f64, count: u32) -> Vec<(f64, String)> {
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
        assert_eq!(labels(Log::new((0.004, 3.0), (0.0, 1.0)).ticks()), ["0.01", "0.1", "1"]);
        assert_eq!(labels(Log::new((0.1, 3.0), (0.0, 1.0)).ticks()), ["0.1", "0.2", "0.5", "1", "2"]);
    }

    #[test]
    fn ends_map_to_ends() {
        let scale = Linear::new((2.0, 6.0), (100.0, 0.0), 4);
        assert_eq!([2.0, 4.0, 6.0].map(|value| scale.at(value)), [100.0, 50.0, 0.0]);
        let scale = Log::new((0.01, 100.0), (0.0, 4.0));
        assert!((scale.at(1.0) - 2.0).abs() < 1e-12);
    }
}
