//! Errors in the provider's shape: `{"error": {"type", "code", "message", "param", …}}`.

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

/// A request that is answered with an error.
#[derive(Debug, Clone)]
pub struct Refusal {
    pub status: StatusCode,
    body: Map<String, Value>,
    /// Whether an endpoint had begun to execute. Only then is the answer kept under the idempotency key.
    pub executed: bool,
}

impl Refusal {
    fn new(status: StatusCode, kind: &str, message: impl Into<String>) -> Self {
        let mut body = Map::new();
        body.insert("type".into(), json!(kind));
        body.insert("message".into(), json!(message.into()));
        Self {
            status,
            body,
            executed: true,
        }
    }

    /// Says which field of the error's body holds what.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.body.insert(field.into(), value.into());
        self
    }

    /// A request that makes no sense as it stands.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message)
    }

    /// A parameter that is missing or cannot be read; found before anything executes.
    pub fn parameter(code: &str, path: &str, message: impl Into<String>) -> Self {
        let mut refusal = Self::invalid(message)
            .with("code", code)
            .with("param", bracketed(path));
        refusal.executed = false;
        refusal
    }

    /// No object of that id.
    pub fn missing(what: &str, id: &str, param: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "invalid_request_error",
            format!("No such {what}: '{id}'"),
        )
        .with("code", "resource_missing")
        .with("param", param)
    }

    /// A parameter that names an object that is not there: a bad request rather than a missing page.
    pub fn names_missing(what: &str, id: &str, param: &str) -> Self {
        let mut refusal = Self::missing(what, id, param);
        refusal.status = StatusCode::BAD_REQUEST;
        refusal
    }

    /// The card or bank said no.
    pub fn card(code: &str, decline_code: Option<&str>, message: &str) -> Self {
        let refusal = Self::new(StatusCode::PAYMENT_REQUIRED, "card_error", message)
            .with("code", code)
            .with(
                "doc_url",
                format!("https://stripe.com/docs/error-codes/{}", code.replace('_', "-")),
            );
        match decline_code {
            Some(decline_code) => refusal.with("decline_code", decline_code),
            None => refusal,
        }
    }

    /// An object that is not in a state that allows this.
    pub fn unexpected_state(code: &str, message: String) -> Self {
        Self::invalid(message).with("code", code)
    }

    /// No key, or one that is not ours.
    pub fn unauthenticated(message: &str) -> Self {
        let mut refusal = Self::new(StatusCode::UNAUTHORIZED, "invalid_request_error", message);
        refusal.executed = false;
        refusal
    }

    /// A browser's key where only a server's will do.
    pub fn secret_key_required() -> Self {
        let mut refusal = Self::new(
            StatusCode::FORBIDDEN,
            "invalid_request_error",
            "This API call cannot be made with a publishable API key. Please use a secret API key.",
        )
        .with("code", "secret_key_required");
        refusal.executed = false;
        refusal
    }

    /// The idempotency key was first used for something else.
    pub fn key_mismatch(message: String) -> Self {
        let mut refusal = Self::new(StatusCode::BAD_REQUEST, "idempotency_error", message);
        refusal.executed = false;
        refusal
    }

    /// Another request with the same idempotency key is running.
    pub fn key_in_use(key: &str) -> Self {
        let mut refusal = Self::new(
            StatusCode::CONFLICT,
            "invalid_request_error",
            format!(
                "There is currently another in-progress request using this Idempotent Key (that probably \
                 means you submitted twice, and the other request is still going through): {key}. \
                 Please try again later."
            ),
        )
        .with("code", "idempotency_key_in_use");
        refusal.executed = false;
        refusal
    }

    /// A fault that was switched on. 429 and 503 turn the request away before it executes.
    pub fn fault(status: StatusCode) -> Self {
        let mut refusal = Self::new(status, "api_error", "The sandbox was told to fail this request.");
        refusal.executed = !matches!(
            status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
        );
        refusal
    }

    /// An unknown path.
    pub fn unrecognized(method: &str, path: &str) -> Self {
        let mut refusal = Self::new(
            StatusCode::NOT_FOUND,
            "invalid_request_error",
            format!("Unrecognized request URL ({method}: {path})."),
        );
        refusal.executed = false;
        refusal
    }

    /// The error as an object, as it also stands in `last_payment_error`.
    pub fn error(&self) -> Value {
        Value::Object(self.body.clone())
    }

    /// The whole answer's body.
    pub fn body(&self) -> Value {
        json!({ "error": self.body })
    }
}

/// `card.number` as the provider writes it: `card[number]`.
fn bracketed(path: &str) -> String {
    let mut parts = path.split('.');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| format!("{name}[{part}]"))
}
