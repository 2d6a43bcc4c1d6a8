//! The operations of the service, one per file. Operations with a gRPC method have its name.

pub(crate) mod authenticate_store;
pub(crate) mod delete_consumer;
pub(crate) mod favorite_store;
pub(crate) mod get_item;
pub(crate) mod get_pickup_options;
pub(crate) mod get_store;
pub mod import_stores;
pub mod issue_credential;
pub(crate) mod list_categories;
pub(crate) mod list_menu;
pub(crate) mod list_stores;
pub(crate) mod map_stores;
pub mod pause_store;
pub mod release_capacity;
pub mod reserve_capacity;
pub(crate) mod resolve_lines;
pub mod search_stores;
pub mod seed;
mod store_menu;
mod store_views;
pub(crate) mod unfavorite_store;
mod write_stores;
