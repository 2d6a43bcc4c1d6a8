//! Charges, refunds, disputes, declines and payment methods as values, without I/O.

pub mod audit;
pub mod charge;
pub mod comparison;
pub mod debt;
pub mod decline;
pub mod dispute;
pub mod effect;
pub mod event_kind;
pub mod payment_method;
pub mod refund;
pub mod setup;
pub mod subject;
