//! gRPC requests as the server passes them to a service, and their results.

use callers::Caller;
use kit::ServiceError;
use proto::values::v1::Money;
use tonic::{Request, Response, Status};
use types::{ConsumerId, SessionId};

use crate::at;

/// Creates a request from an authenticated caller.
pub fn request_from<T>(caller: Caller, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.extensions_mut().insert(caller);
    request
}

pub fn request_from_service<T>(name: &str, message: T) -> Request<T> {
    request_from(Caller::from_service(name), message)
}

pub fn request_from_consumer<T>(id: ConsumerId, message: T) -> Request<T> {
    let session = SessionId::new(at());
    request_from(Caller::Consumer { id, session }, message)
}

/// Unwraps the response message and decodes the error.
pub fn into_result<T>(result: Result<Response<T>, Status>) -> Result<T, ServiceError> {
    result
        .map(Response::into_inner)
        .map_err(|status| ServiceError::from_status(&status))
}

#[must_use]
pub fn usd(cents: i64) -> Option<Money> {
    Some(Money {
        minor_units: cents,
        currency: "usd".to_owned(),
    })
}
