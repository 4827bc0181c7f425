//! Tests of the public interface, in one program: what it uses of the libraries is compiled once for each width of bitboards.

mod batch;
mod count;
mod definitions;
mod differential;
mod finish;
mod katago;
mod labelled;
mod legal;
mod life;
mod position;
mod protocol;
mod search;
mod shared;
mod solve;
mod sources;
mod status;
mod symmetry;
