//! What can be done: one use case a file, named by its verb.

pub mod get_profile;
pub mod get_session;
pub mod login;
pub mod logout;
pub mod set_name;
pub mod verify;
