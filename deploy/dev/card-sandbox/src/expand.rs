//! `expand[]`: replaces ids in a response with the objects that they identify.

use serde_json::Value;

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
    let Some(field) = value.get_mut(*name) else { return };
    if let Some(object) = field.as_str().and_then(|id| state.find(id)) {
        *field = object;
    }
    expand_path(state, field, remaining);
}
