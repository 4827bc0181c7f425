//! Instructions that not every processor has, chosen at run time: the one place with `unsafe` code.

mod bits;

pub(crate) use bits::nth_bit;
pub use bits::{Job, with_fast_bits};
