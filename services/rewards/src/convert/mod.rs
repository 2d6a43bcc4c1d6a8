//! Converts between protobuf messages and domain types.

pub(crate) mod event;
pub(crate) mod failed_payment;
pub(crate) mod grpc;
pub(crate) mod offers;
pub(crate) mod stored_value;
