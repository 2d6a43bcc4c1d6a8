//! Stores, opening hours, menus, cart lines and capacity. Pure: no I/O, and the time is an argument.

pub(crate) mod availability;
pub mod capacity;
pub(crate) mod cart_lines;
pub(crate) mod company;
pub(crate) mod credential;
pub(crate) mod csv_import;
pub mod geo;
pub mod hours;
pub(crate) mod item_sales;
pub(crate) mod map;
pub(crate) mod menu;
pub mod pickup;
pub mod reservation;
pub mod search_term;
pub(crate) mod secret;
pub(crate) mod sold_out;
pub mod stable_id;
pub mod store;
pub(crate) mod store_menu;
pub(crate) mod store_query;
pub(crate) mod store_view;
pub(crate) mod suggestions;
pub(crate) mod tax;
pub(crate) mod usual_item;
