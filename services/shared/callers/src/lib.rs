//! Identifies who calls a service. For each call, the gateway and the services sign a [`Caller`] into a token
//! (`kit::caller`). The server's interceptor verifies the token and adds the caller to the request.

use kit::{ErrorCode, ServiceError, caller::TokenError};
use serde::{Deserialize, Serialize};
use tonic::Status;
use types::{ConsumerId, CredentialId, SessionId, StoreId};

/// The identity that a call is made for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Caller {
    /// A signed-in consumer.
    Consumer { id: ConsumerId, session: SessionId },
    /// A system of one or more stores.
    Store {
        credential: CredentialId,
        /// The stores that the credential gives access to; `None` means all stores.
        stores: Option<Vec<StoreId>>,
    },
    /// A person who may look at the records of any order.
    Operator { name: String },
    /// Another service, on its own behalf.
    Service {
        /// Process name, for example `ordering`.
        name: String,
    },
}

impl Caller {
    /// Creates the caller for a service that calls on its own behalf.
    #[must_use]
    pub fn from_service(name: &str) -> Self {
        Self::Service {
            name: name.to_owned(),
        }
    }

    /// Returns the caller that the server's interceptor verified.
    ///
    /// # Errors
    /// `CALLER_TOKEN_INVALID` if the service was added to the server without the interceptor.
    pub fn of<T>(request: &tonic::Request<T>) -> Result<&Self, Status> {
        request
            .extensions()
            .get::<Self>()
            .ok_or_else(|| ServiceError::from(TokenError::Missing).into())
    }

    /// Returns the consumer.
    ///
    /// # Errors
    /// `FORBIDDEN` for any other caller.
    pub fn consumer(&self) -> Result<ConsumerId, Status> {
        match self {
            Self::Consumer { id, .. } => Ok(*id),
            _ => Err(forbidden().into()),
        }
    }

    /// Returns the consumer and the session of the call.
    ///
    /// # Errors
    /// `FORBIDDEN` for any other caller.
    pub fn session(&self) -> Result<(ConsumerId, SessionId), Status> {
        match self {
            Self::Consumer { id, session } => Ok((*id, *session)),
            _ => Err(forbidden().into()),
        }
    }

    /// Checks that the caller is one of the allowed services.
    ///
    /// # Errors
    /// `FORBIDDEN` for any other caller.
    pub fn service(&self, allowed: &[&str]) -> Result<(), Status> {
        match self {
            Self::Service { name } if allowed.contains(&name.as_str()) => Ok(()),
            _ => Err(forbidden().into()),
        }
    }

    /// Returns the name of the operator.
    ///
    /// # Errors
    /// `FORBIDDEN` for any other caller.
    pub fn operator(&self) -> Result<&str, Status> {
        match self {
            Self::Operator { name } => Ok(name),
            _ => Err(forbidden().into()),
        }
    }

    /// Returns the credential if it gives access to the store.
    ///
    /// # Errors
    /// `FORBIDDEN` for any other caller.
    pub fn store(&self, store: StoreId) -> Result<CredentialId, Status> {
        match self {
            Self::Store { credential, stores }
                if stores.as_ref().is_none_or(|list| list.contains(&store)) =>
            {
                Ok(*credential)
            }
            _ => Err(forbidden().into()),
        }
    }
}

/// Error for a caller without permission.
#[must_use]
pub fn forbidden() -> ServiceError {
    ServiceError::new(
        ErrorCode::Forbidden,
        "FORBIDDEN",
        "You don't have permission to do that.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_credential_acts_only_for_its_own_stores() {
        let at = jiff::Timestamp::UNIX_EPOCH;
        let (own, foreign) = (StoreId::new(at), StoreId::new(at));
        let caller = Caller::Store {
            credential: CredentialId::new(at),
            stores: Some(vec![own]),
        };
        assert!(caller.store(own).is_ok() && caller.store(foreign).is_err() && caller.consumer().is_err());
    }

    #[test]
    fn only_an_operator_acts_as_an_operator() {
        let at = jiff::Timestamp::UNIX_EPOCH;
        let operator = Caller::Operator {
            name: "ada".to_owned(),
        };
        assert_eq!(operator.operator().unwrap(), "ada");
        assert!(operator.store(StoreId::new(at)).is_err() && operator.service(&["ada"]).is_err());
        let all_stores = Caller::Store {
            credential: CredentialId::new(at),
            stores: None,
        };
        assert!(all_stores.operator().is_err() && Caller::from_service("gateway").operator().is_err());
    }

    #[test]
    fn a_request_without_verified_caller_is_an_internal_error() {
        let status = Caller::of(&tonic::Request::new(())).unwrap_err();
        assert_eq!(ServiceError::from_status(&status), ServiceError::internal());
    }
}
