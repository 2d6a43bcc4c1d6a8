//! Messages for query parameters that cannot be parsed. The library's errors name types and parsers of the program.

use axum::extract::rejection::QueryRejection;

use crate::error::ApiError;

pub(super) const REASON: &str = "MALFORMED_QUERY";

const LIBRARY_PREFIX: &str = "Failed to deserialize query string: ";

/// The library's message for a value of the wrong type, and what the parameter has to be.
const EXPECTED: [(&str, &str); 5] = [
    ("invalid digit", WHOLE_NUMBER),
    ("float", "a number"),
    ("empty string", WHOLE_NUMBER),
    ("number too large", "a smaller number"),
    ("`true` or `false`", "true or false"),
];
const WHOLE_NUMBER: &str = "a whole number that isn't negative";

/// Names the parameter and what is wrong with it.
pub(super) fn query_error(rejection: &QueryRejection) -> ApiError {
    let text = rejection.body_text();
    let (parameter, message) = describe(text.strip_prefix(LIBRARY_PREFIX).unwrap_or(&text));
    let mut error = ApiError::invalid_request(REASON, message);
    error.error.field = parameter.map(|parameter| parameter.to_owned().into());
    error
}

/// Returns the parameter, if the library names it, and the message.
fn describe(library_message: &str) -> (Option<&str>, String) {
    if let Some(parameter) = between(library_message, "missing field `") {
        return (Some(parameter), format!("`{parameter}` is missing."));
    }
    if let Some(parameter) = between(library_message, "duplicate field `") {
        return (Some(parameter), format!("`{parameter}` was sent more than once."));
    }
    let Some((parameter, problem)) = library_message.split_once(": ") else {
        return (None, "The query of the address isn't valid.".to_owned());
    };
    let message = match EXPECTED.iter().find(|(part, _)| problem.contains(part)) {
        Some((_, expected)) => format!("`{parameter}` must be {expected}."),
        None => format!("`{parameter}` has an unknown value."),
    };
    (Some(parameter), message)
}

/// Returns the text from the end of `start` to the next backtick.
fn between<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    rest.split_once('`').map(|(found, _)| found)
}
