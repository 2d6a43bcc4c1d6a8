//! A search term, cut into the words that a store has to match.

/// More words make nothing clearer.
pub const MOST_WORDS: usize = 4;
const MOST_CHARACTERS: usize = 80;

/// The words of a term: one to [`MOST_WORDS`], in lower case, none twice. Words beyond are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term(Vec<String>);

impl Term {
    /// Reads what a person typed; nothing if there is no letter or digit in it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let short: String = text.chars().take(MOST_CHARACTERS).collect();
        let mut words: Vec<String> = Vec::new();
        for word in short.split(|character: char| !character.is_alphanumeric()) {
            let word = word.to_lowercase();
            if !word.is_empty() && !words.contains(&word) && words.len() < MOST_WORDS {
                words.push(word);
            }
        }
        (!words.is_empty()).then_some(Self(words))
    }

    /// Its words.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_what_a_person_types() {
        assert_eq!(
            Term::parse(" Sunset & Maltman, SUNSET ").unwrap().words(),
            ["sunset", "maltman"]
        );
        assert_eq!(Term::parse("a b c d e").unwrap().words(), ["a", "b", "c", "d"]);
        assert_eq!(Term::parse(" &%_ "), None);
    }
}
