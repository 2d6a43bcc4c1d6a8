//! Integration tests: the service's operations and gRPC methods on a PostgreSQL database.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "functions of the test harness fail by panicking, as tests do"
)]

mod authentication;
mod availability;
mod capacity;
mod capacity_changes;
mod commands;
mod constraints;
mod ended_orders;
mod finding;
mod harness;
mod import;
mod import_menus;
mod index_use;
mod menus;
mod migration;
mod modifications;
mod pauses;
mod promises;
mod prune;
mod ratings;
mod recent_snapshots;
mod resolve_lines;
mod schedule_versions;
mod search_order;
mod settings;
mod staff;
mod store_access;
mod store_lists;
mod suggestions;
mod usual_items;
mod webhooks;
