//! What points, promos and notices are. Pure.

mod claim;
pub mod notice;
pub mod points;
mod promo;

pub use claim::{Claim, Stake};
pub use notice::Notice;
pub use promo::{Discount, Off, Promo, Verdict};
