//! Classifies the failures of calls for retries.

use std::error::Error;

use tonic::{ConnectError, TimeoutExpired};

pub type BoxError = Box<dyn Error + Send + Sync>;

/// A call that ended without a response.
#[derive(Debug)]
pub(super) struct CallFailure {
    pub(super) kind: FailureKind,
    pub(super) error: BoxError,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailureKind {
    /// The replica cannot be reached, so it has not received the call.
    Unreachable,
    /// The connection was closing, so the replica has not processed the call.
    NotProcessed,
    /// No response in time.
    TimedOut,
    /// The connection failed. The call may have been processed.
    Lost,
}

impl From<BoxError> for CallFailure {
    fn from(error: BoxError) -> Self {
        Self {
            kind: kind_of(error.as_ref()),
            error,
        }
    }
}

fn kind_of(error: &(dyn Error + 'static)) -> FailureKind {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(kind) = kind_of_cause(error) {
            return kind;
        }
        cause = error.source();
    }
    FailureKind::Lost
}

fn kind_of_cause(cause: &(dyn Error + 'static)) -> Option<FailureKind> {
    if cause.is::<ConnectError>() {
        Some(FailureKind::Unreachable)
    } else if cause.is::<TimeoutExpired>() {
        Some(FailureKind::TimedOut)
    } else if let Some(error) = cause.downcast_ref::<h2::Error>() {
        Some(kind_of_http2(error))
    } else {
        // hyper cancels a request that it has not yet written when its connection closes.
        let is_unsent = cause
            .downcast_ref::<hyper::Error>()
            .is_some_and(hyper::Error::is_canceled);
        is_unsent.then_some(FailureKind::NotProcessed)
    }
}

/// A replica that shuts down sends GOAWAY with the last call that it will process (RFC 9113, 6.8), and h2 reports it
/// only for calls after that one. GOAWAY with another reason also aborts calls in progress.
fn kind_of_http2(error: &h2::Error) -> FailureKind {
    let is_refused = error.reason() == Some(h2::Reason::REFUSED_STREAM) && error.is_remote();
    let is_draining = error.is_go_away() && error.is_remote() && error.reason() == Some(h2::Reason::NO_ERROR);
    if is_refused || is_draining {
        FailureKind::NotProcessed
    } else {
        FailureKind::Lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_error_from_the_replica_means_not_processed() {
        let http2 = |reason| kind_of(&h2::Error::from(reason));
        // Created locally, not received from the replica.
        assert_eq!(http2(h2::Reason::REFUSED_STREAM), FailureKind::Lost);
        assert_eq!(http2(h2::Reason::NO_ERROR), FailureKind::Lost);
        assert_eq!(kind_of(&std::io::Error::other("reset")), FailureKind::Lost);
        assert_eq!(kind_of(&ConnectError("refused".into())), FailureKind::Unreachable);
        assert_eq!(kind_of(&TimeoutExpired(())), FailureKind::TimedOut);
    }
}
