//! The rules of stores, menus and make-minutes. Pure: no I/O, no clock of its own.

pub mod capacity;
pub mod geo;
pub mod hours;
pub mod intake;
pub mod lines;
pub mod menu;
pub mod pickup;
pub mod secret;
pub mod sold_out;
pub mod stable_id;
pub mod standing;
pub mod store;
pub mod tax;
pub mod term;
