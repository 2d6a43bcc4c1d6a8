//! localstripe implements an older version of the provider's API than the client uses. This proxy in between replaces the
//! parameters that localstripe rejects, and adds the fields that it leaves out and the client requires:
//!
//! - a setup intent has `payment_method_types` in place of `allowed_payment_method_types`;
//! - a payment intent has no `automatic_payment_methods`;
//! - the payment methods of a customer have another path;
//! - payment intents have no amounts that can be captured or were received, no confirmation method and no types, charges no
//!   captured amount, billing details and dispute, and the last error of a payment has no type.

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

#[derive(Clone)]
pub struct Upstream {
    pub http: reqwest::Client,
    pub origin: String,
}

/// Forwards a request to localstripe.
pub async fn forward(State(upstream): State<Upstream>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let form = translate_form(parts.uri.path(), std::str::from_utf8(&body).unwrap());
    let target = translate_target(parts.uri.path(), parts.uri.query().unwrap_or_default());
    let mut forwarded = upstream
        .http
        .request(parts.method, format!("{}{target}", upstream.origin))
        .header(AUTHORIZATION, &parts.headers[AUTHORIZATION])
        .body(form);
    if let Some(content_type) = parts.headers.get(CONTENT_TYPE) {
        forwarded = forwarded.header(CONTENT_TYPE, content_type);
    }
    let response = forwarded.send().await.unwrap();
    let status = response.status();
    let text = response.text().await.unwrap();
    let Ok(mut body) = serde_json::from_str::<Value>(&text) else {
        return (status, text).into_response();
    };
    add_missing_fields(&mut body);
    (status, axum::Json(body)).into_response()
}

fn translate_form(path: &str, form: &str) -> String {
    match path {
        "/v1/setup_intents" => form.replace("allowed_payment_method_types", "payment_method_types"),
        "/v1/payment_intents" => without(form, "automatic_payment_methods"),
        _ => form.to_owned(),
    }
}

fn translate_target(path: &str, query: &str) -> String {
    let customer = path
        .strip_prefix("/v1/customers/")
        .and_then(|path| path.strip_suffix("/payment_methods"));
    match customer {
        Some(customer) => format!("/v1/payment_methods?customer={customer}&type=card&{query}"),
        None => format!("{path}?{query}"),
    }
}

/// Removes a parameter and its parts from encoded parameters.
fn without(parameters: &str, name: &str) -> String {
    let others: Vec<&str> = parameters
        .split('&')
        .filter(|parameter| !parameter.starts_with(name))
        .collect();
    others.join("&")
}

fn add_missing_fields(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(add_missing_fields),
        Value::Object(object) => {
            object.values_mut().for_each(add_missing_fields);
            match object.get("object").and_then(Value::as_str) {
                Some("payment_intent") => complete_intent(object),
                Some("charge") => complete_charge(object),
                _ => {}
            }
        }
        _ => {}
    }
}

fn complete_intent(intent: &mut Map<String, Value>) {
    for (name, value) in [
        ("amount_capturable", json!(0)),
        ("amount_received", json!(0)),
        ("confirmation_method", json!("automatic")),
        ("payment_method_types", json!(["card"])),
    ] {
        intent.entry(name).or_insert(value);
    }
    if let Some(Value::Object(error)) = intent.get_mut("last_payment_error") {
        error.entry("type").or_insert(json!("card_error"));
    }
}

fn complete_charge(charge: &mut Map<String, Value>) {
    let captured = if charge["captured"] == true {
        charge["amount"].clone()
    } else {
        json!(0)
    };
    for (name, value) in [
        ("amount_captured", captured),
        ("billing_details", json!({})),
        ("disputed", json!(false)),
    ] {
        charge.entry(name).or_insert(value);
    }
}
