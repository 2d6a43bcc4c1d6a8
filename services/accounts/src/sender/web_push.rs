//! Web Push to browsers (RFC 8030) with encrypted content (RFC 8291) and this server's key (VAPID, RFC 8292).

use std::time::Duration;

use anyhow::Context as _;
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use jiff::Timestamp;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::{RequestBuilder, Url};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest as _, Sha256};
use web_push_native::{
    Auth, WebPushBuilder,
    p256::{PublicKey, SecretKey, elliptic_curve::sec1::ToEncodedPoint as _, pkcs8::EncodePrivateKey as _},
};

use super::{SEND_TIMEOUT, push_message::PushMessage};

/// Push services accept tokens for up to 24 hours.
const TOKEN_LIFETIME: Duration = Duration::from_hours(12);
/// Maximum length of a topic.
const TOPIC_CHARS: usize = 32;

pub(super) struct WebPush {
    client: reqwest::Client,
    signing_key: EncodingKey,
    public_key: String,
    /// A `mailto:` or `https:` URL, for the operators of push services.
    subject: String,
}

impl std::fmt::Debug for WebPush {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("WebPush")
            .field("public_key", &self.public_key)
            .finish_non_exhaustive()
    }
}

#[derive(serde::Serialize)]
struct Claims<'a> {
    aud: String,
    exp: i64,
    sub: &'a str,
}

impl WebPush {
    /// # Errors
    /// The key is not 32 bytes in base64url.
    pub(super) fn new(private_key: &SecretString, subject: String) -> anyhow::Result<Self> {
        let invalid = "bad configuration: VAPID_PRIVATE_KEY: expected a key of 32 bytes in base64url";
        let bytes = BASE64_URL_SAFE_NO_PAD
            .decode(private_key.expose_secret().trim_end_matches('='))
            .map_err(|_| anyhow::anyhow!(invalid))?;
        let key = SecretKey::from_slice(&bytes).map_err(|_| anyhow::anyhow!(invalid))?;
        let point = key.public_key().to_encoded_point(false);
        let der = key.to_pkcs8_der().map_err(|_| anyhow::anyhow!(invalid))?;
        kit::tls::install_provider();
        Ok(Self {
            // A push service that redirects could lead to an address of the internal network.
            client: reqwest::Client::builder()
                .timeout(SEND_TIMEOUT)
                .redirect(reqwest::redirect::Policy::none())
                .build()?,
            signing_key: EncodingKey::from_ec_der(der.as_bytes()),
            public_key: BASE64_URL_SAFE_NO_PAD.encode(point.as_bytes()),
            subject,
        })
    }

    pub(super) fn public_key(&self) -> &str {
        &self.public_key
    }

    /// # Errors
    /// The subscription is invalid.
    pub(super) fn request(
        &self,
        endpoint: &str,
        p256dh: &[u8],
        auth: &[u8],
        message: &PushMessage,
        now: Timestamp,
    ) -> anyhow::Result<RequestBuilder> {
        let url = Url::parse(endpoint).context("endpoint")?;
        let point = PublicKey::from_sec1_bytes(p256dh).map_err(|_| anyhow::anyhow!("invalid key"))?;
        let auth: [u8; 16] = auth.try_into().context("invalid secret")?;
        let encrypted = WebPushBuilder::new(endpoint.parse()?, point, Auth::from(auth))
            .with_valid_duration(Duration::from_secs(message.seconds_to_live))
            .build(serde_json::to_vec(message)?)?;
        let (parts, body) = encrypted.into_parts();
        Ok(self
            .client
            .post(url.clone())
            .headers(parts.headers)
            .header("urgency", "high")
            .header("topic", topic(&message.id))
            .header("authorization", self.authorization(&url, now)?)
            .body(body))
    }

    fn authorization(&self, endpoint: &Url, now: Timestamp) -> anyhow::Result<String> {
        let claims = Claims {
            aud: endpoint.origin().ascii_serialization(),
            exp: (now + TOKEN_LIFETIME).as_second(),
            sub: &self.subject,
        };
        let token = jsonwebtoken::encode(&Header::new(Algorithm::ES256), &claims, &self.signing_key)?;
        Ok(format!("vapid t={token}, k={}", self.public_key))
    }
}

/// The push service replaces a message that it has not delivered with one of the same topic.
fn topic(id: &str) -> String {
    let mut topic = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(id));
    topic.truncate(TOPIC_CHARS);
    topic
}
