//! Errors in the provider's format: `{"error": {"type", "code", "message", "param", …}}`.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use crate::faults::Failure;

/// An error response.
#[derive(Debug, Clone)]
pub struct ApiError {
    pub status: StatusCode,
    fields: Map<String, Value>,
    /// Whether the operation began. Only then is the response stored under the idempotency key.
    pub executed: bool,
}

impl ApiError {
    fn new(status: StatusCode, error_type: &str, message: impl Into<String>) -> Self {
        let mut fields = Map::new();
        fields.insert("type".into(), json!(error_type));
        fields.insert("message".into(), json!(message.into()));
        Self {
            status,
            fields,
            executed: true,
        }
    }

    fn not_executed(self) -> Self {
        Self {
            executed: false,
            ..self
        }
    }

    /// Adds a field to the error object.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(field.into(), value.into());
        self
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message)
    }

    /// A missing or malformed parameter, found before the operation began.
    pub fn parameter(code: &str, path: &str, message: impl Into<String>) -> Self {
        Self::invalid(message)
            .with("code", code)
            .with("param", with_brackets(path))
            .not_executed()
    }

    /// The path contains the id of an object that does not exist.
    pub fn missing(object: &str, id: &str, param: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "invalid_request_error",
            format!("No such {object}: '{id}'"),
        )
        .with("code", "resource_missing")
        .with("param", param)
    }

    /// A parameter contains the id of an object that does not exist.
    pub fn missing_reference(object: &str, id: &str, param: &str) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            ..Self::missing(object, id, param)
        }
    }

    /// The card issuer or bank declined.
    pub fn card(code: &str, decline_code: Option<&str>, message: &str) -> Self {
        let error = Self::new(StatusCode::PAYMENT_REQUIRED, "card_error", message)
            .with("code", code)
            .with(
                "doc_url",
                format!("https://stripe.com/docs/error-codes/{}", code.replace('_', "-")),
            );
        match decline_code {
            Some(decline_code) => error.with("decline_code", decline_code),
            None => error,
        }
    }

    /// The object's status does not allow the operation.
    pub fn unexpected_state(code: &str, message: String) -> Self {
        Self::invalid(message).with("code", code)
    }

    /// The API key is missing or unknown.
    pub fn unauthenticated(message: &str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "invalid_request_error", message).not_executed()
    }

    /// A browser called an operation for servers.
    pub fn secret_key_required() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "invalid_request_error",
            "This API call cannot be made with a publishable API key. Please use a secret API key.",
        )
        .with("code", "secret_key_required")
        .not_executed()
    }

    /// The idempotency key was first used for another request.
    pub fn key_mismatch(message: String) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "idempotency_error", message).not_executed()
    }

    /// Another request with the same idempotency key is in progress.
    pub fn key_in_use(key: &str) -> Self {
        Self::new(
            StatusCode::CONFLICT,
            "invalid_request_error",
            format!(
                "There is currently another in-progress request using this Idempotent Key (that probably \
                 means you submitted twice, and the other request is still going through): {key}. \
                 Please try again later."
            ),
        )
        .with("code", "idempotency_key_in_use")
        .not_executed()
    }

    /// An injected fault. As at the provider, 401, 403, 429 and 503 reject the request before it executes.
    pub fn injected(failure: &Failure) -> Self {
        let status = failure.status;
        let error_type = if status.is_server_error() {
            "api_error"
        } else {
            "invalid_request_error"
        };
        let message = "A fault injected into the sandbox failed this request.";
        let error = Self {
            executed: !matches!(
                status,
                StatusCode::UNAUTHORIZED
                    | StatusCode::FORBIDDEN
                    | StatusCode::TOO_MANY_REQUESTS
                    | StatusCode::SERVICE_UNAVAILABLE
            ),
            ..Self::new(status, error_type, message)
        };
        match &failure.code {
            Some(code) => error.with("code", code.as_str()),
            None => error,
        }
    }

    pub fn unknown_path(method: &str, path: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "invalid_request_error",
            format!("Unrecognized request URL ({method}: {path})."),
        )
        .not_executed()
    }

    /// Returns the error object, which `last_payment_error` contains too.
    pub fn object(&self) -> Value {
        Value::Object(self.fields.clone())
    }

    /// Returns the body of the response.
    pub fn body(&self) -> Value {
        json!({ "error": self.fields })
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, axum::Json(self.body())).into_response()
    }
}

/// Returns the provider's notation of a path: `card[number]` for `card.number`.
fn with_brackets(path: &str) -> String {
    let mut parts = path.split('.');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| format!("{name}[{part}]"))
}
