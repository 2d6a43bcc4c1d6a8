//! SQL: free functions that take the caller's connection or transaction.

pub(crate) mod canceled_orders;
pub(crate) mod challenges;
pub(crate) mod code_attempts;
pub(crate) mod consumers;
pub(crate) mod devices;
pub(crate) mod email_verifications;
pub(crate) mod hand_over_codes;
pub(crate) mod messages;
pub(crate) mod notifications;
pub(crate) mod photos;
pub(crate) mod prune;
pub(crate) mod push_subscriptions;
pub(crate) mod recipients;
pub(crate) mod session_tombstones;
pub(crate) mod sessions;
pub(crate) mod settings;
pub(crate) mod sign_in_data;
