//! What an operation of the API is given.

use serde_json::Value;

use crate::books::Books;
use crate::form::Form;
use crate::refusal::Refusal;

/// An operation of the API: it may change the books, and answers with an object or refuses.
pub type Operation = fn(&mut Books, &Call) -> Result<Value, Refusal>;

/// Who calls.
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
    /// Browsers too; what they may see or confirm is guarded by client secrets.
    Everyone,
}

/// Why something happens: carried into events and times.
#[derive(Debug, Clone, Default)]
pub struct Cause {
    pub now_ms: i64,
    pub request: Option<String>,
    pub idempotency_key: Option<String>,
    /// Where the sandbox's own pages are reached.
    pub origin: String,
    /// How long bank debits take from here on.
    pub settle_after_ms: i64,
}

impl Cause {
    /// The present in whole seconds, as the API counts.
    pub fn now(&self) -> i64 {
        self.now_ms / 1000
    }
}

/// One request, decoded.
#[derive(Debug, Clone)]
pub struct Call {
    pub caller: Caller,
    /// The ids in the path, from left to right.
    pub ids: Vec<String>,
    pub path: String,
    pub form: Form,
    pub cause: Cause,
}

impl Call {
    /// The first id in the path.
    pub fn id(&self) -> &str {
        self.ids.first().map_or("", String::as_str)
    }

    /// A browser must prove by the client secret that the object is its own.
    ///
    /// # Errors
    /// When a browser does not know the secret.
    pub fn check_client_secret(&self, secret: &str) -> Result<(), Refusal> {
        match (self.caller, self.form.text("client_secret")) {
            (Caller::Server, None) => Ok(()),
            (_, Some(given)) if given == secret => Ok(()),
            (Caller::Browser, None) => Err(Refusal::parameter(
                "parameter_missing",
                "client_secret",
                "Missing required param: client_secret.",
            )),
            (_, Some(_)) => Err(Refusal::invalid(
                "The client_secret provided does not match any associated object.",
            )
            .with("param", "client_secret")),
        }
    }
}
