//! Caller tokens: they contain the caller of a call between processes and the called process, and are signed with a
//! secret that all processes share. The caller's type is a parameter, defined by the product.
//!
//! A rejected token is a deployment error, not a sign-in problem. It has a separate reason ([`CALLER_TOKEN_INVALID`])
//! and becomes an internal error in the process that made the call.

use std::sync::Arc;

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, errors::ErrorKind};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::service_error::{CALLER_TOKEN_INVALID, ErrorCode, ServiceError};

/// Lifetime of a token. Longer than any call, and longer than the clock difference between the machines of a
/// deployment.
const LIFETIME_SECONDS: i64 = 60;
const ALGORITHM: Algorithm = Algorithm::HS256;

/// Reasons why a caller token is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("missing caller token")]
    Missing,
    #[error("caller token was signed with a different CALLER_SECRET")]
    Signature,
    #[error("caller token has expired; check the clocks of the machines")]
    Expired,
    #[error("caller token is for another service")]
    Audience,
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

#[derive(Serialize)]
struct Claims<'a, C> {
    exp: i64,
    /// Name of the called process.
    aud: &'a str,
    caller: C,
}

#[derive(Deserialize)]
struct VerifiedClaims<C> {
    caller: C,
}

/// Signs caller tokens, and creates the verifier of a process.
#[derive(Clone)]
pub struct CallerKey(Arc<Secrets>);

struct Secrets {
    signing: EncodingKey,
    accepted: Vec<DecodingKey>,
}

impl std::fmt::Debug for CallerKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("CallerKey")
    }
}

#[derive(Debug, Deserialize)]
struct Config {
    caller_secret: SecretString,
    /// A second secret. Tokens signed with it are accepted: the next or the previous secret during a rotation.
    #[serde(default)]
    caller_secret_accepted: SecretString,
}

impl CallerKey {
    /// Reads the secrets from the settings `CALLER_SECRET` and `CALLER_SECRET_ACCEPTED`. The second one is optional.
    ///
    /// # Errors
    /// The secret is missing, or one of them is shorter than 32 bytes.
    pub fn from_config(source: &crate::config::Source) -> anyhow::Result<Self> {
        let config: Config = source.read()?;
        let key = Self::new(&config.caller_secret)?;
        if config.caller_secret_accepted.expose_secret().is_empty() {
            return Ok(key);
        }
        key.accepting(&config.caller_secret_accepted)
    }

    /// # Errors
    /// The secret is shorter than 32 bytes.
    pub fn new(secret: &SecretString) -> anyhow::Result<Self> {
        let bytes = secret_bytes("CALLER_SECRET", secret)?;
        Ok(Self(Arc::new(Secrets {
            signing: EncodingKey::from_secret(bytes),
            accepted: vec![DecodingKey::from_secret(bytes)],
        })))
    }

    /// Accepts tokens that were signed with a second secret.
    ///
    /// # Errors
    /// The secret is shorter than 32 bytes.
    pub fn accepting(&self, secret: &SecretString) -> anyhow::Result<Self> {
        let second = DecodingKey::from_secret(secret_bytes("CALLER_SECRET_ACCEPTED", secret)?);
        let mut accepted = self.0.accepted.clone();
        accepted.push(second);
        Ok(Self(Arc::new(Secrets {
            signing: self.0.signing.clone(),
            accepted,
        })))
    }

    /// Creates a token for a call of `caller` to the process named `callee`.
    pub fn sign<C: Serialize>(
        &self,
        caller: &C,
        callee: &str,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let now = i64::try_from(jsonwebtoken::get_current_timestamp()).unwrap_or_default();
        self.sign_until(caller, callee, now + LIFETIME_SECONDS)
    }

    fn sign_until<C: Serialize>(
        &self,
        caller: &C,
        callee: &str,
        exp: i64,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            exp,
            aud: callee,
            caller,
        };
        jsonwebtoken::encode(&Header::new(ALGORITHM), &claims, &self.0.signing)
    }

    /// Creates the verifier of the process named `callee`.
    #[must_use]
    pub fn verifier(&self, callee: &str) -> TokenVerifier {
        let mut validation = Validation::new(ALGORITHM);
        validation.set_required_spec_claims(&["exp", "aud"]);
        validation.set_audience(&[callee]);
        TokenVerifier(Arc::new(Verifier {
            secrets: Arc::clone(&self.0),
            validation,
        }))
    }
}

fn secret_bytes<'a>(setting: &str, secret: &'a SecretString) -> anyhow::Result<&'a [u8]> {
    let bytes = secret.expose_secret().as_bytes();
    anyhow::ensure!(
        bytes.len() >= 32,
        "bad configuration: {setting}: expected at least 32 bytes"
    );
    Ok(bytes)
}

/// Verifies the tokens of calls to one process.
#[derive(Clone)]
pub struct TokenVerifier(Arc<Verifier>);

struct Verifier {
    secrets: Arc<Secrets>,
    validation: Validation,
}

impl TokenVerifier {
    /// Returns the caller in a token.
    pub fn verify<C: DeserializeOwned>(&self, token: &str) -> Result<C, TokenError> {
        let Verifier { secrets, validation } = self.0.as_ref();
        let mut result = Err(TokenError::Signature);
        for key in &secrets.accepted {
            result = jsonwebtoken::decode::<VerifiedClaims<C>>(token, key, validation)
                .map(|token| token.claims.caller)
                .map_err(|error| match error.kind() {
                    ErrorKind::InvalidSignature => TokenError::Signature,
                    ErrorKind::ExpiredSignature => TokenError::Expired,
                    ErrorKind::InvalidAudience => TokenError::Audience,
                    _ => TokenError::Malformed,
                });
            if result.as_ref().err() != Some(&TokenError::Signature) {
                break;
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(name: &str) -> SecretString {
        format!("{name}-0123456789abcdef0123456789abcdef").into()
    }

    fn key(name: &str) -> CallerKey {
        CallerKey::new(&secret(name)).unwrap()
    }

    #[test]
    fn a_verified_token_returns_the_signed_caller() {
        let (key, caller) = (key("own"), "ordering".to_owned());
        let token = key.sign(&caller, "stores").unwrap();
        assert_eq!(key.verifier("stores").verify(&token), Ok(caller));
    }

    #[test]
    fn an_invalid_token_is_rejected_with_its_cause() {
        let own = key("own");
        let tokens = [
            (
                key("another").sign(&"x", "stores").unwrap(),
                TokenError::Signature,
            ),
            (own.sign(&"x", "payments").unwrap(), TokenError::Audience),
            // Expired for longer than the leeway for clock differences.
            (
                own.sign_until(&"x", "stores", 1_000_000_000).unwrap(),
                TokenError::Expired,
            ),
            ("a.b.c".to_owned(), TokenError::Malformed),
            (String::new(), TokenError::Malformed),
        ];
        for (token, cause) in tokens {
            assert_eq!(own.verifier("stores").verify::<String>(&token), Err(cause));
            assert_eq!(
                ServiceError::from_status(&ServiceError::from(cause).into()),
                ServiceError::internal()
            );
        }
    }

    #[test]
    fn every_step_of_a_rotation_accepts_the_tokens_of_the_previous_step() {
        let steps = [
            key("old"),
            key("old").accepting(&secret("new")).unwrap(),
            key("new").accepting(&secret("old")).unwrap(),
            key("new"),
        ];
        let accepts = |callee: &CallerKey, caller: &CallerKey| {
            let token = caller.sign(&"x", "stores").unwrap();
            callee.verifier("stores").verify::<String>(&token)
        };
        for pair in steps.windows(2) {
            assert_eq!(accepts(&pair[0], &pair[1]), Ok("x".to_owned()));
            assert_eq!(accepts(&pair[1], &pair[0]), Ok("x".to_owned()));
        }
        assert_eq!(accepts(&steps[3], &steps[0]), Err(TokenError::Signature));
    }

    #[test]
    fn a_short_secret_is_rejected() {
        assert!(CallerKey::new(&SecretString::from("short")).is_err());
        assert!(key("own").accepting(&SecretString::from("short")).is_err());
    }

    #[test]
    fn the_second_secret_is_optional() {
        let source = |second: &str| {
            crate::config::Source::from_environment()
                .with("caller_secret", secret("own").expose_secret())
                .with("caller_secret_accepted", second)
        };
        assert!(CallerKey::from_config(&source("")).is_ok());
        assert!(CallerKey::from_config(&source("short")).is_err());
        let key = CallerKey::from_config(&source(secret("other").expose_secret())).unwrap();
        assert_eq!(key.0.accepted.len(), 2);
    }
}
