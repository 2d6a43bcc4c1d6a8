//! Calls as they reach a service, once the guard has found out who calls.

use callers::Caller;
use kit::ServiceError;
use proto::values::v1::Money;
use tonic::{Request, Response, Status};
use types::{ConsumerId, SessionId};

use crate::at;

/// A call by anybody.
pub fn request_from<T>(caller: Caller, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.extensions_mut().insert(caller);
    request
}

/// A call by one of our own processes.
pub fn request_from_service<T>(name: &str, message: T) -> Request<T> {
    let name = name.to_owned();
    request_from(Caller::Service { name }, message)
}

/// A call on a consumer's behalf.
pub fn request_from_consumer<T>(id: ConsumerId, message: T) -> Request<T> {
    let session = SessionId::new(at());
    request_from(Caller::Consumer { id, session }, message)
}

/// What a call was answered with.
///
/// # Errors
/// How it was refused.
pub fn into_result<T>(answer: Result<Response<T>, Status>) -> Result<T, ServiceError> {
    answer
        .map(Response::into_inner)
        .map_err(|status| ServiceError::from_status(&status))
}

/// An amount as the contract has it.
#[must_use]
pub fn usd(cents: i64) -> Option<Money> {
    Some(Money {
        minor_units: cents,
        currency: "usd".to_owned(),
    })
}
