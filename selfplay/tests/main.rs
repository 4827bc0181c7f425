//! Tests of the public interface, in one program: what it uses of the libraries is compiled once for each width of bitboards.

mod backends;
mod dataset;
mod dataset_verify;
mod datasets;
mod engine_process;
mod estimate;
mod finals;
mod gnugo;
mod gtp;
mod handicap;
mod kept;
mod match_certified;
mod match_dataset;
mod matches;
mod naive;
mod outside;
mod players;
mod search;
mod search_players;
mod sizes;
mod specification;
mod statistics;
mod status;
mod theorem;
mod whole_game;
mod whole_games;

#[path = "../../engine/tests/definitions/mod.rs"]
mod definitions;
#[path = "../../engine/tests/shared/mod.rs"]
mod shared;
