//! Free text that people type, which is shown on the screens of others.

/// Returns whether the character is a control character, or embeds, overrides or isolates the direction of text. The marks of
/// right-to-left text (U+061C, U+200E, U+200F) are allowed: they do not change other letters.
#[must_use]
pub fn is_control(c: char) -> bool {
    c.is_control() || is_bidi_control(c)
}

const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether the character shows nothing: a control character, one without width, or a filler. Some of them have a use in text,
/// such as the joiner in an emoji, but none in an address.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    is_control(c)
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}' | '\u{2029}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}' | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}' | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Joins lines, collapses white space and removes control characters, including those that change the direction of the
/// surrounding text. A text of which nothing can be seen becomes empty.
#[must_use]
pub fn sanitize_text(text: &str) -> String {
    let visible: String = text
        .chars()
        .filter(|&c| c.is_whitespace() || !is_control(c))
        .collect();
    if visible.chars().all(|c| c.is_whitespace() || is_invisible(c)) {
        return String::new();
    }
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Sanitizes the text and returns it if it has up to `max_chars` characters.
#[must_use]
pub fn sanitize_text_within(text: &str, max_chars: usize) -> Option<String> {
    let text = sanitize_text(text);
    (text.chars().count() <= max_chars).then_some(text)
}

/// Sanitizes each line of the text. Empty lines at its start and end are removed.
#[must_use]
pub fn sanitize_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(sanitize_text).collect();
    lines.join("\n").trim().to_owned()
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

    #[test]
    fn a_text_of_which_nothing_can_be_seen_is_empty() {
        for text in ["", " \n", "\u{200b}\u{feff}", "\u{2067}\u{200d} \u{2069}"] {
            assert_eq!(sanitize_text(text), "", "{text:?}");
        }
    }

    #[test]
    fn lines_of_a_message_stay() {
        assert_eq!(
            sanitize_lines("\r\nHappy  birthday,\r\n\r\n\u{202e}Maya!\u{7} \n "),
            "Happy birthday,\n\nMaya!"
        );
    }
}
