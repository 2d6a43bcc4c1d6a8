//! The consumer's authentication with the card's bank: the page that asks for it, and what its answer does.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::books::Books;
use crate::call::Cause;
use crate::refusal::Refusal;
use crate::resources::payment_intents::{self, PaymentIntent, Status, Way};
use crate::resources::setup_intents::{self, SetupIntent};
use crate::resources::{events, payment_methods};
use crate::sandbox::Sandbox;

/// An authentication that was passed: this intent may be charged to this payment method.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Pass {
    pub intent: String,
    pub payment_method: String,
}

impl Pass {
    pub fn holds(books: &Books, intent: &str, payment_method: &str) -> bool {
        books
            .passes
            .get(intent)
            .is_some_and(|pass| pass.payment_method == payment_method)
    }
}

/// What the client has to do next: go to the bank's page when it named a place to return to, else show the dialog.
pub fn next_action(client_secret: &str, return_url: Option<&str>, cause: &Cause) -> Value {
    let url = format!(
        "{}/frames/authenticate?client_secret={client_secret}",
        cause.origin
    );
    match return_url {
        Some(return_url) => {
            let encoded: String = url::form_urlencoded::byte_serialize(return_url.as_bytes()).collect();
            let url = format!("{url}&return_url={encoded}");
            json!({ "type": "redirect_to_url", "redirect_to_url": { "url": url, "return_url": return_url } })
        }
        None => json!({
            "type": "use_stripe_sdk",
            "use_stripe_sdk": { "type": "three_d_secure_redirect", "stripe_js": url },
        }),
    }
}

/// What the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    client_secret: String,
    outcome: Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Complete,
    Fail,
}

/// `POST /sandbox/authenticate`: whoever knows the client secret decides, as the page's two buttons do.
pub async fn authenticate(
    State(sandbox): State<Arc<Sandbox>>,
    Json(decision): Json<Decision>,
) -> (StatusCode, Json<Value>) {
    let cause = sandbox.cause(None, None);
    match sandbox.change(|books| decide(books, &cause, &decision)) {
        Ok(intent) => (StatusCode::OK, Json(intent)),
        Err(refusal) => (refusal.status, Json(refusal.body())),
    }
}

fn decide(books: &mut Books, cause: &Cause, decision: &Decision) -> Result<Value, Refusal> {
    let id = decision
        .client_secret
        .split("_secret_")
        .next()
        .unwrap_or_default();
    if let Some(intent) = books.payment_intents.get(id).cloned()
        && intent.client_secret == decision.client_secret
        && intent.status == Status::RequiresAction
    {
        return decide_payment(books, cause, intent, decision.outcome);
    }
    if let Some(intent) = books.setup_intents.get(id).cloned()
        && intent.client_secret == decision.client_secret
        && intent.status == setup_intents::Status::RequiresAction
    {
        return decide_setup(books, cause, intent, decision.outcome);
    }
    Err(Refusal::invalid("There is nothing to authenticate any more."))
}

fn decide_payment(
    books: &mut Books,
    cause: &Cause,
    mut intent: PaymentIntent,
    outcome: Outcome,
) -> Result<Value, Refusal> {
    let id = intent.id.clone();
    let method = method_of(books, intent.payment_method.as_deref())?;
    match outcome {
        Outcome::Complete => {
            books.put(Pass {
                intent: id.clone(),
                payment_method: method.id.clone(),
            });
            if intent.confirmation_method == Way::Manual {
                intent.status = Status::RequiresConfirmation;
                intent.next_action = None;
                books.put(intent);
            } else if let Err(decline) = payment_intents::charge(books, cause, intent, &method) {
                tracing::debug!(status = decline.status.as_u16(), "authenticated, then declined");
            }
        }
        Outcome::Fail => {
            let refusal =
                failure("payment_intent_authentication_failure").with("payment_method", json!(method));
            intent.status = Status::RequiresPaymentMethod;
            intent.last_payment_error = Some(refusal.error());
            intent.next_action = None;
            intent.payment_method = None;
            books.put(intent.clone());
            events::emit(books, cause, "payment_intent.payment_failed", &intent);
        }
    }
    Ok(json!(books.payment_intents.get(&id)))
}

fn decide_setup(
    books: &mut Books,
    cause: &Cause,
    intent: SetupIntent,
    outcome: Outcome,
) -> Result<Value, Refusal> {
    let id = intent.id.clone();
    let method = method_of(books, intent.payment_method.as_deref())?;
    let result = match outcome {
        Outcome::Complete => setup_intents::finish(books, cause, intent, method).map(drop),
        Outcome::Fail => {
            let refusal = failure("setup_intent_authentication_failure");
            Err(setup_intents::fail(books, cause, intent, &method, refusal))
        }
    };
    if let Err(refusal) = result {
        tracing::debug!(status = refusal.status.as_u16(), "the setup failed");
    }
    Ok(json!(books.setup_intents.get(&id)))
}

fn method_of(books: &Books, id: Option<&str>) -> Result<payment_methods::PaymentMethod, Refusal> {
    let method = id.and_then(|id| books.payment_methods.get(id)).cloned();
    method.ok_or_else(|| Refusal::invalid("The intent has no payment method."))
}

fn failure(code: &str) -> Refusal {
    Refusal::invalid(
        "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
    )
    .with("code", code)
}
