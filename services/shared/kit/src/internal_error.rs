//! Failures without a reason code: a database error, a failed call to another service, or a bug. They are logged where
//! they become a [`ServiceError`], and their details are never sent.

use crate::service_error::{ErrorCode, ServiceError};

#[derive(Debug, thiserror::Error)]
pub enum InternalError {
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// A call to another service failed. If the callee returned a [`ServiceError`], it is returned to the caller
    /// unchanged.
    #[error("call: {0}")]
    Call(#[from] tonic::Status),
    /// Any other failure, for example a violated invariant.
    #[error("{0:#}")]
    Other(#[from] anyhow::Error),
}

impl InternalError {
    /// Creates an error for a state that must be impossible.
    pub fn invariant_violated(description: impl std::fmt::Display) -> Self {
        Self::Other(anyhow::anyhow!("{description}"))
    }

    /// Returns whether the callee returned a [`ServiceError`] with this reason.
    #[must_use]
    pub fn has_reason(&self, reason: &str) -> bool {
        matches!(self, Self::Call(status) if ServiceError::from_status(status).reason == reason)
    }

    /// Returns the [`ServiceError`] with which the callee rejected the call.
    #[must_use]
    pub fn rejection(&self) -> Option<ServiceError> {
        let Self::Call(status) = self else { return None };
        let error = ServiceError::from_status(status);
        (error.code != ErrorCode::Internal && error.code != ErrorCode::Unavailable).then_some(error)
    }

    /// Returns whether a retry may succeed.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Database(error) => is_transient_database_error(error),
            Self::Call(status) => ServiceError::from_status(status).code == ErrorCode::Unavailable,
            Self::Other(_) => false,
        }
    }
}

fn is_transient_database_error(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::Protocol(_) => true,
        // 08 connection, 40 serialization failure and deadlock, 53 resources, 57 operator intervention (shutdown,
        // statement timeout), 55P03 lock not available.
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            ["08", "40", "53", "57"]
                .iter()
                .any(|class| code.starts_with(class))
                || code == "55P03"
        }),
        _ => false,
    }
}

impl From<InternalError> for ServiceError {
    fn from(error: InternalError) -> Self {
        if let Some(rejection) = error.rejection() {
            return rejection;
        }
        if error.is_transient() {
            tracing::warn!(%error, "dependency unavailable");
            return Self::unavailable();
        }
        tracing::error!(%error, "internal error");
        Self::internal()
    }
}

/// Implements the conversions for `?` from database and call errors into an operation's error enum, which must have a
/// variant `Internal(kit::InternalError)`.
#[macro_export]
macro_rules! impl_from_internal_errors {
    ($error:ty) => {
        impl From<sqlx::Error> for $error {
            fn from(error: sqlx::Error) -> Self {
                Self::Internal($crate::InternalError::from(error))
            }
        }

        impl From<tonic::Status> for $error {
            fn from(error: tonic::Status) -> Self {
                Self::Internal($crate::InternalError::from(error))
            }
        }

        impl From<anyhow::Error> for $error {
            fn from(error: anyhow::Error) -> Self {
                Self::Internal($crate::InternalError::from(error))
            }
        }
    };
}
