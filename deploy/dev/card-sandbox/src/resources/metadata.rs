//! Metadata: a map that is merged, where an empty value removes a key.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::form::Form;

/// The caller's own notes on an object.
pub type Metadata = BTreeMap<String, String>;

/// Applies `metadata[…]` of a form.
pub fn merge(metadata: &mut Metadata, form: &Form) {
    let Some(given) = form.group("metadata") else {
        if form.has("metadata") {
            metadata.clear();
        }
        return;
    };
    for (key, value) in given {
        match value.as_str() {
            Some("") | None => metadata.remove(key),
            Some(value) => metadata.insert(key.clone(), value.to_owned()),
        };
    }
}

/// The metadata of a form, for a new object.
pub fn from(form: &Form) -> Metadata {
    let mut metadata = Metadata::new();
    merge(&mut metadata, form);
    metadata
}

/// Whether the metadata satisfies a search query: `metadata['order_id']:'ord_1' AND …`. Only this form is understood.
pub fn matches(metadata: &Metadata, query: &str) -> Option<bool> {
    query.split(" AND ").try_fold(true, |so_far, clause| {
        let (key, value) = clause.trim().strip_prefix("metadata[")?.split_once("]:")?;
        let bare = |text: &str| text.trim_matches(['\'', '"']).to_owned();
        Some(so_far && metadata.get(&bare(key)) == Some(&bare(value)))
    })
}

/// A search's answer: like a list, under another name.
pub fn search_result(path: &str, data: &[Value]) -> Value {
    serde_json::json!({
        "object": "search_result", "url": path, "has_more": false, "next_page": null, "total_count": data.len(),
        "data": data,
    })
}
