//! Requests generated from the OpenAPI document.

use reqwest::Method;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::person::{PERSONAL, Person};
use super::photo::photo_form;
use crate::harness::{Consumer, Store};

/// Fields that are optional in the document, because another field can replace them or they have a default.
const FILLED: &[&str] = &["amount", "minutes", "storedValue"];

/// A call of the document.
pub(super) struct Operation<'a> {
    pub(super) method: Method,
    path: &'a str,
    document: &'a Value,
    operation: &'a Value,
}

/// Who may call an operation, by the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Public,
    Consumer,
    Store,
    Operator,
}

pub(super) fn operations(document: &Value) -> Vec<Operation<'_>> {
    let paths = document["paths"].as_object().unwrap();
    let calls = paths.iter().flat_map(|(path, item)| {
        item.as_object()
            .unwrap()
            .iter()
            .map(move |(method, operation)| Operation {
                method: method.to_uppercase().parse().unwrap(),
                path,
                document,
                operation,
            })
    });
    calls.collect()
}

impl Operation<'_> {
    /// For example `GET /api/build`.
    pub(super) fn call(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub(super) fn access(&self) -> Access {
        let schemes = self.operation["security"].as_array().into_iter().flatten();
        let names: Vec<&String> = schemes
            .flat_map(|scheme| scheme.as_object().unwrap().keys())
            .collect();
        match &names[..] {
            [] => Access::Public,
            [name] if *name == "session" => Access::Consumer,
            [name] if *name == "operatorKey" => Access::Operator,
            names if names.iter().any(|name| *name == "storeCredential") => Access::Store,
            other => panic!("{}: unknown security {other:?}", self.call()),
        }
    }

    pub(super) fn is_stream(&self) -> bool {
        self.operation["responses"]["200"]["content"]["text/event-stream"].is_object()
    }

    /// Returns a request with a person's own ids.
    pub(super) fn request_of(&self, person: &Person) -> Request {
        let (mut query, mut path) = (Map::new(), self.path.to_owned());
        for parameter in self.operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            let value = self.value(name, &parameter["schema"], person);
            match parameter["in"].as_str().unwrap() {
                // Without an id, the queue has the orders of the caller's stores.
                "query"
                    if parameter["required"] == true
                        || PERSONAL.contains(&name)
                        || (name == "storeId" && self.access() == Access::Store) =>
                {
                    query.insert(name.to_owned(), value);
                }
                "path" => {
                    let name = if path.contains("/orders/") {
                        "orderId"
                    } else {
                        "storeId"
                    };
                    path = path.replace("{id}", person.values[name].as_str().unwrap());
                }
                _ => {}
            }
        }
        let content = &self.operation["requestBody"]["content"];
        let mut body = match &content["application/json"]["schema"] {
            Value::Null => Value::Null,
            schema => self.value("", schema, person),
        };
        if path.ends_with("/order-feedback") {
            body["orderId"] = json!(person.completed_order);
        }
        Request {
            method: self.method.clone(),
            path,
            values: json!({ "query": query, "body": body }),
            has_photo: content["multipart/form-data"].is_object(),
            is_stream: self.is_stream(),
        }
    }

    /// Returns a value for a parameter or field: by its name, or by its schema.
    fn value(&self, name: &str, schema: &Value, person: &Person) -> Value {
        if let Some(value) = person.values.get(name) {
            return value.clone();
        }
        if let Some(reference) = schema["$ref"].as_str() {
            let schema = self.document.pointer(reference.trim_start_matches('#')).unwrap();
            return self.value(name, schema, person);
        }
        if name == "idempotencyKey" {
            return json!(Uuid::new_v4());
        }
        if name == "storedValue" {
            let amount = json!({ "currencyAmount": 100, "currencyFraction": 100, "currency": "usd" });
            return json!({ "paymentMethodId": person.values["storedValueId"], "amount": amount });
        }
        if let Some(properties) = schema["properties"].as_object() {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let is_filled = |name: &str| {
                required.contains(&json!(name)) || PERSONAL.contains(&name) || FILLED.contains(&name)
            };
            let filled = properties.iter().filter(|(name, _)| is_filled(name));
            return filled
                .map(|(name, schema)| (name.clone(), self.value(name, schema, person)))
                .collect();
        }
        if let Some(value) = schema["enum"].get(0) {
            return value.clone();
        }
        let kind = schema["type"]
            .as_str()
            .or_else(|| schema["type"][0].as_str())
            .unwrap_or_default();
        match kind {
            "integer" | "number" => schema["minimum"]
                .as_i64()
                .map_or(json!(1), |minimum| json!(minimum.max(1))),
            "boolean" => json!(true),
            "array" => json!([self.value(name, &schema["items"], person)]),
            _ => json!("x"),
        }
    }
}

#[derive(Clone)]
pub(super) struct Request {
    method: Method,
    path: String,
    /// The query and the body.
    values: Value,
    has_photo: bool,
    is_stream: bool,
}

impl Request {
    /// Returns the places of personal ids, with the names of [`PERSONAL`].
    pub(super) fn personal_ids(&self) -> Vec<(String, &'static str)> {
        let mut found = Vec::new();
        find_ids(&self.values, "", &mut found);
        found
    }

    pub(super) fn with(&self, pointer: &str, value: Value) -> Self {
        let mut changed = self.clone();
        *changed.values.pointer_mut(pointer).unwrap() = value;
        changed
    }

    /// Returns the request in the name of a consumer.
    pub(super) fn in_the_name_of(&self, consumer: &Consumer) -> Self {
        let mut changed = self.clone();
        changed.values["query"]["userId"] = json!(consumer.id.to_string());
        changed
    }

    pub(super) async fn send(&self, consumer: &Consumer) -> Response {
        let (path, content_type, body) = self.parts();
        let response = consumer.open(self.method.clone(), &path, &content_type, body);
        self.read(response.await).await
    }

    pub(super) async fn send_as_store(&self, store: &Store) -> Response {
        let (path, content_type, body) = self.parts();
        let response = store.open(self.method.clone(), &path, &content_type, body);
        self.read(response.await).await
    }

    /// Returns the path with the query, the content type and the body.
    fn parts(&self) -> (String, String, Vec<u8>) {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in self.values["query"].as_object().unwrap() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            query.append_pair(name, &value);
        }
        let path = format!("{}?{}", self.path, query.finish());
        let (content_type, body) = match &self.values["body"] {
            _ if self.has_photo => photo_form(),
            Value::Null => (String::new(), Vec::new()),
            body => ("application/json".to_owned(), body.to_string().into_bytes()),
        };
        (path, content_type, body)
    }

    async fn read(&self, response: reqwest::Response) -> Response {
        let status = response.status().as_u16();
        if self.is_stream && response.status().is_success() {
            return Response {
                status,
                text: String::new(),
            };
        }
        let text = String::from_utf8_lossy(&response.bytes().await.unwrap()).into_owned();
        Response { status, text }
    }
}

#[derive(Debug)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) text: String,
}

impl Response {
    pub(super) const fn is_success(&self) -> bool {
        self.status < 300
    }

    pub(super) fn reason(&self) -> String {
        let body: Value = serde_json::from_str(&self.text).unwrap_or_default();
        body["reason"].as_str().unwrap_or_default().to_owned()
    }
}

fn find_ids(value: &Value, pointer: &str, found: &mut Vec<(String, &'static str)>) {
    for (name, value) in value.as_object().into_iter().flatten() {
        let pointer = format!("{pointer}/{name}");
        let name = if pointer.ends_with("/storedValue/paymentMethodId") {
            "storedValueId"
        } else {
            name
        };
        match PERSONAL.iter().find(|personal| **personal == name) {
            Some(name) => found.push((pointer, name)),
            None => find_ids(value, &pointer, found),
        }
    }
}
