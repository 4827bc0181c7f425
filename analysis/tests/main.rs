//! Tests of the public interface, in one program: what it uses of the libraries is compiled once for each width of bitboards.

mod examples;
mod import;
mod import_limits;
mod real_games;
mod status;
