//! Pure domain types and rules.

pub mod contact;
pub mod device;
pub mod email_verification;
pub mod hand_over;
pub mod journey_step;
pub mod notification;
pub mod photo;
pub mod profile;
pub mod push;
pub mod recipient;
pub mod secret;
pub mod session;
pub mod settings;
pub mod share_code;
pub mod sign_in;
pub mod stop_token;
