//! One use case a file.

pub mod authenticate;
pub mod favorite;
pub mod forget_consumer;
pub mod get_store;
pub mod import;
pub mod issue_credential;
pub mod list;
pub mod map;
pub mod menu;
pub mod pause;
pub mod pickup_options;
pub mod release;
pub mod reserve;
pub mod resolve_lines;
pub mod search;
pub mod seed;
pub mod show;
