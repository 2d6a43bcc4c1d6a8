//! Every limit in the OpenAPI document is enforced: values beyond it are rejected, values at the limit are not.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use uuid::Uuid;

use self::valid_caller::ValidCaller;
use crate::harness::{Reply, Tender, shared_stack};

mod valid_caller;

fn document() -> Value {
    serde_json::from_str(include_str!("../../../../gateway/openapi.json")).unwrap()
}

/// One limit on a request field, with a value beyond it and a value at the limit.
struct Limit {
    call: String,
    at: String,
    rule: String,
    beyond: Value,
    reached: Value,
}

/// Collects the limits on request bodies and query parameters.
fn limits(document: &Value) -> Vec<Limit> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let call = format!("{} {path}", method.to_uppercase());
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let at = format!("?{}", parameter["name"].as_str().unwrap());
                walk(document, &call, &at, &parameter["schema"], &mut found);
            }
            let body = &operation["requestBody"]["content"]["application/json"]["schema"];
            walk(document, &call, "", body, &mut found);
        }
    }
    found
}

fn walk(document: &Value, call: &str, at: &str, schema: &Value, found: &mut Vec<Limit>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = document.pointer(reference.trim_start_matches('#')).unwrap();
        return walk(document, call, at, schema, found);
    }
    for variant in ["allOf", "oneOf", "anyOf"] {
        for part in schema[variant].as_array().into_iter().flatten() {
            walk(document, call, at, part, found);
        }
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        walk(document, call, &format!("{at}/{name}"), property, found);
    }
    if schema["items"].is_object() {
        walk(document, call, &format!("{at}/0"), &schema["items"], found);
    }
    for (rule, limit) in schema.as_object().into_iter().flatten() {
        let Some((beyond, reached)) = limit.as_i64().and_then(|limit| around(rule, limit)) else {
            assert!(
                !["pattern", "multipleOf"].contains(&&**rule),
                "{call} {at}: {rule} is not tested"
            );
            continue;
        };
        let (call, at) = (call.to_owned(), at.to_owned());
        let rule = format!("{rule} {limit}");
        found.push(Limit {
            call,
            at,
            rule,
            beyond,
            reached,
        });
    }
}

/// Returns a value beyond a limit and one at the limit. Text is counted in characters, not bytes.
fn around(rule: &str, limit: i64) -> Option<(Value, Value)> {
    let text = |length: i64| json!("é".repeat(usize::try_from(length).unwrap()));
    let list = |length: i64| json!(vec![Value::Null; usize::try_from(length).unwrap()]);
    Some(match rule {
        "minimum" => (json!(limit - 1), json!(limit)),
        "maximum" => (json!(limit + 1), json!(limit)),
        "minLength" => (text(limit - 1), text(limit)),
        "maxLength" => (text(limit + 1), text(limit)),
        "minItems" => (list(limit - 1), list(limit)),
        "maxItems" => (list(limit + 1), list(limit)),
        _ => return None,
    })
}

/// Replaces the value at a JSON pointer. A list is filled with copies of the first element of the valid request.
fn put(body: &mut Value, at: &str, value: &Value) {
    if at.starts_with('?') {
        body[at] = value.clone();
        return;
    }
    assert!(
        !at.ends_with("/0") || body.pointer(at).is_some(),
        "{at}: the valid request has no element"
    );
    let place = match body.pointer_mut(at) {
        Some(place) => place,
        None => {
            let (parent, name) = at.rsplit_once('/').unwrap();
            let parent = body
                .pointer_mut(parent)
                .unwrap_or_else(|| panic!("{at}: the valid request has no {parent}"));
            &mut parent[name]
        }
    };
    *place = match value.as_array() {
        Some(list) => json!(vec![place[0].clone(); list.len()]),
        None => value.clone(),
    };
}

/// Returns whether the request was rejected, or priced without the invalid lines.
fn is_bad_input(reply: &Reply) -> bool {
    let problems = reply.body["data"]["problems"].as_array();
    // The specification shows failed feedback with status 200.
    let is_failed = reply.status.as_u16() == 200 && reply.body["success"] == false;
    [400, 422].contains(&reply.status.as_u16())
        || is_failed
        || problems.is_some_and(|problems| !problems.is_empty())
}

#[tokio::test]
async fn every_documented_limit_is_enforced() {
    let stack = shared_stack().await;
    let (consumer, store) = (stack.consumer().await, stack.store());
    let joepass = consumer.with_joepass(100_000).await;
    let Tender(card) = consumer.with_card("4242424242424242").await;
    let caller = ValidCaller {
        consumer,
        store,
        joepass,
        card: card["paymentMethodId"].as_str().unwrap().to_owned(),
    };
    let limits = limits(&document());
    assert!(limits.len() >= 40, "{}", limits.len());
    let calls: BTreeSet<&str> = limits.iter().map(|limit| &*limit.call).collect();
    let mut violations = Vec::new();
    for call in calls {
        let (path, body) = caller.valid_request(call).await;
        let reply = caller.send(call, &path, &body).await;
        // A correct code would sign in another consumer; a wrong one has the right format.
        if call.ends_with("/authentication/verify") {
            assert_eq!(reply.error_reason(422), "CODE_INCORRECT");
            continue;
        }
        // The request is valid: the consumer has no debts, and the response reports that for each id.
        if call.ends_with("/payment/update-failed-payments") {
            assert_eq!(
                reply.body["data"]["failed"][0]["reason"], "DEBT_UNKNOWN",
                "{reply:?}"
            );
            continue;
        }
        assert!(!is_bad_input(&reply), "{call}: {reply:?}");
    }
    for limit in &limits {
        let Limit { call, at, rule, .. } = limit;
        let beyond = caller.with(limit, &formatted(at, &limit.beyond)).await;
        if !is_bad_input(&beyond) {
            let summary = summary(&beyond);
            violations.push(format!("{call} {at}: beyond {rule}: {summary}"));
        } else if !beyond.status.is_success() {
            beyond.error_reason(beyond.status.as_u16());
        }
        // Lines and choices must differ from each other, so a list of copies does not test its length.
        let good = caller.valid_request(call).await.1;
        let first = good.pointer(&format!("{at}/0"));
        if rule.starts_with("maxItems") && first.is_some_and(Value::is_object) {
            continue;
        }
        // It may be invalid for another reason: a promo code of maximum length does not exist.
        let reached = caller.with(limit, &formatted(at, &unique(&limit.reached))).await;
        let same = is_bad_input(&reached) && reason(&reached) == reason(&beyond);
        if same || reached.status.is_server_error() {
            let summary = summary(&reached);
            violations.push(format!("{call} {at}: just {rule}: {summary}"));
        }
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

/// Converts a text into an email address of the same length if the field requires one.
fn formatted(at: &str, value: &Value) -> Value {
    match value.as_str() {
        Some(text) if at.ends_with("/email") => json!(email(text.chars().count())),
        _ => value.clone(),
    }
}

/// Returns an email address of a length. Its local part has up to 64 characters, and each label of its domain up to 63.
fn email(length: usize) -> String {
    let local = "a".repeat(64);
    let labels = 1..=length - local.len() - "@.com".len();
    let domain: String = labels
        .map(|place| if place % 50 == 0 { '.' } else { 'b' })
        .collect();
    format!("{local}@{domain}.com")
}

/// Makes a text unique, because it may be an idempotency key.
fn unique(value: &Value) -> Value {
    let Some(text) = value.as_str() else {
        return value.clone();
    };
    let own = Uuid::new_v4().simple().to_string();
    let length = text.chars().count();
    let filled = own.chars().take(length.min(4)).chain(text.chars().skip(4));
    json!(filled.collect::<String>())
}

fn reason(reply: &Reply) -> &Value {
    match &reply.body["data"]["problems"] {
        Value::Array(problems) => &problems[0]["reason"],
        _ => &reply.body["reason"],
    }
}

fn summary(reply: &Reply) -> String {
    let body: String = reply.body.to_string().chars().take(200).collect();
    format!("{} {body}", reply.status)
}
