//! Sign-in, attempt limits, sessions and names on a real PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod canceled_orders;
mod devices;
mod email_verification;
mod fake_ordering;
mod hand_over;
mod harness;
mod known_devices;
mod messages;
mod migration;
mod notification_retries;
mod notification_servers;
mod notifications;
mod photos;
mod prune;
mod recipients;
mod redis_server;
mod removal;
mod s3_server;
mod sessions;
mod settings;
mod share_codes;
mod sign_in;
mod tombstones;
