//! Form bodies with brackets, as the provider's clients send them: `card[number]=…&expand[]=…`.

use serde_json::{Map, Value};

use crate::refusal::Refusal;

/// A decoded form: nested objects with strings for leaves; lists are objects with numbers for keys.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Form(Map<String, Value>);

impl Form {
    /// Decodes a body or query string. Never fails: what is not a pair is an empty value.
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

    /// The text at a dotted path; `None` where it is absent or empty.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.at(path)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    }

    /// Like [`Form::text`], owned.
    pub fn owned(&self, path: &str) -> Option<String> {
        self.text(path).map(ToOwned::to_owned)
    }

    /// Whether the path was sent at all, be it empty.
    pub fn has(&self, path: &str) -> bool {
        self.at(path).is_some()
    }

    /// The text at a path that must be there.
    ///
    /// # Errors
    /// `parameter_missing`.
    pub fn required(&self, path: &str) -> Result<&str, Refusal> {
        self.text(path).ok_or_else(|| {
            Refusal::parameter(
                "parameter_missing",
                path,
                format!("Missing required param: {path}."),
            )
        })
    }

    /// A whole number, where there is one.
    ///
    /// # Errors
    /// `parameter_invalid_integer`.
    pub fn integer(&self, path: &str) -> Result<Option<i64>, Refusal> {
        self.text(path)
            .map(|text| {
                text.parse().map_err(|_| {
                    let message = format!("Invalid integer: {text}");
                    Refusal::parameter("parameter_invalid_integer", path, message)
                })
            })
            .transpose()
    }

    /// True or false; absent is false.
    pub fn flag(&self, path: &str) -> bool {
        matches!(self.text(path), Some("true" | "1"))
    }

    /// A list of texts.
    pub fn texts(&self, path: &str) -> Vec<&str> {
        match self.at(path) {
            Some(Value::Object(items)) => items.values().filter_map(Value::as_str).collect(),
            Some(Value::String(text)) if !text.is_empty() => vec![text],
            _ => Vec::new(),
        }
    }

    /// The object at a path.
    pub fn group(&self, path: &str) -> Option<&Map<String, Value>> {
        self.at(path).and_then(Value::as_object)
    }

    /// What stands under a path, as a form of its own.
    pub fn within(&self, path: &str) -> Option<Self> {
        self.group(path).cloned().map(Self)
    }

    /// The same text for the same parameters, whatever their order; digested, never kept.
    pub fn canonical(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }
}

fn insert(into: &mut Map<String, Value>, path: &[&str], value: String) {
    let Some((name, rest)) = path.split_first() else {
        return;
    };
    let name = if name.is_empty() {
        format!("{:04}", into.len())
    } else {
        (*name).to_owned()
    };
    if rest.is_empty() {
        into.insert(name, Value::String(value));
        return;
    }
    let below = into.entry(name).or_insert_with(|| Value::Object(Map::new()));
    if !below.is_object() {
        *below = Value::Object(Map::new());
    }
    if let Value::Object(below) = below {
        insert(below, rest, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_brackets_and_lists() {
        let form =
            Form::parse(b"card[number]=4242&expand[]=a&expand[]=b&types[0]=card&confirm=true&amount=12");
        assert_eq!(form.text("card.number"), Some("4242"));
        assert_eq!(form.texts("expand"), ["a", "b"]);
        assert_eq!(form.texts("types"), ["card"]);
        assert!(form.flag("confirm"));
        assert_eq!(form.integer("amount").ok().flatten(), Some(12));
    }

    #[test]
    fn order_does_not_matter_to_the_canonical_text() {
        assert_eq!(
            Form::parse(b"a=1&b[c]=2").canonical(),
            Form::parse(b"b[c]=2&a=1").canonical()
        );
    }

    #[test]
    fn a_bad_integer_names_its_parameter() {
        let refusal = Form::parse(b"amount=1.5")
            .integer("amount")
            .expect_err("not an integer");
        assert_eq!(refusal.error()["param"], "amount");
    }
}
