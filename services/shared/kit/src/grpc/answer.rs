//! What a method of a service answers: what its operation came to, or how that is refused.

use tonic::{Response, Status};

use crate::refusal::Refusal;

/// What each method returns.
pub type Answer<T> = Result<Response<T>, Status>;

/// The outcome of an operation on its way out.
///
/// # Errors
/// The operation's, as its refusal.
pub fn answer<T, E: Into<Refusal>>(outcome: Result<T, E>) -> Answer<T> {
    outcome.map(Response::new).map_err(|error| error.into().into())
}
