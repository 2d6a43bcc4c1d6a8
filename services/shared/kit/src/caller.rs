//! Who calls: a short signed token that the gateway and the services attach to each call. A service accepts no call
//! without one. A token that is not taken is a mistake between our own processes, and no question of who is signed in:
//! its refusal has a reason of its own ([`CALLER_TOKEN_INVALID`]) and becomes an internal error in the process that called.

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, errors::ErrorKind};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tonic::Status;
use types::{ConsumerId, CredentialId, SessionId, StoreId};

use crate::service_error::{CALLER_TOKEN_INVALID, ErrorCode, ServiceError};

/// How long a token is good for. Calls are shorter; clocks of one deployment differ less.
const LIFETIME_SECONDS: i64 = 60;

/// On whose behalf a call is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Caller {
    /// A consumer with a session.
    Consumer {
        /// Who.
        id: ConsumerId,
        /// By which session.
        session: SessionId,
    },
    /// A store's own system.
    Store {
        /// By which credential.
        credential: CredentialId,
        /// The stores it speaks for; all of them where there is no list.
        stores: Option<Vec<StoreId>>,
    },
    /// Another of our processes, by itself.
    Service {
        /// Its name: `ordering`.
        name: String,
    },
}

impl Caller {
    /// The caller that the guard found on a request.
    ///
    /// # Errors
    /// `CALLER_TOKEN_INVALID` where there is none: the service was added without its guard.
    pub fn of<T>(request: &tonic::Request<T>) -> Result<&Self, Status> {
        request
            .extensions()
            .get::<Self>()
            .ok_or_else(|| ServiceError::from(TokenError::Missing).into())
    }

    /// The consumer.
    ///
    /// # Errors
    /// `FORBIDDEN` for any other caller.
    pub fn consumer(&self) -> Result<ConsumerId, Status> {
        match self {
            Self::Consumer { id, .. } => Ok(*id),
            _ => Err(forbidden().into()),
        }
    }

    /// Lets only these services pass.
    ///
    /// # Errors
    /// `FORBIDDEN` for any other caller.
    pub fn service(&self, allowed: &[&str]) -> Result<(), Status> {
        match self {
            Self::Service { name } if allowed.contains(&name.as_str()) => Ok(()),
            _ => Err(forbidden().into()),
        }
    }

    /// Lets only a store's own system pass.
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

/// Somebody asks for what is not theirs.
#[must_use]
pub fn forbidden() -> ServiceError {
    ServiceError::new(ErrorCode::Forbidden, "FORBIDDEN", "This is not yours to do.")
}

/// Why a caller token is not taken. Nothing that a consumer did, or could do anything about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// There is none.
    #[error("there is no caller token")]
    Missing,
    /// Another secret signed it.
    #[error("the caller token was signed with another CALLER_SECRET")]
    Signature,
    /// It is older than any call.
    #[error("the caller token is out of date; the clocks of our machines differ")]
    Expired,
    /// It is not what we sign.
    #[error("the caller token is none of ours")]
    Unreadable,
}

impl From<TokenError> for ServiceError {
    fn from(error: TokenError) -> Self {
        Self::new(
            ErrorCode::Unauthenticated,
            CALLER_TOKEN_INVALID,
            error.to_string(),
        )
    }
}

#[derive(Serialize, Deserialize)]
struct Claims {
    exp: i64,
    caller: Caller,
}

/// Signs and checks callers with a secret that all our processes share.
#[derive(Clone)]
pub struct CallerKey {
    signing: EncodingKey,
    checking: DecodingKey,
}

impl std::fmt::Debug for CallerKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("CallerKey")
    }
}

/// The setting that the key comes from.
#[derive(Debug, Deserialize)]
pub struct Config {
    caller_secret: SecretString,
}

impl CallerKey {
    /// The key that `CALLER_SECRET` sets.
    ///
    /// # Errors
    /// No secret, or one of fewer than 32 bytes.
    pub fn from_config(source: &crate::config::Source) -> anyhow::Result<Self> {
        let config: Config = source.read()?;
        Self::new(&config.caller_secret)
    }

    /// A key from a secret.
    ///
    /// # Errors
    /// A secret of fewer than 32 bytes.
    pub fn new(secret: &SecretString) -> anyhow::Result<Self> {
        let bytes = secret.expose_secret().as_bytes();
        anyhow::ensure!(
            bytes.len() >= 32,
            "bad configuration: CALLER_SECRET: expected at least 32 bytes"
        );
        Ok(Self {
            signing: EncodingKey::from_secret(bytes),
            checking: DecodingKey::from_secret(bytes),
        })
    }

    /// A token for a caller.
    ///
    /// # Errors
    /// Signing failed.
    pub fn sign(&self, caller: &Caller) -> Result<String, jsonwebtoken::errors::Error> {
        let now = i64::try_from(jsonwebtoken::get_current_timestamp()).unwrap_or_default();
        self.sign_until(caller, now + LIFETIME_SECONDS)
    }

    fn sign_until(&self, caller: &Caller, exp: i64) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            exp,
            caller: caller.clone(),
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.signing)
    }

    /// The caller of a token.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn verify(&self, token: &str) -> Result<Caller, TokenError> {
        jsonwebtoken::decode::<Claims>(token, &self.checking, &Validation::new(Algorithm::HS256))
            .map(|token| token.claims.caller)
            .map_err(|error| match error.kind() {
                ErrorKind::InvalidSignature => TokenError::Signature,
                ErrorKind::ExpiredSignature => TokenError::Expired,
                _ => TokenError::Unreadable,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(secret: &str) -> CallerKey {
        CallerKey::new(&SecretString::from(secret)).unwrap()
    }

    #[test]
    fn a_token_says_who_calls() {
        let key = key("0123456789abcdef0123456789abcdef");
        let caller = Caller::Service {
            name: "ordering".into(),
        };
        assert_eq!(key.verify(&key.sign(&caller).unwrap()), Ok(caller));
    }

    #[test]
    fn a_token_that_is_not_taken_says_why() {
        let key = |secret: &str| key(&format!("{secret}-0123456789abcdef0123456789abcdef"));
        let (own, caller) = (key("own"), Caller::Service { name: "x".into() });
        let tokens = [
            (key("another").sign(&caller).unwrap(), TokenError::Signature),
            // Long before any difference of clocks that is let pass.
            (
                own.sign_until(&caller, 1_000_000_000).unwrap(),
                TokenError::Expired,
            ),
            ("a.b.c".to_owned(), TokenError::Unreadable),
            (String::new(), TokenError::Unreadable),
        ];
        for (token, why) in tokens {
            assert_eq!(own.verify(&token), Err(why));
            assert_eq!(
                ServiceError::from_status(&ServiceError::from(why).into()),
                ServiceError::internal()
            );
        }
    }

    #[test]
    fn a_short_secret_is_refused() {
        assert!(CallerKey::new(&SecretString::from("short")).is_err());
    }

    #[test]
    fn a_store_speaks_for_its_stores_only() {
        let at = jiff::Timestamp::UNIX_EPOCH;
        let (own, foreign) = (StoreId::new(at), StoreId::new(at));
        let caller = Caller::Store {
            credential: CredentialId::new(at),
            stores: Some(vec![own]),
        };
        assert!(caller.store(own).is_ok() && caller.store(foreign).is_err() && caller.consumer().is_err());
    }
}
