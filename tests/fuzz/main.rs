//! Mutation fuzz of everything that reads bytes of others. Whatever they are, reading ends with values or with errors: never with a panic, and within
//! bounded memory and time.
//!
//! Every target runs for `JIGO_FUZZ_SECONDS` (default 2), from the files in `corpus/TARGET` and inputs that are made when it starts, with the seed
//! `JIGO_FUZZ_SEED` (default 1). An input that fails is kept in a file that the message names; once the error is fixed, it goes into the corpus.
//!
//! Built by `scripts/fuzz.sh`, the tests also measure which code an input reaches. Inputs that reach new code are mutated further and saved in the folder
//! `JIGO_FUZZ_KEPT`. Every build reads the inputs of this folder, too.
#![cfg(unix)]

mod archive;
mod coverage;
mod dataset;
mod diagram;
mod forged;
mod gtp;
mod harness;
mod imported;
mod memory;
mod mutate;
mod openings;
mod report;
mod rules;
mod sgf;
