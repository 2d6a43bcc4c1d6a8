//! Every limit in the OpenAPI document is enforced: values beyond it are rejected, values at the limit are not.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::harness::{Checkout, Consumer, Reply, Store, Tender, item, shared_stack};

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
    for (rule, most) in schema.as_object().into_iter().flatten() {
        let Some((beyond, reached)) = most.as_i64().and_then(|most| around(rule, most)) else {
            assert!(
                !["pattern", "multipleOf"].contains(&&**rule),
                "{call} {at}: {rule} is not tested"
            );
            continue;
        };
        let (call, at) = (call.to_owned(), at.to_owned());
        let rule = format!("{rule} {most}");
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

/// Sends valid requests.
struct ValidCaller {
    consumer: Consumer,
    store: Store,
    joepass: Tender,
}

impl ValidCaller {
    /// Returns a checkout with an optional choice.
    async fn checkout(&self) -> Checkout {
        let latte = item(&self.consumer, &self.store, "Latte").await;
        let choice = optional_choice(&latte);
        let checkout = self
            .consumer
            .draft_order("Latte", &self.store, &self.joepass)
            .priced()
            .await;
        let mut checkout = checkout
            .with_new_cart()
            .with("cart/items/0/choices", json!([choice]));
        let request = json!({ "cart": checkout.body["cart"] });
        let quote = self.consumer.post("order/pricing", request).await;
        checkout.body["expectedTotal"] = quote.data()["total"].clone();
        checkout
    }

    async fn place_order(&self) -> String {
        self.consumer
            .place_order("Latte", &self.store, &self.joepass)
            .await
    }

    /// Returns the path and a valid body of a call.
    async fn valid_request(&self, call: &str) -> (String, Value) {
        let path = call.split_once(' ').unwrap().1.to_owned();
        let body = match call {
            "POST /api/consumer/order/pricing" | "POST /api/consumer/user/save-cart" => {
                json!({ "cart": self.checkout().await.body["cart"] })
            }
            "POST /api/consumer/authentication/verify" => {
                json!({ "phone": "+12065550100", "code": "000000" })
            }
            "POST /api/consumer/order/create" => {
                let mut body = self.checkout().await.body;
                body["vehicle"] = json!("A blue van");
                body
            }
            "POST /api/consumer/order/user-arrived" => {
                let order = self.place_order().await;
                json!({ "orderId": order, "vehicle": "A blue van" })
            }
            "POST /api/consumer/item/add-usual-item" => {
                let latte = item(&self.consumer, &self.store, "Latte").await;
                json!({ "storeId": self.store.id.to_string(), "itemId": latte["itemId"],
                    "sizeId": latte["sizes"][0]["sizeId"], "choices": [optional_choice(&latte)], "note": "", "name": "" })
            }
            "POST /api/consumer/analytics/order-feedback" => {
                let order = self.place_order().await;
                self.store.make(&order).await;
                json!({ "orderId": order, "rating": 4, "feedbackOrderReady": 1, "feedbackOrderCorrect": -1,
                    "message": "Great." })
            }
            "POST /store-api/orders/{id}/delay" => {
                let order = self.place_order().await;
                let body = json!({ "minutes": 60, "reason": "No more cups." });
                return (path.replace("{id}", &order), body);
            }
            "POST /api/consumer/analytics/user-feedback" => json!({ "message": "I like the app." }),
            "POST /api/consumer/user/name" => json!({ "firstName": "Ada", "lastName": "Test" }),
            "POST /api/consumer/inbox/mark-as-seen" | "POST /api/consumer/inbox/remove" => {
                json!({ "messageIds": ["msg_01h455vb4pex5vsknk084sn02q"] })
            }
            "POST /store-api/orders/{id}/reject" => {
                let order = self.place_order().await;
                return (path.replace("{id}", &order), json!({ "reason": "No more cups." }));
            }
            "GET /store-api/queue"
            | "GET /api/consumer/store/pickup-options"
            | "GET /api/consumer/store/cart-options" => {
                json!({ "?storeId": self.store.id.to_string() })
            }
            "GET /api/consumer/company/stores" => {
                let store = self
                    .consumer
                    .get(&format!("store/card?storeId={}", self.store.id))
                    .await;
                json!({ "?companyId": store.data()["companyId"], "?lat": 44.0, "?lon": -73.0 })
            }
            "GET /api/consumer/store/card" => {
                json!({ "?storeId": self.store.id.to_string(), "?lat": 44.0, "?lon": -73.0 })
            }
            "GET /api/consumer/stores/search" => json!({ "?term": "coffee", "?lat": 44.0, "?lon": -73.0 }),
            "GET /api/consumer/stores/list" | "GET /api/consumer/stores/map" => {
                json!({ "?lat": 44.0, "?lon": -73.0 })
            }
            "GET /api/consumer/inbox/list"
            | "GET /api/consumer/user/orders"
            | "GET /api/consumer/user/rewards"
            | "GET /api/consumer/user/transaction-history" => json!({}),
            _ => panic!("{call} has limits: add a valid request for it"),
        };
        (path, body)
    }

    /// Sends a valid request with one value replaced.
    async fn with(&self, limit: &Limit, value: &Value) -> Reply {
        let (path, mut body) = self.valid_request(&limit.call).await;
        put(&mut body, &limit.at, value);
        self.send(&limit.call, &path, &body).await
    }

    async fn send(&self, call: &str, path: &str, body: &Value) -> Reply {
        if call.starts_with("GET") {
            let path = format!("{path}?{}", encode_query(body.as_object().unwrap()));
            return match path.strip_prefix("/store-api/") {
                Some(path) => self.store.try_send(Method::GET, path, None).await.unwrap(),
                None => self.consumer.send(Method::GET, &path, None).await,
            };
        }
        match path.strip_prefix("/store-api/") {
            Some(path) => self.store.post(path, Some(body.clone())).await,
            None => {
                self.consumer
                    .send(Method::POST, path, Some(body.to_string()))
                    .await
            }
        }
    }
}

fn optional_choice(item: &Value) -> Value {
    let groups = item["modifications"].as_array().unwrap();
    let group = groups
        .iter()
        .find(|group| group["min"] == 0)
        .expect("an optional choice");
    json!({ "modificationId": group["modificationId"], "choiceId": group["choices"][0]["choiceId"], "quantity": 1 })
}

fn encode_query(query: &Map<String, Value>) -> String {
    let mut encoded = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in query {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        encoded.append_pair(name.trim_start_matches('?'), &value);
    }
    encoded.finish()
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
    let caller = ValidCaller {
        consumer,
        store,
        joepass,
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
    const DOMAIN: &str = "@example.com";
    match value.as_str() {
        Some(text) if at.ends_with("/email") => {
            json!("a".repeat(text.chars().count() - DOMAIN.len()) + DOMAIN)
        }
        _ => value.clone(),
    }
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
