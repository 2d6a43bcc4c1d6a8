//! What goes wrong that is nobody's refusal: the database is away, a call broke, a bug. It is logged once, where it
//! becomes a refusal, and never shown outside.

use crate::service_error::{ErrorCode, ServiceError};

/// A failure that is not a decision.
#[derive(Debug, thiserror::Error)]
pub enum InternalError {
    /// Postgres did not do what it was asked.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// Another service refused or did not answer. Its refusal, if it is one, is passed on as it is.
    #[error("call: {0}")]
    Call(#[from] tonic::Status),
    /// Anything else: a broken invariant, something that cannot be read.
    #[error("{0:#}")]
    Other(#[from] anyhow::Error),
}

impl InternalError {
    /// A broken invariant.
    pub fn broken(what: impl std::fmt::Display) -> Self {
        Self::Other(anyhow::anyhow!("{what}"))
    }

    /// Whether trying again may help.
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
        // 08 connection, 40 serialization and deadlock, 53 resources, 57 operator (shut-down, statement timeout), 55P03 lock.
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
    fn from(fault: InternalError) -> Self {
        if let InternalError::Call(status) = &fault {
            let refusal = Self::from_status(status);
            if refusal.code != ErrorCode::Internal && refusal.code != ErrorCode::Unavailable {
                return refusal;
            }
        }
        if fault.is_transient() {
            tracing::warn!(error = %fault, "something needed is away");
            return Self::unavailable();
        }
        tracing::error!(error = %fault, "call failed");
        Self::internal()
    }
}

/// Lets `?` turn what databases and calls say into an operation's error, whose enum has a variant `Internal(kit::InternalError)`.
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
