//! What can be done: one use case a file, named by its verb.

mod abandon;
pub mod accept;
mod answer;
pub mod cancel;
pub mod carry_on;
mod cart_limits;
mod close;
pub mod complete;
mod confirm;
mod fact;
mod gather;
pub mod mark_ready;
pub mod place;
mod prepare;
pub mod price;
pub mod promote;
pub mod read;
pub mod recover;
pub mod reject;
pub mod repeat;
pub mod save_cart;
pub mod start;
pub mod transition;
pub mod user_arrived;
