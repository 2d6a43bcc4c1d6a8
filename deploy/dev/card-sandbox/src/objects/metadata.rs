//! Metadata: key-value pairs of the caller on an object.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::form::Form;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Metadata(BTreeMap<String, String>);

impl Metadata {
    /// Returns the metadata of a new object.
    pub fn from_form(form: &Form) -> Self {
        let mut metadata = Self::default();
        metadata.merge(form);
        metadata
    }

    /// Applies the parameters `metadata[…]`. An empty value removes its key; an empty `metadata` removes all keys.
    pub fn merge(&mut self, form: &Form) {
        let Some(parameters) = form.group("metadata") else {
            if form.has("metadata") {
                self.0.clear();
            }
            return;
        };
        for (key, value) in parameters {
            match value.as_str() {
                Some("") | None => self.0.remove(key),
                Some(value) => self.0.insert(key.clone(), value.to_owned()),
            };
        }
    }

    /// Returns whether the metadata matches a search query of the form `metadata['order_id']:'ord_1' AND …`, or `None`
    /// if the query has another form.
    pub fn matches(&self, query: &str) -> Option<bool> {
        query.split(" AND ").try_fold(true, |so_far, clause| {
            let (key, value) = clause.trim().strip_prefix("metadata[")?.split_once("]:")?;
            let unquote = |text: &str| text.trim_matches(['\'', '"']).to_owned();
            Some(so_far && self.0.get(&unquote(key)) == Some(&unquote(value)))
        })
    }
}
