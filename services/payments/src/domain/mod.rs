//! Charges, declines and payment methods as values, without I/O.

pub mod charge;
pub mod decline;
pub mod effect;
pub mod payment_method;
