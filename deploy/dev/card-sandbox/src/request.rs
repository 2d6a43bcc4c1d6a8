//! A decoded request to the API, and the context of the changes that it makes.

use crate::api_error::ApiError;
use crate::form::Form;

/// The kind of a request's API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A server, with the secret key.
    Server,
    /// A browser, with the publishable key.
    Browser,
}

/// Who may call an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Servers,
    /// Browsers too. Client secrets limit what they can read or confirm.
    Everyone,
}

/// The time and origin of a change. Without a request, the sandbox itself makes the change.
#[derive(Debug, Clone, Default)]
pub struct RequestContext {
    pub now_ms: i64,
    pub request_id: Option<String>,
    pub idempotency_key: Option<String>,
    /// The origin under which browsers load the sandbox's pages.
    pub origin: String,
    /// How long a bank debit that starts now stays in processing.
    pub settle_after_ms: i64,
}

impl RequestContext {
    /// Returns the current time in whole seconds, the unit of the API.
    pub fn now(&self) -> i64 {
        self.now_ms / 1000
    }
}

#[derive(Debug, Clone)]
pub struct ApiRequest {
    pub caller: Caller,
    /// The ids in the path, from left to right.
    pub ids: Vec<String>,
    pub path: String,
    pub form: Form,
    pub context: RequestContext,
}

impl ApiRequest {
    /// Returns the first id in the path.
    pub fn id(&self) -> &str {
        self.ids.first().map_or("", String::as_str)
    }

    /// Checks that a browser knows the client secret of the object. Servers may omit it.
    pub fn check_client_secret(&self, secret: &str) -> Result<(), ApiError> {
        match (self.caller, self.form.text("client_secret")) {
            (Caller::Server, None) => Ok(()),
            (_, Some(given)) if given == secret => Ok(()),
            (Caller::Browser, None) => Err(ApiError::parameter(
                "parameter_missing",
                "client_secret",
                "Missing required param: client_secret.",
            )),
            (_, Some(_)) => Err(ApiError::invalid(
                "The client_secret provided does not match any associated object.",
            )
            .with("param", "client_secret")),
        }
    }
}
