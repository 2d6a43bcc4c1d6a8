//! Tests of the service on PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod audit;
mod auto_reload;
mod auto_reload_races;
mod charge_event_races;
mod charge_events;
mod clocks;
mod close_hold_command;
mod company_cards;
mod constraints;
mod counter;
mod crashes;
mod events;
mod failed_refunds;
mod fake_services;
mod gift_card_recipients;
mod gift_cards;
mod harness;
mod hold_step;
mod holds;
mod metrics;
mod money_audit;
mod part_refunds;
mod program;
mod prune;
mod purchases;
mod removal;
mod removed_buyers;
mod spending;
mod wallet;
