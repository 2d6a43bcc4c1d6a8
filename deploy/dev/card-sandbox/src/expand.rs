//! `expand[]`: replaces ids in a response with the objects that they identify.

use serde_json::{Value, json};

use crate::state::State;

/// Expands each dotted path in the response. Paths that do not lead to an id have no effect.
pub fn expand(state: &State, response: &mut Value, paths: &[&str]) {
    for path in paths {
        let names: Vec<&str> = path.split('.').collect();
        expand_path(state, response, &names);
    }
}

fn expand_path(state: &State, value: &mut Value, names: &[&str]) {
    if let Value::Array(items) = value {
        for item in items {
            expand_path(state, item, names);
        }
        return;
    }
    let Some((name, remaining)) = names.split_first() else {
        return;
    };
    add_refunds(state, value, name);
    let Some(field) = value.get_mut(*name) else { return };
    if let Some(object) = field.as_str().and_then(|id| state.find(id)) {
        *field = object;
    }
    expand_path(state, field, remaining);
}

/// Adds the list of refunds to a charge, which has none unless it is expanded.
fn add_refunds(state: &State, value: &mut Value, name: &str) {
    if name != "refunds" || value["object"] != "charge" {
        return;
    }
    let refunds: Vec<Value> = state
        .refunds
        .iter()
        .rev()
        .filter(|refund| value["id"] == refund.charge)
        .map(|refund| json!(refund))
        .collect();
    let url = format!("/v1/charges/{}/refunds", value["id"].as_str().unwrap_or_default());
    value["refunds"] = json!({ "object": "list", "url": url, "has_more": false, "data": refunds });
}
