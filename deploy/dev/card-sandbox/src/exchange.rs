//! One request from its headers to its answer: who calls, the idempotency key, the faults, the effect.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use serde_json::Value;

use crate::call::{Access, Call, Caller, Operation};
use crate::cut::Line;
use crate::expand::expand;
use crate::faults::Kind;
use crate::form::Form;
use crate::idempotency::{Answer, Use};
use crate::refusal::Refusal;
use crate::sandbox::Sandbox;

const BODY_LIMIT: usize = 1024 * 1024;

/// Answers one request with an operation. The work runs on a task of its own, so that it is finished even when the
/// caller hangs up, as it would be at the provider.
pub async fn answer(
    State(sandbox): State<Arc<Sandbox>>,
    ConnectInfo(line): ConnectInfo<Line>,
    ids: RawPathParams,
    request: Request,
    access: Access,
    operation: Operation,
) -> Response {
    let ids = ids.iter().map(|(_, id)| id.to_owned()).collect();
    let (parts, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, BODY_LIMIT).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let exchange = Exchange {
        sandbox: Arc::clone(&sandbox),
        line,
        parts,
        body,
        ids,
    };
    match sandbox.tasks.spawn(exchange.run(access, operation)).await {
        Ok(response) => response,
        Err(error) => {
            tracing::error!(%error, "an operation panicked");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

struct Exchange {
    sandbox: Arc<Sandbox>,
    line: Line,
    parts: Parts,
    body: Bytes,
    ids: Vec<String>,
}

impl Exchange {
    async fn run(self, access: Access, operation: Operation) -> Response {
        let request = self.sandbox.change(|books| books.mint("req"));
        let method = self.parts.method.clone();
        let path = self.parts.uri.path().to_owned();
        let answer = match self.attempt(&request, access, operation).await {
            Ok(Outcome::Answered(status, body)) => Reply::new(status, body),
            Ok(Outcome::Replayed(earlier)) => Reply::replay(*earlier),
            Ok(Outcome::Cut) => Reply::new(StatusCode::INTERNAL_SERVER_ERROR, Value::Null),
            Err(refusal) => Reply::new(refusal.status, refusal.body()),
        };
        tracing::info!(%method, path, status = answer.status.as_u16(), request, replayed = answer.original.is_some());
        answer.respond(&request, key_of(&self.parts.headers))
    }

    async fn attempt(&self, request: &str, access: Access, operation: Operation) -> Result<Outcome, Refusal> {
        let form = self.form();
        let caller = self.caller(&form)?;
        if access == Access::Servers && caller == Caller::Browser {
            return Err(Refusal::secret_key_required());
        }
        let (method, path) = (self.parts.method.as_str(), self.parts.uri.path());
        let key = key_of(&self.parts.headers).filter(|_| self.parts.method == Method::POST);
        let usage = key.map(|key| Use::new(key, format!("{method} {path}"), &form.canonical()));
        let _claim = usage
            .as_ref()
            .map(|usage| self.sandbox.running.claim(&usage.key))
            .transpose()?;

        let strike = self.sandbox.faults.strike(method, path);
        if let Some(delay) = strike.delay {
            tokio::time::sleep(delay).await;
        }
        if strike.of(Kind::CutBefore).is_some() {
            self.line.cut();
            return Ok(Outcome::Cut);
        }
        let cause = self
            .sandbox
            .cause(Some(request.to_owned()), key.map(ToOwned::to_owned));
        let call = Call {
            caller,
            ids: self.ids.clone(),
            path: path.to_owned(),
            form,
            cause,
        };
        let outcome = self.effect(usage, &call, request, |books| match strike.of(Kind::Error) {
            Some(status) => Err(Refusal::fault(status)),
            None => match (operation(books, &call), strike.of(Kind::ErrorAfter)) {
                (_, Some(status)) => Err(Refusal::fault(status)),
                (result, None) => result,
            },
        });
        if strike.of(Kind::CutAfter).is_some() {
            self.line.cut();
        }
        outcome
    }

    /// Runs the operation and keeps its answer under the key, in one entry of the journal.
    fn effect(
        &self,
        usage: Option<Use>,
        call: &Call,
        request: &str,
        operation: impl FnOnce(&mut crate::books::Books) -> Result<Value, Refusal>,
    ) -> Result<Outcome, Refusal> {
        self.sandbox.change(|books| {
            if let Some(usage) = &usage
                && let Some(earlier) = usage.earlier(books, call.cause.now_ms)?
            {
                return Ok(Outcome::Replayed(Box::new(earlier)));
            }
            let (status, body) = match operation(books) {
                Ok(mut body) => {
                    expand(books, &mut body, &call.form.texts("expand"));
                    (StatusCode::OK, body)
                }
                Err(refusal) if refusal.executed => (refusal.status, refusal.body()),
                Err(refusal) => return Err(refusal),
            };
            if let Some(usage) = usage {
                books.put(usage.answered(status, body.clone(), request.to_owned(), call.cause.now_ms));
            }
            Ok(Outcome::Answered(status, body))
        })
    }

    /// Parameters of the query and of the body together.
    fn form(&self) -> Form {
        let mut encoded = self.parts.uri.query().unwrap_or_default().as_bytes().to_vec();
        if !self.body.is_empty() {
            if !encoded.is_empty() {
                encoded.push(b'&');
            }
            encoded.extend_from_slice(&self.body);
        }
        Form::parse(&encoded)
    }

    fn caller(&self, form: &Form) -> Result<Caller, Refusal> {
        let given = credentials(&self.parts.headers).or_else(|| form.owned("key")).ok_or_else(|| {
            Refusal::unauthenticated(
                "You did not provide an API key. You need to provide your API key in the Authorization header, \
                 using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
            )
        })?;
        if given == self.sandbox.config.secret_key {
            Ok(Caller::Server)
        } else if given == self.sandbox.config.publishable_key {
            Ok(Caller::Browser)
        } else {
            Err(Refusal::unauthenticated("Invalid API Key provided."))
        }
    }
}

enum Outcome {
    Answered(StatusCode, Value),
    Replayed(Box<Answer>),
    Cut,
}

/// What goes back, with the headers that the provider sends.
struct Reply {
    status: StatusCode,
    body: Value,
    original: Option<String>,
}

impl Reply {
    fn new(status: StatusCode, body: Value) -> Self {
        Self {
            status,
            body,
            original: None,
        }
    }

    fn replay(earlier: Answer) -> Self {
        Self {
            status: earlier.status(),
            body: earlier.body,
            original: Some(earlier.request),
        }
    }

    fn respond(self, request: &str, key: Option<&str>) -> Response {
        let mut response = (self.status, axum::Json(self.body)).into_response();
        let headers = response.headers_mut();
        let mut say = |name: &'static str, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(name, value);
            }
        };
        say("request-id", request);
        say("stripe-version", crate::API_VERSION);
        if let Some(key) = key {
            say("idempotency-key", key);
        }
        if let Some(original) = &self.original {
            say("idempotent-replayed", "true");
            say("original-request", original);
        }
        response
    }
}

fn key_of(headers: &HeaderMap) -> Option<&str> {
    headers
        .get("idempotency-key")
        .and_then(|key| key.to_str().ok())
        .filter(|key| !key.is_empty())
}

/// The key of a bearer header, or the user name of a basic one.
fn credentials(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    if let Some(token) = value.strip_prefix("Bearer ") {
        return Some(token.trim().to_owned());
    }
    let decoded = base64::engine::general_purpose::STANDARD
        .decode(value.strip_prefix("Basic ")?)
        .ok()?;
    let pair = String::from_utf8(decoded).ok()?;
    pair.split(':').next().map(ToOwned::to_owned)
}
