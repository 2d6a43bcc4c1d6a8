//! What a value of a request must be, in words. The messages of serde name types of the program.

const WHOLE_NUMBER: &str = "a whole number";
const WHOLE_NUMBER_FROM_0: &str = "a whole number that isn't negative";
const SMALLER_NUMBER: &str = "a smaller number";

/// Returns what a value must be, from serde's description of the value that was found and of the expected one. Returns `None`
/// for descriptions that a client cannot use.
pub(super) fn describe_expected(found: &str, expected: &str) -> Option<String> {
    if expected.starts_with('`') || expected.starts_with("one of `") {
        return Some(format!("must be {}", expected.replace('`', "")));
    }
    // "invalid value: integer `5000000000`": the type is right.
    let is_too_large = found.starts_with("invalid value: integer `") && !found.contains("`-");
    let expected = match expected {
        "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" if is_too_large => SMALLER_NUMBER,
        "i8" | "i16" | "i32" | "i64" => WHOLE_NUMBER,
        "u8" | "u16" | "u32" | "u64" => WHOLE_NUMBER_FROM_0,
        "f32" | "f64" => "a number",
        "a string" => "text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        number if number.parse::<i64>().is_ok() => number,
        _ if expected.starts_with("struct ") || expected == "a map" => "an object",
        _ => return None,
    };
    Some(format!("must be {expected}"))
}
