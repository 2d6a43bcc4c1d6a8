//! Converts between proto messages and domain types.

pub(crate) mod cart_lines;
pub(crate) mod company;
pub(crate) mod error_detail;
pub(crate) mod event;
pub(crate) mod menu;
pub(crate) mod pickup;
pub(crate) mod request;
pub(crate) mod schedule;
pub(crate) mod store;
pub(crate) mod store_menu;
pub(crate) mod usual_item;
mod values;
pub(crate) mod webhook;
