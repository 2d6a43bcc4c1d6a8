//! `/sandbox`: what tests and developers may do that the provider's API does not offer.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::authentication::authenticate;
use crate::faults::Fault;
use crate::nature::{Decline, Nature};
use crate::refusal::Refusal;
use crate::resources::payment_intents;
use crate::sandbox::Sandbox;
use crate::settlement;
use crate::webhooks::Delivery;

type Shared = State<Arc<Sandbox>>;

/// The admin API's routes.
pub fn routes() -> Router<Arc<Sandbox>> {
    Router::new()
        .route("/sandbox/health", get(|| async { "ok" }))
        .route("/sandbox/state", get(state))
        .route("/sandbox/settings", post(settings))
        .route(
            "/sandbox/faults",
            get(faults).post(add_fault).delete(clear_faults),
        )
        .route("/sandbox/authenticate", post(authenticate))
        .route("/sandbox/events/{id}/resend", post(resend))
        .route("/sandbox/payment_methods/{id}", post(change_payment_method))
        .route("/sandbox/payment_intents/{id}/settle", post(settle))
        .route("/sandbox/payment_intents/{id}/return", post(send_back))
        .route("/sandbox/payment_intents/{id}/expire", post(expire))
}

/// Everything there is, by kind, oldest first. Idempotent answers are left out: they repeat the rest.
async fn state(State(sandbox): Shared) -> Json<Value> {
    let mut state = serde_json::Map::new();
    sandbox.read(|books| {
        for record in books.records().filter(|record| record.kind != "answer") {
            let kind = state.entry(record.kind).or_insert_with(|| json!([]));
            if let Some(list) = kind.as_array_mut() {
                list.push(record.value);
            }
        }
    });
    Json(Value::Object(state))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// How long bank debits stay in processing from now on.
    settle_after_ms: Option<i64>,
    /// False holds webhooks back until it is true again.
    deliver_webhooks: Option<bool>,
}

async fn settings(State(sandbox): Shared, Json(settings): Json<Settings>) -> StatusCode {
    if let Some(settle_after_ms) = settings.settle_after_ms {
        sandbox.set_settle_after_ms(settle_after_ms);
    }
    if let Some(deliver) = settings.deliver_webhooks {
        sandbox.delivering.send_replace(deliver);
    }
    StatusCode::NO_CONTENT
}

async fn faults(State(sandbox): Shared) -> Json<Vec<Fault>> {
    Json(sandbox.faults.list())
}

async fn add_fault(State(sandbox): Shared, Json(fault): Json<Fault>) -> (StatusCode, Json<Vec<Fault>>) {
    sandbox.faults.add(fault);
    (StatusCode::CREATED, Json(sandbox.faults.list()))
}

async fn clear_faults(State(sandbox): Shared) -> StatusCode {
    sandbox.faults.clear();
    StatusCode::NO_CONTENT
}

/// Delivers an event once more, as the provider does now and then by itself.
async fn resend(State(sandbox): Shared, Path(id): Path<String>) -> StatusCode {
    sandbox.change(|books| match books.events.get(&id) {
        Some(_) => {
            books.put(Delivery::new(&id));
            StatusCode::ACCEPTED
        }
        None => StatusCode::NOT_FOUND,
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    /// The decline code of every later charge; null lets them pass again.
    decline: Option<String>,
}

/// Makes a saved payment method decline from now on, or approve again.
async fn change_payment_method(
    State(sandbox): Shared,
    Path(id): Path<String>,
    Json(change): Json<Change>,
) -> StatusCode {
    sandbox.change(|books| match books.natures.get(&id).cloned() {
        Some(nature) => {
            books.put(Nature {
                on_charge: change.decline.as_deref().map(Decline::named),
                ..nature
            });
            StatusCode::NO_CONTENT
        }
        None => StatusCode::NOT_FOUND,
    })
}

async fn settle(State(sandbox): Shared, Path(id): Path<String>) -> Response {
    let cause = sandbox.cause(None, None);
    answer(
        sandbox
            .change(|books| settlement::settle(books, &cause, &id))
            .map(|intent| json!(intent)),
    )
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Return {
    code: Option<String>,
}

/// The body is optional.
async fn send_back(State(sandbox): Shared, Path(id): Path<String>, body: axum::body::Bytes) -> Response {
    let given: Return = if body.is_empty() {
        Return::default()
    } else {
        match serde_json::from_slice(&body) {
            Ok(given) => given,
            Err(error) => return (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
        }
    };
    let code = given.code.as_deref().unwrap_or("insufficient_funds");
    let cause = sandbox.cause(None, None);
    answer(
        sandbox
            .change(|books| settlement::send_back(books, &cause, &id, code))
            .map(|intent| json!(intent)),
    )
}

async fn expire(State(sandbox): Shared, Path(id): Path<String>) -> Response {
    let cause = sandbox.cause(None, None);
    answer(sandbox.change(|books| payment_intents::expire(books, &cause, &id)))
}

fn answer(result: Result<Value, Refusal>) -> Response {
    match result {
        Ok(body) => Json(body).into_response(),
        Err(refusal) => (refusal.status, Json(refusal.body())).into_response(),
    }
}
