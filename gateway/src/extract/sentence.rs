//! Sentences from the error messages of libraries.

/// Capitalizes the first letter and adds a full stop.
pub(crate) fn to_sentence(message: &str) -> String {
    let mut letters = message.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| {
        format!("{}{}.", first.to_uppercase(), letters.as_str())
    })
}
