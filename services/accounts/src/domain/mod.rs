//! Pure domain types and rules.

pub mod contact;
pub mod device;
pub mod phone;
pub mod profile;
pub mod secret;
pub mod session;
pub mod sign_in;
