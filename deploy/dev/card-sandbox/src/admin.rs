//! The admin API under `/sandbox`, for tests and developers.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api_error::ApiError;
use crate::card_behavior::{CardBehavior, Decline};
use crate::faults::Fault;
use crate::objects::{Delivery, StoredResponse};
use crate::resources::authentication_result::{self, Decision};
use crate::resources::{bank_debits, payment_intents, refunds};
use crate::sandbox::Sandbox;
use crate::state::Stored as _;

type SharedSandbox = State<Arc<Sandbox>>;

pub fn routes() -> Router<Arc<Sandbox>> {
    Router::new()
        .route("/sandbox/health", get(|| async { "ok" }))
        .route("/sandbox/state", get(get_state))
        .route("/sandbox/settings", post(change_settings))
        .route(
            "/sandbox/faults",
            get(list_faults).post(add_fault).delete(clear_faults),
        )
        .route("/sandbox/authenticate", post(authenticate))
        .route("/sandbox/events/{id}/resend", post(resend_event))
        .route("/sandbox/payment_methods/{id}", post(change_payment_method))
        .route("/sandbox/refunds/{id}/fail", post(fail_refund))
        .route("/sandbox/payment_intents/{id}/settle", post(settle_debit))
        .route("/sandbox/payment_intents/{id}/return", post(return_debit))
        .route("/sandbox/payment_intents/{id}/expire", post(expire_authorization))
}

/// Returns all objects by kind, oldest first. Omits stored responses, because they repeat the objects.
async fn get_state(State(sandbox): SharedSandbox) -> Json<Value> {
    let mut objects = serde_json::Map::new();
    sandbox.read(|state| {
        for record in state
            .records()
            .filter(|record| record.kind != StoredResponse::KIND)
        {
            let kind = objects.entry(record.kind).or_insert_with(|| json!([]));
            if let Some(list) = kind.as_array_mut() {
                list.push(record.value);
            }
        }
    });
    Json(Value::Object(objects))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// How long bank debits that start later stay in processing.
    settle_after_ms: Option<i64>,
    /// False makes webhooks wait until it is true again.
    deliver_webhooks: Option<bool>,
}

async fn change_settings(State(sandbox): SharedSandbox, Json(settings): Json<Settings>) -> StatusCode {
    if let Some(settle_after_ms) = settings.settle_after_ms {
        sandbox.set_settle_after_ms(settle_after_ms);
    }
    if let Some(deliver_webhooks) = settings.deliver_webhooks {
        sandbox.deliveries_enabled.send_replace(deliver_webhooks);
    }
    StatusCode::NO_CONTENT
}

async fn list_faults(State(sandbox): SharedSandbox) -> Json<Vec<Fault>> {
    Json(sandbox.faults.list())
}

async fn add_fault(
    State(sandbox): SharedSandbox,
    Json(fault): Json<Fault>,
) -> (StatusCode, Json<Vec<Fault>>) {
    sandbox.faults.add(fault);
    (StatusCode::CREATED, Json(sandbox.faults.list()))
}

async fn clear_faults(State(sandbox): SharedSandbox) -> StatusCode {
    sandbox.faults.clear();
    StatusCode::NO_CONTENT
}

/// Decides an authentication, as the buttons of the bank's page do. The client secret is the only credential.
async fn authenticate(State(sandbox): SharedSandbox, Json(decision): Json<Decision>) -> Response {
    let context = sandbox.internal_context();
    respond(sandbox.change(|state| authentication_result::decide(state, &context, &decision)))
}

/// Delivers an event again, as the provider sometimes does.
async fn resend_event(State(sandbox): SharedSandbox, Path(id): Path<String>) -> StatusCode {
    sandbox.change(|state| match state.events.get(&id) {
        Some(_) => {
            state.put(Delivery::new(&id));
            StatusCode::ACCEPTED
        }
        None => StatusCode::NOT_FOUND,
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PaymentMethodChange {
    /// The decline code of later charges. Null approves them.
    decline: Option<String>,
}

/// Changes whether later charges of a saved payment method are declined.
async fn change_payment_method(
    State(sandbox): SharedSandbox,
    Path(id): Path<String>,
    Json(change): Json<PaymentMethodChange>,
) -> StatusCode {
    sandbox.change(|state| match state.behaviors.get(&id).cloned() {
        Some(behavior) => {
            state.put(CardBehavior {
                on_charge: change.decline.as_deref().map(Decline::of_card),
                ..behavior
            });
            StatusCode::NO_CONTENT
        }
        None => StatusCode::NOT_FOUND,
    })
}

async fn fail_refund(State(sandbox): SharedSandbox, Path(id): Path<String>) -> Response {
    let context = sandbox.internal_context();
    respond(sandbox.change(|state| refunds::fail(state, &context, &id)))
}

async fn settle_debit(State(sandbox): SharedSandbox, Path(id): Path<String>) -> Response {
    let context = sandbox.internal_context();
    let result = sandbox.change(|state| bank_debits::settle(state, &context, &id));
    respond(result.map(|intent| json!(intent)))
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct DebitReturn {
    code: Option<String>,
}

/// Returns a debit. The body is optional.
async fn return_debit(
    State(sandbox): SharedSandbox,
    Path(id): Path<String>,
    body: axum::body::Bytes,
) -> Response {
    let parameters: DebitReturn = if body.is_empty() {
        DebitReturn::default()
    } else {
        match serde_json::from_slice(&body) {
            Ok(parameters) => parameters,
            Err(error) => return (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
        }
    };
    let code = parameters.code.as_deref().unwrap_or("insufficient_funds");
    let context = sandbox.internal_context();
    let result = sandbox.change(|state| bank_debits::return_debit(state, &context, &id, code));
    respond(result.map(|intent| json!(intent)))
}

async fn expire_authorization(State(sandbox): SharedSandbox, Path(id): Path<String>) -> Response {
    let context = sandbox.internal_context();
    respond(sandbox.change(|state| payment_intents::expire(state, &context, &id)))
}

fn respond(result: Result<Value, ApiError>) -> Response {
    match result {
        Ok(body) => Json(body).into_response(),
        Err(error) => error.into_response(),
    }
}
