//! Every bound that the document names is held: what goes beyond it is refused, what reaches it is not.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::harness::{Checkout, Consumer, Reply, Store, Tender, item, shared};

/// The committed document.
fn document() -> Value {
    serde_json::from_str(include_str!("../../../../gateway/openapi.json")).unwrap()
}

/// One bound of a request: where, how it is written in the document, a value beyond it and one that just reaches it.
struct Bound {
    call: String,
    at: String,
    rule: String,
    beyond: Value,
    reached: Value,
}

/// Every bound of what requests carry, in bodies and queries. Those of answers are ours to keep.
fn bounds(document: &Value) -> Vec<Bound> {
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

fn walk(document: &Value, call: &str, at: &str, schema: &Value, found: &mut Vec<Bound>) {
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
                "{call} {at}: {rule} is not tried"
            );
            continue;
        };
        let (call, at) = (call.to_owned(), at.to_owned());
        let rule = format!("{rule} {most}");
        found.push(Bound {
            call,
            at,
            rule,
            beyond,
            reached,
        });
    }
}

/// What goes beyond a bound, and what just reaches it. Text is counted in characters, not in bytes.
fn around(rule: &str, bound: i64) -> Option<(Value, Value)> {
    let text = |length: i64| json!("é".repeat(usize::try_from(length).unwrap()));
    let list = |length: i64| json!(vec![Value::Null; usize::try_from(length).unwrap()]);
    Some(match rule {
        "minimum" => (json!(bound - 1), json!(bound)),
        "maximum" => (json!(bound + 1), json!(bound)),
        "minLength" => (text(bound - 1), text(bound)),
        "maxLength" => (text(bound + 1), text(bound)),
        "minItems" => (list(bound - 1), list(bound)),
        "maxItems" => (list(bound + 1), list(bound)),
        _ => return None,
    })
}

/// Calls with requests that are good as they are.
struct Caller {
    consumer: Consumer,
    store: Store,
    joepass: Tender,
}

impl Caller {
    /// With something chosen that the item could do without.
    async fn checkout(&self) -> Checkout {
        let latte = item(&self.consumer, &self.store, "Latte").await;
        let groups = latte["modifications"].as_array().unwrap();
        let group = groups
            .iter()
            .find(|group| group["min"] == 0)
            .expect("a free choice");
        let choice = json!({ "modificationId": group["modificationId"],
            "choiceId": group["choices"][0]["choiceId"], "quantity": 1 });
        let checkout = self
            .consumer
            .draft_order("Latte", &self.store, &self.joepass)
            .priced()
            .await;
        let mut checkout = checkout
            .with_new_cart()
            .with("cart/lines/0/choices", json!([choice]));
        let request = json!({ "cart": checkout.body["cart"] });
        let quote = self.consumer.post("order/pricing", request).await;
        checkout.body["expectedTotal"] = quote.data()["total"].clone();
        checkout
    }

    /// A good body of a call, and its path.
    async fn good(&self, call: &str) -> (String, Value) {
        let path = call.split_once(' ').unwrap().1.to_owned();
        let body = match call {
            "POST /api/consumer/order/pricing" | "POST /api/consumer/user/save-cart" => {
                json!({ "cart": self.checkout().await.body["cart"] })
            }
            "POST /api/consumer/order/create" => {
                let mut body = self.checkout().await.body;
                body["vehicle"] = json!("A blue van");
                body
            }
            "POST /api/consumer/order/user-arrived" => {
                let order = self
                    .consumer
                    .place_order("Latte", &self.store, &self.joepass)
                    .await;
                json!({ "orderId": order, "vehicle": "A blue van" })
            }
            "POST /api/consumer/user/name" => json!({ "firstName": "Ada", "lastName": "Test" }),
            "POST /api/consumer/inbox/mark-as-seen" | "POST /api/consumer/inbox/remove" => {
                json!({ "messageIds": ["msg_01h455vb4pex5vsknk084sn02q"] })
            }
            "POST /store-api/orders/{id}/reject" => {
                let order = self
                    .consumer
                    .place_order("Latte", &self.store, &self.joepass)
                    .await;
                return (path.replace("{id}", &order), json!({ "reason": "No more cups." }));
            }
            "GET /api/consumer/store/pickup-options" => json!({ "?storeId": self.store.id.to_string() }),
            "GET /api/consumer/stores/search" => json!({ "?term": "coffee" }),
            "GET /api/consumer/stores/list"
            | "GET /api/consumer/inbox/list"
            | "GET /api/consumer/user/orders"
            | "GET /api/consumer/user/rewards"
            | "GET /api/consumer/user/transaction-history" => json!({}),
            _ => panic!("{call} has bounds; what is a good request of it?"),
        };
        (path, body)
    }

    /// A good request with one value put into it.
    async fn with(&self, bound: &Bound, value: &Value) -> Reply {
        let (path, mut body) = self.good(&bound.call).await;
        put(&mut body, &bound.at, value);
        self.send(&bound.call, &path, &body).await
    }

    async fn send(&self, call: &str, path: &str, body: &Value) -> Reply {
        if call.starts_with("GET") {
            let query = body.as_object().unwrap();
            return self
                .consumer
                .send(Method::GET, &format!("{path}?{}", written(query)), None)
                .await;
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

fn written(query: &Map<String, Value>) -> String {
    let mut written = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in query {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        written.append_pair(name.trim_start_matches('?'), &value);
    }
    written.finish()
}

/// A list is given by its length alone: it is filled with what stands first in the good one.
fn put(body: &mut Value, at: &str, value: &Value) {
    if at.starts_with('?') {
        body[at] = value.clone();
        return;
    }
    if at.ends_with("/0") && body.pointer(at).is_none() {
        panic!("{at}: nothing stands there in the good request");
    }
    let place = match body.pointer_mut(at) {
        Some(place) => place,
        None => {
            let (parent, name) = at.rsplit_once('/').unwrap();
            &mut body.pointer_mut(parent).unwrap()[name]
        }
    };
    *place = match value.as_array() {
        Some(list) => json!(vec![place[0].clone(); list.len()]),
        None => value.clone(),
    };
}

/// Refused as such, or priced without the lines that are not good, with the reason beside them.
fn is_bad_input(reply: &Reply) -> bool {
    let problems = reply.body["data"]["problems"].as_array();
    [400, 422].contains(&reply.status.as_u16()) || problems.is_some_and(|problems| !problems.is_empty())
}

#[tokio::test]
async fn every_documented_bound_is_held() {
    let stack = shared().await;
    let (consumer, store) = (stack.consumer().await, stack.store());
    let joepass = consumer.with_joepass(100_000).await;
    let caller = Caller {
        consumer,
        store,
        joepass,
    };
    let bounds = bounds(&document());
    assert!(bounds.len() >= 40, "{}", bounds.len());
    let calls: BTreeSet<&str> = bounds.iter().map(|bound| &*bound.call).collect();
    let mut broken = Vec::new();
    for call in calls {
        let (path, body) = caller.good(call).await;
        let reply = caller.send(call, &path, &body).await;
        assert!(!is_bad_input(&reply), "{call}: {reply:?}");
    }
    for bound in &bounds {
        let Bound { call, at, rule, .. } = bound;
        let beyond = caller.with(bound, &bound.beyond).await;
        if !is_bad_input(&beyond) {
            let shown = shown(&beyond);
            broken.push(format!("{call} {at}: beyond {rule}: {shown}"));
        } else if !beyond.status.is_success() {
            beyond.error_reason(beyond.status.as_u16());
        }
        // Lines and choices may not be equal to each other: a list of equal ones says nothing of its length.
        let good = caller.good(call).await.1;
        let first = good.pointer(&format!("{at}/0"));
        if rule.starts_with("maxItems") && first.is_some_and(Value::is_object) {
            continue;
        }
        // It may still be wrong for another reason: a code of the longest kind is one that we do not know.
        let reached = caller.with(bound, &unique(&bound.reached)).await;
        let same = is_bad_input(&reached) && reason(&reached) == reason(&beyond);
        if same || reached.status.is_server_error() {
            let shown = shown(&reached);
            broken.push(format!("{call} {at}: just {rule}: {shown}"));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// What reaches a bound in text may be a key: no two requests have the same.
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

fn shown(reply: &Reply) -> String {
    let body: String = reply.body.to_string().chars().take(200).collect();
    format!("{} {body}", reply.status)
}
