//! Middleware around the routes.

pub(crate) mod admission;
pub(crate) mod conditional;
pub(crate) mod correlation;
pub(crate) mod metrics;
pub(crate) mod operator_key;
pub(crate) mod origin;
pub(crate) mod request_body;
pub(crate) mod session;
pub(crate) mod store_credential;
