//! The operators: people who may look at the records of any order. Each has a key of their own, of which only the hash is configured.

use sha2::{Digest, Sha256};

use crate::config::OperatorConfig;

/// Shorter keys could be found from their hashes.
const MIN_KEY_LENGTH: usize = 32;

#[derive(Debug, Default)]
pub(crate) struct Operators(Vec<Operator>);

#[derive(Debug)]
struct Operator {
    name: String,
    key_hash: [u8; 32],
}

impl Operators {
    /// # Errors
    /// An entry is not a name and a hash, or two have the same name.
    pub(crate) fn from_config(config: &OperatorConfig) -> anyhow::Result<Self> {
        let mut operators: Vec<Operator> = Vec::new();
        let entries = config.operator_keys.split(',').map(str::trim);
        for entry in entries.filter(|entry| !entry.is_empty()) {
            let operator = Operator::parse(entry).ok_or_else(|| {
                anyhow::anyhow!(
                    "bad configuration: OPERATOR_KEYS: expected name:hash entries with the SHA-256 of a key in hexadecimal"
                )
            })?;
            anyhow::ensure!(
                operators.iter().all(|other| other.name != operator.name),
                "bad configuration: OPERATOR_KEYS: {} occurs twice",
                operator.name
            );
            operators.push(operator);
        }
        Ok(Self(operators))
    }

    /// Returns the name of the operator with a key.
    pub(crate) fn name_of(&self, key: &str) -> Option<&str> {
        if key.len() < MIN_KEY_LENGTH {
            return None;
        }
        let hash = Sha256::digest(key);
        let operator = self.0.iter().find(|operator| operator.key_hash[..] == hash[..]);
        operator.map(|operator| operator.name.as_str())
    }
}

impl Operator {
    fn parse(entry: &str) -> Option<Self> {
        let (name, hash) = entry.split_once(':')?;
        let key_hash = hex::decode(hash).ok()?.try_into().ok()?;
        (!name.is_empty()).then(|| Self {
            name: name.to_owned(),
            key_hash,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "a-key-of-ada-with-more-than-32-characters";

    fn operators(list: &str) -> anyhow::Result<Operators> {
        Operators::from_config(&OperatorConfig {
            operator_keys: list.to_owned(),
        })
    }

    fn entry(name: &str, key: &str) -> String {
        format!("{name}:{}", hex::encode(Sha256::digest(key)))
    }

    #[test]
    fn an_operator_has_a_key_of_their_own() {
        let other = KEY.replace("ada", "ben");
        let list = format!("{}, {}", entry("ada", KEY), entry("ben", &other));
        let operators = operators(&list).unwrap();
        assert_eq!(operators.name_of(KEY), Some("ada"));
        assert_eq!(operators.name_of(&other), Some("ben"));
        assert_eq!(operators.name_of(&other.to_uppercase()), None);
        assert_eq!(operators.name_of(&list[4..68]), None, "the hash is not a key");
    }

    #[test]
    fn there_is_no_operator_by_default_or_with_a_short_key() {
        let none = operators("").unwrap();
        assert!(none.name_of("").is_none() && none.name_of(KEY).is_none());
        for short in ["", "a-short-key"] {
            let operators = operators(&entry("ada", short)).unwrap();
            assert_eq!(operators.name_of(short), None);
        }
    }

    #[test]
    fn invalid_entries_stop_the_startup() {
        let twice = format!("{},{}", entry("ada", KEY), entry("ada", "x"));
        for list in ["ada", "ada:", "ada:abc", &entry("", KEY), &twice] {
            assert!(operators(list).is_err(), "{list}");
        }
    }
}
