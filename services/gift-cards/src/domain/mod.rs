//! What stored value may do. Pure.

mod hold;

pub use hold::{GivenBack, Hold, Movement, Stake};
