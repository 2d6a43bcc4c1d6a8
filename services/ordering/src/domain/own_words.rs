//! What people say in their own words: a barista's screen shows it.

/// On one line, without blanks around it and without characters that steer what stands beside it; none where it is
/// longer than is kept.
#[must_use]
pub fn of(text: &str, longest: usize) -> Option<String> {
    let text = clean(text);
    (text.chars().count() <= longest).then_some(text)
}

/// On one line, and without characters that nobody sees but that break lines, ring bells or turn text around.
#[must_use]
pub fn clean(text: &str) -> String {
    let seen: String = text
        .chars()
        .filter(|&c| c.is_whitespace() || !steers(c))
        .collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Control characters, and those that turn the direction of the text around them.
fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_counted_in_characters_and_never_cut() {
        assert_eq!(of(" été ", 3).as_deref(), Some("été"));
        assert_eq!(of("étés", 3), None);
    }

    #[test]
    fn steer_nothing_that_stands_beside_them() {
        assert_eq!(clean("\u{202e}ayaM\u{202c}"), "ayaM");
        assert_eq!(clean("no\u{1b}[2J foam\r\n\tplease\u{0}"), "no[2J foam please");
        assert_eq!(clean("Zoë 明 👩‍🍳"), "Zoë 明 👩‍🍳");
    }
}
