//! What `jigo bench` plays, by which means and on how many threads.

use std::str::FromStr;

use anyhow::bail;
use jigo_selfplay::{Backend, Run, RunConfig, UnknownBackend};

use super::{each_once, processor_count};

/// The means that an argument of `jigo bench` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeansChoice {
    All,
    Best,
    One(Backend),
}

impl FromStr for MeansChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "best" => Ok(Self::Best),
            _ => text.parse().map(Self::One).map_err(|error: UnknownBackend| {
                format!("{error}; or `best`, or `all` that this processor has")
            }),
        }
    }
}

impl MeansChoice {
    /// The means that the arguments name, each once, in the order named. `available` is what this processor has.
    ///
    /// # Errors
    /// When one is named that the processor lacks or that cannot play these games.
    pub(crate) fn expand(named: &[Self], available: &[Backend], spec: &Run) -> anyhow::Result<Vec<Backend>> {
        let mut all = Vec::new();
        for choice in named {
            match *choice {
                Self::All => {
                    let able = |means: &&Backend| means.can_play(spec);
                    all.extend(available.iter().filter(able));
                }
                Self::Best => all.push(Backend::best(spec)),
                Self::One(means) if !available.contains(&means) => {
                    let names: Vec<_> = available.iter().map(ToString::to_string).collect();
                    bail!(
                        "this processor cannot run {means}: choose among {} with --means",
                        names.join(", ")
                    );
                }
                Self::One(means) if !means.can_play(spec) => {
                    let RunConfig { size, policy, .. } = spec.config;
                    bail!("{means} cannot play {size} {policy}: name `all`, `best` or `board` with --means");
                }
                Self::One(means) => all.push(means),
            }
        }
        Ok(each_once(all))
    }
}

/// What is recorded of each game of `jigo bench`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Recorded {
    /// The final position and counts.
    End,
    /// Also the moves.
    Moves,
    /// Which moves recreate a position or would.
    Repetitions,
    /// All moves, and which recreate a position or would.
    All,
}

impl Recorded {
    /// The name, as on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Moves => "moves",
            Self::Repetitions => "repetitions",
            Self::All => "all",
        }
    }
}

/// A number of threads, or one per processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThreadChoice {
    One(u16),
    All,
}

impl FromStr for ThreadChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            _ if text == "all" => Ok(Self::All),
            Ok(number @ 1..=1024) => Ok(Self::One(number)),
            _ => Err(format!("`{text}` is not a number of threads: write 1 to 1024, or `all`")),
        }
    }
}

impl ThreadChoice {
    /// The numbers of threads that the arguments name, each once, in the order named.
    pub(crate) fn expand(named: &[Self]) -> Vec<usize> {
        let number = |choice: &Self| match *choice {
            Self::One(number) => number.into(),
            Self::All => processor_count(),
        };
        each_once(named.iter().map(number))
    }
}

#[cfg(test)]
mod tests {
    use jigo_engine::Rules;

    use super::*;

    #[test]
    fn means() {
        let expand = |names: &str, available: &[Backend], size: &str| {
            let named: Vec<MeansChoice> = names.split(',').map(|name| name.parse().unwrap()).collect();
            let (rules, policy) = (Rules::TROMP_TAYLOR, "eye-safe".parse().unwrap());
            let spec = RunConfig::new(size.parse().unwrap(), rules, policy).seed(1);
            MeansChoice::expand(&named, available, &spec).map_err(|error| error.to_string())
        };
        let [board, plain, avx2] = ["board", "plain", "avx2"].map(|name| name.parse::<Backend>().unwrap());
        assert_eq!(expand("plain,all", &[board, plain], "9"), Ok(vec![plain, board]));
        assert_eq!(expand("all", &[board, plain], "1x9"), Ok(vec![board]));
        assert_eq!(expand("best", &[board], "1x9"), Ok(vec![board]));
        let lacking = expand("board,avx2", &[board, plain], "9").unwrap_err();
        assert!(lacking.contains("cannot run avx2") && lacking.contains("board, plain"), "{lacking}");
        let narrow = expand("plain", &[board, plain, avx2], "1x9").unwrap_err();
        assert!(narrow.contains("1x9"), "{narrow}");
    }
}
