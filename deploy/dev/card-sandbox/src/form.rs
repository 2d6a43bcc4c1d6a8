//! Form parameters with brackets, as the provider's clients send them: `card[number]=…&expand[]=…`.

use serde_json::{Map, Value};

use crate::api_error::ApiError;

/// A decoded form: nested objects with strings as leaves. The keys of a list are its indexes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Form(Map<String, Value>);

impl Form {
    /// Decodes a body or query string. A name without a value has an empty value.
    pub fn parse(encoded: &[u8]) -> Self {
        let mut root = Map::new();
        for (name, value) in url::form_urlencoded::parse(encoded) {
            let path: Vec<&str> = name.split('[').map(|part| part.trim_end_matches(']')).collect();
            insert(&mut root, &path, value.into_owned());
        }
        Self(root)
    }

    fn at(&self, path: &str) -> Option<&Value> {
        let mut parts = path.split('.');
        let first = self.0.get(parts.next()?)?;
        parts.try_fold(first, |value, part| value.get(part))
    }

    /// Returns the text at a dotted path, or `None` if it is absent or empty.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.at(path)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Returns [`Form::text`] as an owned string.
    pub fn owned(&self, path: &str) -> Option<String> {
        self.text(path).map(ToOwned::to_owned)
    }

    /// Returns whether the path is present, even if it is empty.
    pub fn has(&self, path: &str) -> bool {
        self.at(path).is_some()
    }

    /// Returns the text at a path.
    ///
    /// # Errors
    /// `parameter_missing` if it is absent or empty.
    pub fn required(&self, path: &str) -> Result<&str, ApiError> {
        self.text(path).ok_or_else(|| {
            ApiError::parameter(
                "parameter_missing",
                path,
                format!("Missing required param: {path}."),
            )
        })
    }

    /// Returns the number at a path, or `None` if it is absent or empty.
    ///
    /// # Errors
    /// `parameter_invalid_integer` if it is not an integer.
    pub fn integer(&self, path: &str) -> Result<Option<i64>, ApiError> {
        self.text(path)
            .map(|text| {
                text.parse().map_err(|_| {
                    let message = format!("Invalid integer: {text}");
                    ApiError::parameter("parameter_invalid_integer", path, message)
                })
            })
            .transpose()
    }

    /// Returns whether the value is true. An absent value is false.
    pub fn flag(&self, path: &str) -> bool {
        matches!(self.text(path), Some("true" | "1"))
    }

    /// Returns the list of texts at a path. A single text is a list of one.
    pub fn texts(&self, path: &str) -> Vec<&str> {
        match self.at(path) {
            Some(Value::Object(items)) => items.values().filter_map(Value::as_str).collect(),
            Some(Value::String(text)) if !text.is_empty() => vec![text],
            _ => Vec::new(),
        }
    }

    pub fn group(&self, path: &str) -> Option<&Map<String, Value>> {
        self.at(path).and_then(Value::as_object)
    }

    /// Returns the parameters below a path as a form.
    pub fn within(&self, path: &str) -> Option<Self> {
        self.group(path).cloned().map(Self)
    }

    /// Returns a text that is equal for equal parameters in any order. It contains card numbers: never store it.
    pub fn canonical(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }
}

fn insert(object: &mut Map<String, Value>, path: &[&str], value: String) {
    let Some((name, remaining)) = path.split_first() else {
        return;
    };
    let name = if name.is_empty() {
        format!("{:04}", object.len())
    } else {
        (*name).to_owned()
    };
    if remaining.is_empty() {
        object.insert(name, Value::String(value));
        return;
    }
    let child = object.entry(name).or_insert_with(|| Value::Object(Map::new()));
    if !child.is_object() {
        *child = Value::Object(Map::new());
    }
    if let Value::Object(child) = child {
        insert(child, remaining, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_and_lists_are_decoded() {
        let form =
            Form::parse(b"card[number]=4242&expand[]=a&expand[]=b&types[0]=card&confirm=true&amount=12");
        assert_eq!(form.text("card.number"), Some("4242"));
        assert_eq!(form.texts("expand"), ["a", "b"]);
        assert_eq!(form.texts("types"), ["card"]);
        assert!(form.flag("confirm"));
        assert_eq!(form.integer("amount").ok().flatten(), Some(12));
    }

    #[test]
    fn the_canonical_text_does_not_depend_on_the_order() {
        assert_eq!(
            Form::parse(b"a=1&b[c]=2").canonical(),
            Form::parse(b"b[c]=2&a=1").canonical()
        );
    }

    #[test]
    fn an_invalid_integer_is_reported_with_its_parameter() {
        let error = Form::parse(b"amount=1.5")
            .integer("amount")
            .expect_err("not an integer");
        assert_eq!(error.object()["param"], "amount");
    }
}
