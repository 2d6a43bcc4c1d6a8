//! Events.

use serde::Serialize;
use serde_json::{Value, json};

use crate::api_error::ApiError;
use crate::objects::{Delivery, Event, EventData, EventSource};
use crate::pagination;
use crate::request::{ApiRequest, RequestContext};
use crate::state::State;

/// Stores an event about an object, queues its webhook, and returns the object as the API shows it.
pub fn emit(state: &mut State, context: &RequestContext, event_type: &str, object: &impl Serialize) -> Value {
    let object = json!(object);
    let event = Event {
        id: state.new_id("evt"),
        object: "event".into(),
        api_version: crate::API_VERSION.into(),
        created: context.now(),
        data: EventData {
            object: object.clone(),
        },
        livemode: false,
        pending_webhooks: 1,
        request: EventSource {
            id: context.request_id.clone(),
            idempotency_key: context.idempotency_key.clone(),
        },
        event_type: event_type.to_owned(),
    };
    state.put(Delivery::new(&event.id));
    state.put(event);
    object
}

pub fn retrieve(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let event = state
        .events
        .get(request.id())
        .ok_or_else(|| ApiError::missing("event", request.id(), "id"))?;
    Ok(json!(event))
}

pub fn list(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let mut types = request.form.texts("types");
    types.extend(request.form.text("type"));
    let is_created_in_range = pagination::created_filter(request)?;
    let matches_type = |event: &Event| {
        types.is_empty()
            || types.iter().any(|name| match name.strip_suffix('*') {
                Some(prefix) => event.event_type.starts_with(prefix),
                None => event.event_type == *name,
            })
    };
    let events = state
        .events
        .iter()
        .filter(|event| is_created_in_range(event.created) && matches_type(event));
    pagination::page(request, events, |event| &event.id)
}
