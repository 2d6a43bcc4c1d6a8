//! Extractors of the handlers. Their errors are [`crate::error::ApiError`].

mod body;
mod body_error;
mod client_address;
mod consumer;
mod expected;
mod operator_caller;
mod optional_body;
mod optional_consumer;
mod path;
mod photo_upload;
mod query;
mod query_error;
mod store_caller;
mod user_id;

pub(crate) use body::{Body, read_body};
pub(crate) use client_address::ClientAddress;
pub(crate) use consumer::Consumer;
pub(crate) use operator_caller::OperatorCaller;
pub(crate) use optional_body::OptionalBody;
pub(crate) use optional_consumer::OptionalConsumer;
pub(crate) use path::PathId;
pub(crate) use photo_upload::{MAX_UPLOAD_BYTES, PhotoUpload, read_upload};
pub(crate) use query::{Query, validate_max_chars};
pub(crate) use store_caller::StoreCaller;
pub(crate) use user_id::{require_own_user_id, user_id_of_query};
