//! Handles one request of the API: authenticates the caller, applies idempotency and faults, runs the operation.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{self, ConnectInfo, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use serde_json::Value;

use crate::api_error::ApiError;
use crate::connection_reset::ConnectionReset;
use crate::expand::expand;
use crate::faults::FaultKind;
use crate::form::Form;
use crate::idempotency::KeyedRequest;
use crate::objects::StoredResponse;
use crate::request::{Access, ApiRequest, Caller};
use crate::sandbox::Sandbox;
use crate::state::State;

const MAX_BODY_BYTES: usize = 1024 * 1024;

/// An operation of the API. It may change the state, and returns an object of the API.
pub type Operation = fn(&mut State, &ApiRequest) -> Result<Value, ApiError>;

/// Runs an operation. It runs in its own task, so that it completes even if the caller closes the connection, as at the
/// provider.
pub async fn handle(
    extract::State(sandbox): extract::State<Arc<Sandbox>>,
    ConnectInfo(connection): ConnectInfo<ConnectionReset>,
    ids: RawPathParams,
    request: Request,
    access: Access,
    operation: Operation,
) -> Response {
    let ids = ids.iter().map(|(_, id)| id.to_owned()).collect();
    let (parts, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, MAX_BODY_BYTES).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let exchange = HttpExchange {
        sandbox: Arc::clone(&sandbox),
        connection,
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

struct HttpExchange {
    sandbox: Arc<Sandbox>,
    connection: ConnectionReset,
    parts: Parts,
    body: Bytes,
    ids: Vec<String>,
}

impl HttpExchange {
    async fn run(self, access: Access, operation: Operation) -> Response {
        let request_id = self.sandbox.change(|state| state.new_id("req"));
        let method = self.parts.method.clone();
        let path = self.parts.uri.path().to_owned();
        let reply = match self.execute(&request_id, access, operation).await {
            Ok(Outcome::Executed(status, body)) => Reply::new(status, body),
            Ok(Outcome::Replayed(stored)) => Reply::replay(*stored),
            Ok(Outcome::Reset) => Reply::new(StatusCode::INTERNAL_SERVER_ERROR, Value::Null),
            Err(error) => Reply::new(error.status, error.body()),
        };
        tracing::info!(%method, path, status = reply.status.as_u16(), request_id, replayed = reply.replay_of.is_some());
        reply.into_response(&request_id, idempotency_key(&self.parts.headers))
    }

    async fn execute(
        &self,
        request_id: &str,
        access: Access,
        operation: Operation,
    ) -> Result<Outcome, ApiError> {
        let form = self.form();
        let caller = self.caller(&form)?;
        if access == Access::Servers && caller == Caller::Browser {
            return Err(ApiError::secret_key_required());
        }
        let (method, path) = (self.parts.method.as_str(), self.parts.uri.path());
        let key = idempotency_key(&self.parts.headers).filter(|_| self.parts.method == Method::POST);
        let keyed = key.map(|key| KeyedRequest::new(key, format!("{method} {path}"), &form.canonical()));
        let _guard = keyed
            .as_ref()
            .map(|keyed| self.sandbox.keys_in_progress.acquire(&keyed.key))
            .transpose()?;

        let faults = self.sandbox.faults.apply(method, path);
        if let Some(delay) = faults.delay {
            tokio::time::sleep(delay).await;
        }
        if faults.failure(FaultKind::ResetBefore).is_some() {
            self.connection.reset();
            return Ok(Outcome::Reset);
        }
        let request = ApiRequest {
            caller,
            ids: self.ids.clone(),
            path: path.to_owned(),
            form,
            context: self.sandbox.request_context(request_id, key),
        };
        let outcome = self.apply(keyed, &request, request_id, |state| {
            if let Some(failure) = faults.failure(FaultKind::Error) {
                return Err(ApiError::injected(failure));
            }
            let result = operation(state, &request);
            match faults.failure(FaultKind::ErrorAfter) {
                Some(failure) => Err(ApiError::injected(failure)),
                None => result,
            }
        });
        if faults.failure(FaultKind::ResetAfter).is_some() {
            self.connection.reset();
        }
        outcome
    }

    /// Runs the operation and stores its response under the idempotency key, in one journal entry.
    fn apply(
        &self,
        keyed: Option<KeyedRequest>,
        request: &ApiRequest,
        request_id: &str,
        operation: impl FnOnce(&mut State) -> Result<Value, ApiError>,
    ) -> Result<Outcome, ApiError> {
        let now_ms = request.context.now_ms;
        self.sandbox.change(|state| {
            if let Some(keyed) = &keyed
                && let Some(stored) = keyed.stored_response(state, now_ms)?
            {
                return Ok(Outcome::Replayed(Box::new(stored)));
            }
            let (status, body) = match operation(state) {
                Ok(mut body) => {
                    expand(state, &mut body, &request.form.texts("expand"));
                    (StatusCode::OK, body)
                }
                Err(error) if error.executed => (error.status, error.body()),
                Err(error) => return Err(error),
            };
            if let Some(keyed) = keyed {
                state.put(keyed.into_stored_response(status, body.clone(), request_id.to_owned(), now_ms));
            }
            Ok(Outcome::Executed(status, body))
        })
    }

    /// Returns the parameters of the query and the body together.
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

    fn caller(&self, form: &Form) -> Result<Caller, ApiError> {
        let api_key = api_key(&self.parts.headers)
            .or_else(|| form.owned("key"))
            .ok_or_else(|| {
                ApiError::unauthenticated(
                    "You did not provide an API key. You need to provide your API key in the Authorization header, \
                     using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
                )
            })?;
        if api_key == self.sandbox.config.secret_key {
            Ok(Caller::Server)
        } else if api_key == self.sandbox.config.publishable_key {
            Ok(Caller::Browser)
        } else {
            Err(ApiError::unauthenticated("Invalid API Key provided."))
        }
    }
}

enum Outcome {
    Executed(StatusCode, Value),
    /// The stored response of the first request with the same idempotency key.
    Replayed(Box<StoredResponse>),
    /// The connection was reset before the operation.
    Reset,
}

/// A response with the headers that the provider sends.
struct Reply {
    status: StatusCode,
    body: Value,
    /// If this is a stored response, the id of the request that created it.
    replay_of: Option<String>,
}

impl Reply {
    fn new(status: StatusCode, body: Value) -> Self {
        Self {
            status,
            body,
            replay_of: None,
        }
    }

    fn replay(stored: StoredResponse) -> Self {
        Self {
            status: stored.status(),
            body: stored.body,
            replay_of: Some(stored.request),
        }
    }

    fn into_response(self, request_id: &str, idempotency_key: Option<&str>) -> Response {
        let mut response = (self.status, axum::Json(self.body)).into_response();
        let headers = response.headers_mut();
        let mut set = |name: &'static str, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(name, value);
            }
        };
        set("request-id", request_id);
        set("stripe-version", crate::API_VERSION);
        if let Some(key) = idempotency_key {
            set("idempotency-key", key);
        }
        if let Some(replay_of) = &self.replay_of {
            set("idempotent-replayed", "true");
            set("original-request", replay_of);
        }
        response
    }
}

fn idempotency_key(headers: &HeaderMap) -> Option<&str> {
    headers
        .get("idempotency-key")
        .and_then(|key| key.to_str().ok())
        .filter(|key| !key.is_empty())
}

/// Returns the token of a bearer header, or the user name of a basic one.
fn api_key(headers: &HeaderMap) -> Option<String> {
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
