//! A search term, cut into the words that a store has to match.

/// More words make nothing clearer.
const MOST_WORDS: usize = 4;
const MOST_CHARACTERS: usize = 80;

/// The words of a term: at least one. Words beyond the fourth are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term([String; MOST_WORDS]);

impl Term {
    /// Reads what a person typed; nothing if there is no letter or digit in it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let short: String = text.chars().take(MOST_CHARACTERS).collect();
        let mut words = short
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase);
        let first = words.next()?;
        // Every store matches a word as often as it is asked, so that a short term repeats its first.
        Some(Self(std::array::from_fn(|place| {
            if place == 0 { first.clone() } else { words.next().unwrap_or_else(|| first.clone()) }
        })))
    }

    /// Its words.
    #[must_use]
    pub const fn words(&self) -> &[String; MOST_WORDS] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_what_a_person_types() {
        assert_eq!(Term::parse(" Sunset & Maltman ").unwrap().words(), &["sunset", "maltman", "sunset", "sunset"]);
        assert_eq!(Term::parse("a b c d e").unwrap().words(), &["a", "b", "c", "d"]);
        assert_eq!(Term::parse(" &%_ "), None);
    }
}
