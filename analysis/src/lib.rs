//! Measures many games: fair komi, how often superko matters, life and death, from exact counts.
//!
//! A [`RunStats`] holds the measurements of one run, a [`Study`] those of several; both merge in any order. [`fair_komi()`] and the intervals of
//! [`Proportion`] and [`Histogram`] are estimates, and name their method.
//!
//! ```
//! use jigo_analysis::{Measure as _, Run};
//! let run = Run::new("5", "tromp-taylor", "eye-safe")?.seed(1);
//! let measured = run.measure(0..2000)?;
//! println!("{}", measured.fair_komi()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to start
//!
//! | to | take |
//! | --- | --- |
//! | play games and measure them | [`Measure::measure`]; [`RunStats::play`], [`Study::play`] can be stopped |
//! | measure a dataset | [`RunStats::from_dataset`] |
//! | measure game records of people: SGF, folders, archives | [`records::analyze`] |
//! | see what one rule changes, game by game | [`compare()`]: a [`rules::Comparison`] |
//! | estimate | [`fair_komi()`], [`Proportion`], [`Histogram`] |
//! | show a study | [`report::summary_table`] for a terminal, [`report::add_report`] for a folder with a page, CSV and JSON |
//! | show how two runs differ | [`report::differences_table`], [`report::add_differences`] |
//! | keep a study, and join parts of a run | [`report::study_json`], [`report::read_study`], [`Study::merge`] |
//! | hand games of a dataset to other programs | [`export::export`] |
//!
//! Parts of a run can be played anywhere and merged:
//!
//! ```
//! use jigo_analysis::{Measure as _, Run};
//! let run = Run::new("4x3", "japanese", "uniform")?.seed(1);
//! let mut parts = run.measure(600..1000)?;
//! parts.merge(&run.measure(0..600)?)?;
//! assert!(parts == run.measure(0..1000)?);
//! // No game is counted twice.
//! assert!(parts.merge(&run.measure(0..1)?).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Of note
//!
//! - **Counts are exact integers**; every estimate names its method, and `docs/statistics.md` its source.
//! - **Games stopped at the move limit** are counted apart and never mixed with finished ones.
//! - **Example games** are kept by their place in the run and played again for the page.
//! - **Formats have versions**, such as [`report::STUDY_FORMAT_VERSION`]; `docs/stability.md` says what they promise.
//!
//! # Features
//!
//! `report`, on by default: the module [`report`]; it includes `records` (the module [`records`]), which includes `dataset` (the module [`export`] and
//! [`RunStats::from_dataset`]). Without them few crates are compiled, and runs are measured all the same.
//!
//! # Not here
//!
//! The games are played by `jigo-selfplay`, and the rules are in `jigo-engine`. All numbers describe the games that were counted: they are no
//! estimate of strength, or of the komi of good play.

#![cfg_attr(
    not(feature = "report"),
    allow(dead_code, unused_imports, reason = "the modules left out use them")
)]

#[cfg(feature = "dataset")]
pub mod cells;
#[cfg(feature = "dataset")]
pub mod export;
#[cfg(feature = "dataset")]
mod listed;
#[cfg(feature = "dataset")]
pub mod proofs;
#[cfg(feature = "records")]
pub mod records;
#[cfg(feature = "report")]
pub mod report;
pub mod rules;
pub mod stats;
pub mod study;
#[cfg(test)]
mod test_random;

pub use jigo_selfplay::{Run, RunConfig};
#[cfg(feature = "dataset")]
pub use listed::FilesReport;
pub use stats::{FairKomi, Histogram, Interval, MarginCounts, Proportion, fair_komi};
pub use study::{Coverage, Measure, RunStats, Study, compare};

/// The examples of the README, so that they are tested.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
