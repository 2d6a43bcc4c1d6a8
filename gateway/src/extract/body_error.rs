//! Decodes JSON bodies, and describes what is wrong with one. The messages of serde name types of the program.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_path_to_error::Path;

use super::expected::describe_expected;
use crate::error::ApiError;

pub(super) const REASON: &str = "MALFORMED_BODY";

/// Decodes a JSON object. Serde would also accept an array of the fields in order.
///
/// # Errors
/// `MALFORMED_JSON`, or `MALFORMED_BODY` with the path of the field.
pub(super) fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    if body.trim_ascii_start().starts_with(b"[") {
        return Err(not_an_object());
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let decoded = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| decode_error(body, error.path(), error.inner()))?;
    json.end().map_err(|_| malformed_json())?;
    Ok(decoded)
}

/// Returns the error for a field, with its path in the body.
pub(super) fn invalid_field(field: String, problem: &str) -> ApiError {
    let mut error = ApiError::invalid_request(REASON, format!("`{field}` {problem}."));
    error.error.field = Some(field.into());
    error
}

fn decode_error(body: &[u8], path: &Path, error: &serde_json::Error) -> ApiError {
    let text = error.to_string();
    // "missing field `phone` at line 1 column 2"
    let message = text
        .rsplit_once(" at line ")
        .map_or(&*text, |(message, _)| message);
    // A body can have an error of type before one of syntax.
    let is_json = serde_json::from_slice::<IgnoredAny>(body).is_ok();
    // serde_json reports a number where a text of a list is expected as an error of syntax.
    if !is_json || !(error.is_data() || message == "expected value") {
        return malformed_json();
    }
    let (field, problem) = describe(message);
    match (path.iter().next(), field) {
        (None, None) => not_an_object(),
        (None, Some(field)) => invalid_field(field.to_owned(), &problem),
        (Some(_), None) => invalid_field(path.to_string(), &problem),
        (Some(_), Some(field)) => invalid_field(format!("{path}.{field}"), &problem),
    }
}

/// Returns the field of the object at the error's path, if the message names one, and the problem.
fn describe(message: &str) -> (Option<&str>, String) {
    let named_field = |start: &str| message.strip_prefix(start)?.strip_suffix('`');
    if let Some(field) = named_field("missing field `") {
        return (Some(field), "is missing".to_owned());
    }
    if let Some(field) = named_field("duplicate field `") {
        return (Some(field), "was sent more than once".to_owned());
    }
    let problem = match message.rsplit_once(", expected ") {
        Some((found, expected)) => describe_expected(found, expected),
        None => None,
    };
    (None, problem.unwrap_or_else(|| "has an unknown value".to_owned()))
}

fn malformed_json() -> ApiError {
    ApiError::invalid_request("MALFORMED_JSON", "The request body isn't valid JSON.")
}

fn not_an_object() -> ApiError {
    ApiError::invalid_request(REASON, "The request body must be a JSON object.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::account::LoginRequest;
    use crate::types::cart::SaveCartRequest;
    use crate::types::place_order::PlaceOrderRequest;
    use crate::types::store_api::DelayOrderRequest;

    fn error_of<T: DeserializeOwned>(body: &str) -> (String, Option<String>, String) {
        let error = decode::<T>(body.as_bytes()).map(|_| ()).unwrap_err().error;
        let field = error.field.map(std::borrow::Cow::into_owned);
        (error.reason.into_owned(), field, error.message.into_owned())
    }

    /// Asserts that a body is rejected with the field and a message about it.
    fn assert_field_error<T: DeserializeOwned>(body: &str, field: &str, problem: &str) {
        let (reason, found, message) = error_of::<T>(body);
        assert_eq!(
            (&*reason, found.as_deref(), message),
            (REASON, Some(field), format!("`{field}` {problem}.")),
            "{body}"
        );
    }

    #[test]
    fn invalid_json_is_reported_without_a_field() {
        for body in [
            "",
            "{",
            r#"{"phone": }"#,
            r#"{"phone": "1"} x"#,
            r#"{"phone": "1"}{}"#,
            r#"{"phone": 1, "#,
            r#"{"phone": "\ud800"}"#,
        ] {
            let (reason, field, message) = error_of::<LoginRequest>(body);
            assert_eq!((&*reason, field), ("MALFORMED_JSON", None), "{body}");
            assert_eq!(message, "The request body isn't valid JSON.");
        }
    }

    #[test]
    fn a_body_is_an_object() {
        for body in [r#" ["+14155550100"]"#, "null", "1", r#""phone""#] {
            let (reason, field, message) = error_of::<LoginRequest>(body);
            assert_eq!((&*reason, field), (REASON, None), "{body}");
            assert_eq!(message, "The request body must be a JSON object.");
        }
    }

    #[test]
    fn missing_and_repeated_fields_are_named() {
        assert_field_error::<LoginRequest>("{}", "phone", "is missing");
        assert_field_error::<LoginRequest>(
            r#"{"phone": "1", "phone": "2"}"#,
            "phone",
            "was sent more than once",
        );
        assert_field_error::<SaveCartRequest>(r#"{"cart": {"items": []}}"#, "cart.storeId", "is missing");
        assert_field_error::<SaveCartRequest>(
            r#"{"cart": {"storeId": "", "items": [{"lineId": ""}]}}"#,
            "cart.items[0].itemId",
            "is missing",
        );
    }

    #[test]
    fn fields_of_a_wrong_type_are_named_with_what_they_must_be() {
        assert_field_error::<LoginRequest>(r#"{"phone": 5}"#, "phone", "must be text");
        assert_field_error::<LoginRequest>(r#"{"phone": null}"#, "phone", "must be text");
        for (fields, field, problem) in [
            (r#""tipAmount": "1""#, "cart.tipAmount", "must be a whole number"),
            (r#""tipAmount": 1.5"#, "cart.tipAmount", "must be a whole number"),
            (
                r#""tipAmount": 1e300"#,
                "cart.tipAmount",
                "must be a whole number",
            ),
            (
                r#""tipAmount": 9223372036854775808"#,
                "cart.tipAmount",
                "must be a smaller number",
            ),
            (r#""schedule": 5"#, "cart.schedule", "must be text"),
            (r#""items": {}"#, "cart.items", "must be a list"),
            (r#""items": [1]"#, "cart.items[0]", "must be an object"),
            (r#""promo": "FRESH""#, "cart.promo", "must be an object"),
        ] {
            assert_field_error::<SaveCartRequest>(&format!(r#"{{"cart": {{{fields}}}}}"#), field, problem);
        }
        for (quantity, problem) in [
            ("-1", "must be a whole number that isn't negative"),
            ("1.5", "must be a whole number that isn't negative"),
            ("4294967296", "must be a smaller number"),
        ] {
            let line = format!(r#"{{"lineId": "", "itemId": "", "sizeId": "", "quantity": {quantity}}}"#);
            let body = format!(r#"{{"cart": {{"items": [{line}]}}}}"#);
            assert_field_error::<SaveCartRequest>(&body, "cart.items[0].quantity", problem);
        }
        assert_field_error::<DelayOrderRequest>(
            r#"{"minutes": true}"#,
            "minutes",
            "must be a whole number that isn't negative",
        );
        assert_field_error::<PlaceOrderRequest>(
            r#"{"expectedTotal": {"currencyAmount": 1, "currencyFraction": 1000}}"#,
            "expectedTotal.currencyFraction",
            "must be 100",
        );
    }

    #[test]
    fn unknown_values_are_reported_with_the_known_ones() {
        let body = |pickup: &str| format!(r#"{{"cart": {{"pickup": {pickup}}}}}"#);
        assert_field_error::<SaveCartRequest>(
            &body(r#""boat, expected u32""#),
            "cart.pickup",
            "must be counter or curbside",
        );
        for pickup in ["5", "null", "true", "[]"] {
            assert_field_error::<SaveCartRequest>(&body(pickup), "cart.pickup", "has an unknown value");
        }
        assert_field_error::<PlaceOrderRequest>(
            r#"{"paymentMethod": {"type": "cash"}}"#,
            "paymentMethod.type",
            "must be one of card, bank, joebucks, apple, google",
        );
    }
}
