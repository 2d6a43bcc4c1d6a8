//! The service on a real database, spoken to in its own verbs.

mod constraints;
mod harness;
mod import;
mod lines;
mod menus;
mod minutes;
mod people;
mod places;
