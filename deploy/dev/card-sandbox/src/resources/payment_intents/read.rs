//! Retrieves, lists and searches payment intents.

use serde_json::{Value, json};

use super::load;
use crate::api_error::ApiError;
use crate::pagination;
use crate::request::ApiRequest;
use crate::state::State;

/// `GET /v1/payment_intents/{id}`
pub fn retrieve(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let intent = load(state, request.id())?;
    request.check_client_secret(&intent.client_secret)?;
    Ok(json!(intent))
}

/// `GET /v1/payment_intents`. The customer may be deleted: its payments remain.
pub fn list(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let customer = request.form.text("customer");
    if let Some(id) = customer.filter(|id| state.customers.get(id).is_none()) {
        return Err(ApiError::missing_reference("customer", id, "customer"));
    }
    let is_created_in_range = pagination::created_filter(request)?;
    let intents = state.payment_intents.iter().filter(|intent| {
        is_created_in_range(intent.created)
            && customer.is_none_or(|customer| intent.customer.as_deref() == Some(customer))
    });
    pagination::page(request, intents, |intent| &intent.id)
}

/// `GET /v1/payment_intents/search?query=metadata['…']:'…'`
pub fn search(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let query = request.form.required("query")?;
    let mut matches = Vec::new();
    for intent in state.payment_intents.iter().rev() {
        let is_match = intent.metadata.matches(query).ok_or_else(|| {
            let message = "The sandbox supports searches by metadata only.";
            ApiError::parameter("parameter_unknown", "query", message)
        })?;
        if is_match {
            matches.push(json!(intent));
        }
    }
    Ok(pagination::search_result(request, &matches))
}
