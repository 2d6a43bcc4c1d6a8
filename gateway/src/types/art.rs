//! Parameters of drawings.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Parameters of a drawing: an object that only the web app reads. Passed on without being taken apart.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Art(Box<RawValue>);

impl Art {
    /// What a service sent, or an empty object where that is none.
    pub(crate) fn of(text: String) -> Self {
        let object = if text.starts_with('{') {
            RawValue::from_string(text).ok()
        } else {
            None
        };
        Self(object.unwrap_or_else(|| RawValue::from_string("{}".to_owned()).unwrap_or_default()))
    }
}

impl PartialSchema for Art {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new()
            .description(Some("Parameters of a drawing"))
            .additional_properties(Some(AdditionalProperties::FreeForm(true)));
        Schema::Object(object.build()).into()
    }
}

impl ToSchema for Art {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn art_is_an_object_whatever_was_sent() {
        for (sent, answered) in [
            (r#"{"vessel":"cup"}"#, r#"{"vessel":"cup"}"#),
            ("", "{}"),
            ("{broken", "{}"),
            ("[1]", "{}"),
        ] {
            assert_eq!(serde_json::to_string(&Art::of(sent.into())).unwrap(), answered);
        }
    }
}
