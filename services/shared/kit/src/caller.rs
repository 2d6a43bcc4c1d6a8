//! Caller tokens: the caller of each call between processes, signed with a secret that all processes share. The type of
//! the caller is the product's.
//!
//! A rejected token is a deployment error, not a sign-in problem. It has its own reason
//! ([`CALLER_TOKEN_INVALID`]) and becomes an internal error in the process that made the call.

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, errors::ErrorKind};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::service_error::{CALLER_TOKEN_INVALID, ErrorCode, ServiceError};

/// Lifetime of a token. Longer than any call, and than the clock difference between the machines of one deployment.
const LIFETIME_SECONDS: i64 = 60;

/// Reasons why a caller token is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("missing caller token")]
    Missing,
    #[error("caller token was signed with a different CALLER_SECRET")]
    Signature,
    #[error("caller token has expired; check the clocks of the machines")]
    Expired,
    #[error("malformed caller token")]
    Malformed,
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
struct Claims<C> {
    exp: i64,
    caller: C,
}

/// Signs and verifies caller tokens.
#[derive(Clone)]
pub struct CallerKey {
    encoding: EncodingKey,
    decoding: DecodingKey,
}

impl std::fmt::Debug for CallerKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("CallerKey")
    }
}

#[derive(Debug, Deserialize)]
struct Config {
    caller_secret: SecretString,
}

impl CallerKey {
    /// Reads the key from the setting `CALLER_SECRET`.
    ///
    /// # Errors
    /// The secret is missing or shorter than 32 bytes.
    pub fn from_config(source: &crate::config::Source) -> anyhow::Result<Self> {
        let config: Config = source.read()?;
        Self::new(&config.caller_secret)
    }

    /// # Errors
    /// The secret is shorter than 32 bytes.
    pub fn new(secret: &SecretString) -> anyhow::Result<Self> {
        let bytes = secret.expose_secret().as_bytes();
        anyhow::ensure!(
            bytes.len() >= 32,
            "bad configuration: CALLER_SECRET: expected at least 32 bytes"
        );
        Ok(Self {
            encoding: EncodingKey::from_secret(bytes),
            decoding: DecodingKey::from_secret(bytes),
        })
    }

    /// Creates a token for the caller.
    pub fn sign<C: Serialize>(&self, caller: &C) -> Result<String, jsonwebtoken::errors::Error> {
        let now = i64::try_from(jsonwebtoken::get_current_timestamp()).unwrap_or_default();
        self.sign_until(caller, now + LIFETIME_SECONDS)
    }

    fn sign_until<C: Serialize>(&self, caller: &C, exp: i64) -> Result<String, jsonwebtoken::errors::Error> {
        jsonwebtoken::encode(
            &Header::new(Algorithm::HS256),
            &Claims { exp, caller },
            &self.encoding,
        )
    }

    /// Returns the caller in a token.
    pub fn verify<C: DeserializeOwned>(&self, token: &str) -> Result<C, TokenError> {
        jsonwebtoken::decode::<Claims<C>>(token, &self.decoding, &Validation::new(Algorithm::HS256))
            .map(|token| token.claims.caller)
            .map_err(|error| match error.kind() {
                ErrorKind::InvalidSignature => TokenError::Signature,
                ErrorKind::ExpiredSignature => TokenError::Expired,
                _ => TokenError::Malformed,
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
    fn a_verified_token_returns_the_signed_caller() {
        let key = key("0123456789abcdef0123456789abcdef");
        let caller = "ordering".to_owned();
        assert_eq!(key.verify(&key.sign(&caller).unwrap()), Ok(caller));
    }

    #[test]
    fn an_invalid_token_is_rejected_with_its_cause() {
        let key = |secret: &str| key(&format!("{secret}-0123456789abcdef0123456789abcdef"));
        let own = key("own");
        let tokens = [
            (key("another").sign(&"x").unwrap(), TokenError::Signature),
            // Expired for longer than the leeway for clock differences.
            (own.sign_until(&"x", 1_000_000_000).unwrap(), TokenError::Expired),
            ("a.b.c".to_owned(), TokenError::Malformed),
            (String::new(), TokenError::Malformed),
        ];
        for (token, cause) in tokens {
            assert_eq!(own.verify::<String>(&token), Err(cause));
            assert_eq!(
                ServiceError::from_status(&ServiceError::from(cause).into()),
                ServiceError::internal()
            );
        }
    }

    #[test]
    fn a_short_secret_is_rejected() {
        assert!(CallerKey::new(&SecretString::from("short")).is_err());
    }
}
