//! What the five source documents state, each document in a file of its own; `docs/sources.md` has the table.

mod source_000_tromp_taylor;
mod source_001_czech;
mod source_002_makrai;
mod source_003_brainking;
mod source_004_hups;
mod support;
