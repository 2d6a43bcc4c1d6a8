//! What a method of a service answers: what its operation came to, or how that is refused.

use tonic::{Response, Status};

use crate::service_error::ServiceError;

/// What each method returns.
pub type GrpcResult<T> = Result<Response<T>, Status>;

/// The outcome of an operation on its way out.
///
/// # Errors
/// The operation's, as its refusal.
pub fn into_grpc<T, E: Into<ServiceError>>(outcome: Result<T, E>) -> GrpcResult<T> {
    outcome.map(Response::new).map_err(|error| error.into().into())
}
