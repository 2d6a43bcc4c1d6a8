//! Converts between protobuf messages and domain types.

pub(crate) mod event;
pub(crate) mod grpc;
