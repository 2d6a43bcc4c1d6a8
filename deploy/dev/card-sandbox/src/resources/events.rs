//! Events: what happened, and with it what the webhooks deliver.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::books::{Books, Kept};
use crate::call::{Call, Cause};
use crate::pages;
use crate::refusal::Refusal;
use crate::webhooks::Delivery;

/// An event, as the API shows it and as webhooks carry it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Event {
    pub id: String,
    pub object: String,
    pub api_version: String,
    pub created: i64,
    pub data: Data,
    pub livemode: bool,
    pub pending_webhooks: i64,
    pub request: Origin,
    #[serde(rename = "type")]
    pub kind: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Data {
    /// The object as it was right after the event.
    pub object: Value,
}

/// The request that caused an event; empty where the sandbox itself did.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Origin {
    pub id: Option<String>,
    pub idempotency_key: Option<String>,
}

/// Notes that something happened to an object, queues the webhook, and gives the object as it is shown.
pub fn emit<T: Kept>(books: &mut Books, cause: &Cause, kind: &str, object: &T) -> Value {
    let shown = json!(object);
    let event = Event {
        id: books.mint("evt"),
        object: "event".into(),
        api_version: crate::API_VERSION.into(),
        created: cause.now(),
        data: Data {
            object: shown.clone(),
        },
        livemode: false,
        pending_webhooks: 1,
        request: Origin {
            id: cause.request.clone(),
            idempotency_key: cause.idempotency_key.clone(),
        },
        kind: kind.to_owned(),
    };
    books.put(Delivery::new(&event.id));
    books.put(event);
    shown
}

pub fn retrieve(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let event = books
        .events
        .get(call.id())
        .ok_or_else(|| Refusal::missing("event", call.id(), "id"))?;
    Ok(json!(event))
}

pub fn list(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let mut kinds = call.form.texts("types");
    kinds.extend(call.form.text("type"));
    let created = pages::created_within(call)?;
    let wanted = |event: &&Event| {
        created(event.created)
            && (kinds.is_empty()
                || kinds.iter().any(|kind| match kind.strip_suffix('*') {
                    Some(prefix) => event.kind.starts_with(prefix),
                    None => event.kind == *kind,
                }))
    };
    pages::page(call, books.events.iter().filter(wanted), |it| &it.id)
}
