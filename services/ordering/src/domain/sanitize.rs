//! Free text from consumers and stores, which is shown on the screens of other people.

/// Sanitizes the text and returns it if it is not too long.
pub(crate) fn sanitize_text_within(text: &str, max_chars: usize) -> Option<String> {
    let text = sanitize_text(text);
    (text.chars().count() <= max_chars).then_some(text)
}

/// Joins lines, collapses white space and removes control characters, including those that change the direction of the
/// surrounding text.
pub(crate) fn sanitize_text(text: &str) -> String {
    let visible: String = text
        .chars()
        .filter(|&c| c.is_whitespace() || !(c.is_control() || is_bidi_control(c)))
        .collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_counted_in_characters_and_text_is_never_cut() {
        assert_eq!(sanitize_text_within(" été ", 3).as_deref(), Some("été"));
        assert_eq!(sanitize_text_within("étés", 3), None);
    }

    #[test]
    fn control_characters_are_removed() {
        assert_eq!(sanitize_text("\u{202e}ayaM\u{202c}"), "ayaM");
        assert_eq!(
            sanitize_text("no\u{1b}[2J foam\r\n\tplease\u{0}"),
            "no[2J foam please"
        );
        assert_eq!(sanitize_text("Zoë 明 👩‍🍳"), "Zoë 明 👩‍🍳");
    }
}
