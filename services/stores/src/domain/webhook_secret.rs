//! Secrets that sign webhooks, and the signature of the Standard Webhooks specification.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD};
use jiff::Timestamp;
use rand::Rng;
use standardwebhooks::Webhook;

pub(crate) const SECRET_BYTES: usize = 32;

#[derive(Clone)]
pub struct WebhookSecret(Vec<u8>);

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("WebhookSecret")
    }
}

impl WebhookSecret {
    pub(crate) fn generate(rng: &mut impl Rng) -> Self {
        let mut bytes = vec![0; SECRET_BYTES];
        rng.fill_bytes(&mut bytes);
        Self(bytes)
    }

    pub(crate) const fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the secret as the libraries of the specification expect it.
    #[must_use]
    pub fn expose(&self) -> String {
        format!("whsec_{}", BASE64_STANDARD.encode(&self.0))
    }
}

/// Returns the header `webhook-signature`: one signature for each secret.
pub(crate) fn signatures(
    secrets: &[WebhookSecret],
    webhook_id: &str,
    sent_at: Timestamp,
    payload: &str,
) -> Result<String, standardwebhooks::WebhookError> {
    let signatures = secrets.iter().map(|secret| {
        Webhook::from_bytes(secret.0.clone())?.sign(webhook_id, sent_at.as_second(), payload.as_bytes())
    });
    Ok(signatures.collect::<Result<Vec<_>, _>>()?.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_specification_has_its_signature() {
        let bytes = BASE64_STANDARD
            .decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
            .unwrap();
        let secret = WebhookSecret::from_bytes(bytes);
        assert_eq!(secret.expose(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let sent_at = Timestamp::from_second(1_614_265_330).unwrap();
        let signature = signatures(
            &[secret],
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            sent_at,
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(
            signature.unwrap(),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }

    #[test]
    fn secrets_are_not_logged() {
        let secret = WebhookSecret::generate(&mut rand::rng());
        assert_eq!(format!("{secret:?}"), "WebhookSecret");
    }
}
