//! Parameters of drawings.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Parameters of a drawing: a JSON object that only the web app reads.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Art(Box<RawValue>);

/// Text that is not a JSON object becomes an empty one.
impl From<String> for Art {
    fn from(text: String) -> Self {
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
    fn is_always_written_as_an_object() {
        for (text, written) in [
            (r#"{"vessel":"cup"}"#, r#"{"vessel":"cup"}"#),
            ("", "{}"),
            ("{broken", "{}"),
            ("[1]", "{}"),
        ] {
            let art = Art::from(text.to_owned());
            assert_eq!(serde_json::to_string(&art).unwrap(), written);
        }
    }
}
