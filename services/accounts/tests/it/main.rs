//! The accounts service on a real PostgreSQL: signing in, guessing, sessions, names.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod harness;
mod sessions;
mod sign_in;
