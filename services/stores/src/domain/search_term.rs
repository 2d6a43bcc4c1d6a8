//! Search terms.

use types::limits::MAX_SEARCH_TERM_CHARS;

/// Maximum number of words, which is the number of parameters of the search statement. Further words are ignored.
const MAX_WORDS: usize = 4;

/// One to [`MAX_WORDS`] distinct words in lower case. A store has to match each of them.
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

/// Returns the place of a postcode of five digits among the words. `texts` are words without accents.
pub(crate) fn find_postcode(texts: &[String]) -> Option<usize> {
    texts.iter().position(|text| is_number(text, 5))
}

/// Removes the last four digits of a postcode with nine digits, which stores are not found by.
pub(crate) fn drop_postcode_extension(texts: &mut Vec<String>) {
    let extended = texts
        .windows(2)
        .position(|pair| is_number(&pair[0], 5) && is_number(&pair[1], 4));
    if let Some(place) = extended {
        texts.remove(place + 1);
    }
}

fn is_number(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A word of the search index that matches a word of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordMatch {
    pub(crate) text: String,
    pub(crate) word: String,
    /// Number of stores with the word.
    pub(crate) stores: i64,
}

/// The words of the search index that match one word of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TermMatch {
    pub(crate) words: Vec<String>,
    /// Upper bound of the number of stores with one of the words.
    pub(crate) stores: i64,
    /// Regular expression for the search text of a store.
    pub(crate) pattern: String,
}

impl TermMatch {
    /// For a postcode of five digits, which is the last word of the search text of a store.
    pub(crate) fn postcode(matches: &[WordMatch]) -> Self {
        let words: Vec<&str> = matches.iter().map(|found| found.word.as_str()).collect();
        Self {
            words: words.iter().map(|&word| word.to_owned()).collect(),
            stores: matches.iter().map(|found| found.stores).sum(),
            pattern: format!("\\m({})$", words.join("|")),
        }
    }

    /// `text` has only letters and digits. Without words that begin with it, it matches nothing.
    pub(crate) fn prefix(text: &str, matches: &[WordMatch]) -> Self {
        Self::new(text, matches, format!("\\m{text}"))
    }

    /// For a text that is followed by another one, so that it is typed completely: stands for the word itself if there is
    /// one, and otherwise for the words that begin with it.
    pub(crate) fn complete(text: &str, matches: &[WordMatch]) -> Self {
        let itself: Vec<WordMatch> = words_of(text, matches)
            .filter(|found| found.word == text)
            .cloned()
            .collect();
        if itself.is_empty() {
            Self::prefix(text, matches)
        } else {
            Self::new(text, &itself, format!("\\m{text}\\M"))
        }
    }

    pub(crate) fn similar(text: &str, matches: &[WordMatch]) -> Self {
        let words: Vec<&str> = words_of(text, matches).map(|found| found.word.as_str()).collect();
        Self::new(text, matches, format!("\\m({})\\M", words.join("|")))
    }

    fn new(text: &str, matches: &[WordMatch], pattern: String) -> Self {
        Self {
            words: words_of(text, matches).map(|found| found.word.clone()).collect(),
            stores: words_of(text, matches).map(|found| found.stores).sum(),
            pattern,
        }
    }
}

fn words_of<'a>(text: &'a str, matches: &'a [WordMatch]) -> impl Iterator<Item = &'a WordMatch> {
    matches.iter().filter(move |found| found.text == text)
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

    #[test]
    fn a_postcode_is_found_with_and_without_its_extension() {
        let texts = |term: &str| -> Vec<String> { SearchTerm::parse(term).unwrap().words().to_vec() };
        let mut with_extension = texts("94110-1234");
        drop_postcode_extension(&mut with_extension);
        assert_eq!(with_extension, ["94110"]);
        let mut street = texts("1240 Alameda 4110");
        drop_postcode_extension(&mut street);
        assert_eq!(street.len(), 3);
        assert_eq!(find_postcode(&texts("denver 80202")), Some(1));
        assert_eq!(find_postcode(&texts("denver 8020")), None);
    }

    #[test]
    fn a_text_stands_for_its_own_words() {
        let found = |text: &str, word: &str, stores| WordMatch {
            text: text.into(),
            word: word.into(),
            stores,
        };
        let matches = [
            found("sun", "sunset", 4),
            found("st", "street", 9),
            found("sun", "sunny", 2),
        ];
        let prefix = TermMatch::prefix("sun", &matches);
        assert_eq!(
            (prefix.words.len(), prefix.stores, prefix.pattern.as_str()),
            (2, 6, "\\msun")
        );
        let similar = TermMatch::similar("sun", &matches);
        assert_eq!(similar.pattern, "\\m(sunset|sunny)\\M");
        assert_eq!(TermMatch::prefix("x", &matches).stores, 0);
    }

    #[test]
    fn a_complete_text_stands_for_itself_if_it_is_a_word() {
        let found = |text: &str, word: &str| WordMatch {
            text: text.into(),
            word: word.into(),
            stores: 1,
        };
        let matches = [
            found("san", "san"),
            found("san", "sandy"),
            found("corn", "corner"),
        ];
        let word = TermMatch::complete("san", &matches);
        assert_eq!(
            (word.words, word.pattern.as_str()),
            (vec!["san".to_owned()], "\\msan\\M")
        );
        let prefix = TermMatch::complete("corn", &matches);
        assert_eq!(
            (prefix.words, prefix.pattern.as_str()),
            (vec!["corner".to_owned()], "\\mcorn")
        );
    }
}
