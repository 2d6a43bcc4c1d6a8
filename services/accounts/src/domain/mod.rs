//! What signing in is made of. Pure.

pub mod name;
pub mod phone;
pub mod secret;
