//! SQL only: free functions that take the caller's connection.

pub mod capacity;
pub mod credentials;
pub mod favorites;
pub mod hours;
pub mod intake;
pub mod map;
pub mod menu;
pub mod menu_write;
pub mod near;
pub mod search;
pub mod sold_out;
pub mod stores;
pub mod turns;
