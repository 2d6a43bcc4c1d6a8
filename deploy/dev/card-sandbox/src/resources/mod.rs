//! The API's objects, one file each: what it looks like, and what can be done with it.

pub mod charges;
pub mod customers;
pub mod disputes;
pub mod events;
pub mod instruments;
pub mod metadata;
pub mod payment_intents;
pub mod payment_methods;
pub mod refunds;
pub mod setup_intents;
