//! Requests generated from the OpenAPI document, each with one invalid value. The error names the value's field or parameter.

use proto::stores::v1::{AuthenticateStoreRequest, AuthenticateStoreResponse};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::fake_services::FakeServices;
use crate::harness::{CONSUMER, Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

const OPERATOR_KEY: &str = "operator-key-of-ada-for-these-tests";

/// Parts of messages that name types of the program.
const TYPE_NAMES: [&str; 10] = [
    "i64",
    "u32",
    "u64",
    "f64",
    "struct",
    "enum",
    "variant",
    "sequence",
    "boolean",
    ", expected",
];

struct Document(Value);

/// A request that the gateway must reject because of one field.
struct InvalidRequest {
    method: Method,
    /// With its query.
    path: String,
    body: Option<Value>,
    field: String,
    /// The field may be absent: the document lists fields with a default as required.
    may_succeed: bool,
}

/// A field of a request body, by its JSON pointer, with a value of another type.
struct Field {
    pointer: String,
    wrong: Value,
}

impl Document {
    fn read() -> Self {
        Self(serde_json::from_str(include_str!("../../openapi.json")).unwrap())
    }

    /// Follows references, and leaves out the alternative null.
    fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        if let Some(reference) = schema["$ref"].as_str() {
            return self.resolve(self.0.pointer(reference.trim_start_matches('#')).unwrap());
        }
        let alternatives = schema["oneOf"].as_array().into_iter().flatten();
        match alternatives.into_iter().find(|part| part["type"] != "null") {
            Some(part) => self.resolve(part),
            None => schema,
        }
    }

    /// Returns a value of the schema's type.
    fn sample(&self, schema: &Value) -> Value {
        let schema = self.resolve(schema);
        match kind(schema) {
            "object" => {
                let properties = schema["properties"].as_object().into_iter().flatten();
                let sample = |(name, property): (&String, &Value)| {
                    let value = match &**name {
                        "userId" => json!(CONSUMER),
                        "currencyFraction" => json!(100),
                        "idempotencyKey" => json!("0123456789"),
                        _ => self.sample(property),
                    };
                    (name.clone(), value)
                };
                Value::Object(properties.map(sample).collect())
            }
            "array" => json!([self.sample(&schema["items"])]),
            "integer" | "number" => json!(1),
            "boolean" => json!(true),
            _ => schema["enum"].get(0).cloned().unwrap_or_else(|| json!("x")),
        }
    }

    /// Collects the fields of a request body.
    fn collect_fields(&self, pointer: &str, schema: &Value, fields: &mut Vec<Field>) {
        let schema = self.resolve(schema);
        if !pointer.is_empty() {
            fields.push(Field {
                pointer: pointer.to_owned(),
                wrong: wrong_value(schema),
            });
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            self.collect_fields(&format!("{pointer}/{name}"), property, fields);
        }
        if kind(schema) == "array" {
            self.collect_fields(&format!("{pointer}/0"), &schema["items"], fields);
        }
    }

    fn invalid_requests(&self) -> Vec<InvalidRequest> {
        let mut requests = Vec::new();
        for (path, item) in self.0["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                let method: Method = method.to_uppercase().parse().unwrap();
                let path = path.replace("{id}", "x");
                self.add_invalid_queries(&method, &path, operation, &mut requests);
                self.add_invalid_bodies(&method, &path, operation, &mut requests);
            }
        }
        requests
    }

    fn add_invalid_queries(
        &self,
        method: &Method,
        path: &str,
        operation: &Value,
        requests: &mut Vec<InvalidRequest>,
    ) {
        let parameters: Vec<&Value> = operation["parameters"].as_array().into_iter().flatten().collect();
        let parameters = parameters
            .into_iter()
            .filter(|parameter| parameter["in"] == "query");
        let parameters: Vec<(&str, &Value, bool)> = parameters
            .map(|parameter| {
                let name = parameter["name"].as_str().unwrap();
                (
                    name,
                    self.resolve(&parameter["schema"]),
                    parameter["required"] == true,
                )
            })
            .collect();
        // Each required parameter has a valid value, except the one under test.
        let query = |invalid: &str, value: Option<&str>| {
            let required = parameters
                .iter()
                .filter(|(name, _, required)| *required && *name != invalid);
            let valid = required.map(|(name, schema, _)| format!("{name}={}", parameter_value(schema)));
            let invalid = value.map(|value| format!("{invalid}={value}"));
            format!("{path}?{}", valid.chain(invalid).collect::<Vec<_>>().join("&"))
        };
        for (name, schema, is_required) in &parameters {
            // The session's consumer is compared first.
            let mut values = if *name == "userId" {
                Vec::new()
            } else {
                vec![Some("%00")]
            };
            values.extend(is_required.then_some(None));
            let is_text = kind(schema) == "string" && schema["enum"].is_null();
            values.extend((!is_text).then_some(Some("x")));
            requests.extend(values.into_iter().map(|value| InvalidRequest {
                method: method.clone(),
                path: query(name, value),
                body: None,
                field: (*name).to_owned(),
                may_succeed: false,
            }));
        }
    }

    fn add_invalid_bodies(
        &self,
        method: &Method,
        path: &str,
        operation: &Value,
        requests: &mut Vec<InvalidRequest>,
    ) {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        if kind(self.resolve(schema)) != "object" {
            return;
        }
        let valid = self.sample(schema);
        let mut fields = Vec::new();
        self.collect_fields("", schema, &mut fields);
        for Field { pointer, wrong } in fields {
            let mut request = |body, may_succeed| {
                requests.push(InvalidRequest {
                    method: method.clone(),
                    path: path.to_owned(),
                    body: Some(body),
                    field: field_path(&pointer),
                    may_succeed,
                });
            };
            let mut body = valid.clone();
            *body.pointer_mut(&pointer).unwrap() = wrong;
            request(body, false);
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            let mut body = valid.clone();
            if let Some(parent) = body.pointer_mut(parent).unwrap().as_object_mut() {
                parent.remove(name);
                request(body, true);
            }
        }
    }
}

/// Returns the type of a schema that is not null.
fn kind(schema: &Value) -> &str {
    match &schema["type"] {
        Value::Array(types) => types
            .iter()
            .find_map(|kind| kind.as_str().filter(|kind| *kind != "null")),
        kind => kind.as_str(),
    }
    .unwrap_or_default()
}

fn wrong_value(schema: &Value) -> Value {
    match kind(schema) {
        "string" if schema["enum"].is_null() => json!(5),
        "array" => json!({}),
        _ => json!("no such value"),
    }
}

fn parameter_value(schema: &Value) -> String {
    match kind(schema) {
        "integer" | "number" => "1".to_owned(),
        "boolean" => "true".to_owned(),
        _ => schema["enum"][0].as_str().unwrap_or("x").to_owned(),
    }
}

/// Converts the pointer "/cart/items/0/note" into the path "cart.items[0].note".
fn field_path(pointer: &str) -> String {
    let parts = pointer.split('/').skip(1);
    let path: String = parts
        .map(|part| match part.parse::<usize>() {
            Ok(index) => format!("[{index}]"),
            Err(_) => format!(".{part}"),
        })
        .collect();
    path.trim_start_matches('.').to_owned()
}

async fn send(gateway: &Gateway, request: &InvalidRequest) -> (u16, Value) {
    let mut call = gateway.request(request.method.clone(), &request.path);
    if let Some(body) = &request.body {
        call = call.json(body);
    }
    let call = if request.path.starts_with("/store-api/operator") {
        call.bearer_auth(OPERATOR_KEY)
    } else if request.path.starts_with("/store-api") {
        call.bearer_auth(new_token())
    } else {
        call.with_session(&new_token())
    };
    status_and_body(call.send().await.unwrap()).await
}

/// Returns what is wrong with the response to an invalid request.
fn find_violation(request: &InvalidRequest, status: u16, body: &Value) -> Option<String> {
    if request.may_succeed && status != 400 {
        return None;
    }
    let message = body["errors"][0].as_str().unwrap_or_default();
    let is_named = status == 400 && body["field"] == *request.field;
    let has_reason = body["reason"].as_str().is_some_and(|reason| !reason.is_empty());
    let names_type = TYPE_NAMES.iter().any(|name| message.contains(name));
    (!is_named || !has_reason || names_type).then(|| {
        let InvalidRequest {
            method, path, field, ..
        } = request;
        format!("{method} {path}, {field}: {status} {body}")
    })
}

#[tokio::test]
async fn the_error_of_an_invalid_value_names_its_field() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("AuthenticateStore", |_: AuthenticateStoreRequest| {
        Ok(AuthenticateStoreResponse {
            credential_id: "crd_01h455vb4pex5vsknk084sn02q".to_owned(),
            all_stores: true,
            ..AuthenticateStoreResponse::default()
        })
    });
    let keys = format!("ada:{}", hex::encode(Sha256::digest(OPERATOR_KEY)));
    let gateway = Gateway::start_with(&services, &[("OPERATOR_KEYS", &keys)]).await;
    let requests = Document::read().invalid_requests();
    assert!(requests.len() > 300, "{}", requests.len());
    let mut violations = Vec::new();
    for request in &requests {
        let (status, body) = send(&gateway, request).await;
        violations.extend(find_violation(request, status, &body));
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}
