//! Tests of the service on PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod catalogs;
mod challenges;
mod claims;
mod constraints;
mod ended_orders;
mod failed_payments;
mod first_app_orders;
mod harness;
mod inbox;
mod invitations;
mod message_texts;
mod offers;
mod points;
mod points_model;
mod program;
mod promo_limits;
mod promo_scope;
mod prune;
mod removal;
mod reward_claims;
mod stored_value;
mod stored_value_refunds;
