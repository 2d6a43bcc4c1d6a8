//! What people say in their own words.

/// Without the blanks around it; none where it is longer than is kept.
pub fn of(text: &str, longest: usize) -> Option<String> {
    let text = text.trim();
    (text.chars().count() <= longest).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_counted_in_characters_and_never_cut() {
        assert_eq!(of(" été ", 3).as_deref(), Some("été"));
        assert_eq!(of("étés", 3), None);
    }
}
