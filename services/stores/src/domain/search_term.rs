//! Search terms.

use types::limits::MAX_SEARCH_TERM_CHARS;

/// The search statement has this many parameters. Further words are ignored.
const MAX_WORDS: usize = 4;

/// One to [`MAX_WORDS`] different words in lower case, each of which a store has to match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchTerm(Vec<String>);

impl SearchTerm {
    /// Returns `None` if the text contains no letter or digit.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let limited: String = text.chars().take(MAX_SEARCH_TERM_CHARS).collect();
        let mut words: Vec<String> = Vec::new();
        for word in limited.split(|character: char| !character.is_alphanumeric()) {
            let word = word.to_lowercase();
            if !word.is_empty() && !words.contains(&word) && words.len() < MAX_WORDS {
                words.push(word);
            }
        }
        (!words.is_empty()).then_some(Self(words))
    }

    #[must_use]
    pub(crate) fn words(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_split_into_distinct_words() {
        assert_eq!(
            SearchTerm::parse(" Sunset & Maltman, SUNSET ").unwrap().words(),
            ["sunset", "maltman"]
        );
        assert_eq!(
            SearchTerm::parse("a b c d e").unwrap().words(),
            ["a", "b", "c", "d"]
        );
        assert_eq!(SearchTerm::parse(" &%_ "), None);
    }
}
