//! Configuration, read once at startup: defaults (serde's), then the file named by `CONFIG_FILE`, then the environment.
//! Each concern has its own struct. An invalid value stops the startup with its name and the expected format.

use std::path::Path;

use figment::{
    Figment,
    providers::{Env, Format, Serialized, Toml},
    value::{Dict, Value},
};
use http::uri::{Authority, Uri};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error},
};

const EXPECTED_URL: &str = "expected a URL with http or https";

/// Upper limits of durations. Longer ones would overflow calculations with times.
pub const HOUR_IN_SECONDS: i64 = 60 * 60;
pub const DAY_IN_SECONDS: i64 = 24 * HOUR_IN_SECONDS;
pub const YEAR_IN_SECONDS: i64 = 365 * DAY_IN_SECONDS;

/// Source of all settings.
#[derive(Debug, Clone)]
pub struct Source(Figment);

/// Names the settings that are missing or invalid.
#[derive(Debug, thiserror::Error)]
#[error("bad configuration: {0}")]
pub struct ConfigError(String);

impl Source {
    /// Reads the file named by `CONFIG_FILE`, if any, and the environment, which takes precedence.
    #[must_use]
    pub fn from_environment() -> Self {
        let mut figment = Figment::new();
        if let Some(file) = std::env::var_os("CONFIG_FILE") {
            figment = figment.merge(Toml::file_exact(Path::new(&file)));
        }
        let environment: Dict = Env::raw()
            .iter()
            .map(|(name, text)| (name.to_string(), parse_variable(text)))
            .collect();
        Self(figment.merge(Serialized::defaults(environment)))
    }

    /// Overrides one setting, given by its name in lower case. For tests.
    #[must_use]
    pub fn with(self, name: &str, value: &str) -> Self {
        Self(self.0.merge((name, value)))
    }

    /// Reads the settings of one concern. Field names are the variables' names in lower case.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ConfigError> {
        self.0.extract_lossy().map_err(|error| {
            let messages: Vec<String> = error
                .into_iter()
                .map(|error| {
                    let name = name_of_invalid(&error);
                    name.map_or_else(
                        || error.kind.to_string(),
                        |name| format!("{name}: {}", error.kind),
                    )
                })
                .collect();
            ConfigError(messages.join("; "))
        })
    }
}

/// Returns the name of the setting, or `CONFIG_FILE` if the file as a whole cannot be read. A missing setting is named by the error itself.
fn name_of_invalid(error: &figment::Error) -> Option<String> {
    if !error.path.is_empty() {
        return Some(error.path.join("_").to_uppercase());
    }
    let source = error
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.source.as_ref());
    source
        .and_then(figment::Source::file_path)
        .map(|path| format!("CONFIG_FILE: {}", path.display()))
}

/// Returns the name of a setting that belongs to a program: `GIFT_CARDS_DATABASE_URL` for `gift-cards` and `DATABASE_URL`.
pub(crate) fn setting_of(program: &str, suffix: &str) -> String {
    format!("{}_{suffix}", program.to_uppercase().replace('-', "_"))
}

/// Reads a whole number from `MIN` to `MAX`. For `#[serde(deserialize_with)]`.
///
/// # Errors
/// The value is not a whole number, or out of range.
pub fn between<'de, const MIN: i64, const MAX: i64, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: TryFrom<i64>,
    D: Deserializer<'de>,
{
    let value = i64::deserialize(deserializer)?;
    Some(value)
        .filter(|value| (MIN..=MAX).contains(value))
        .and_then(|value| T::try_from(value).ok())
        .ok_or_else(|| D::Error::custom(format_args!("expected {MIN} to {MAX}, found {value}")))
}

/// Reads a URL with the scheme http or https. For `#[serde(deserialize_with)]`.
///
/// # Errors
/// The text is something else. The error does not contain it, because a URL may contain a token.
pub fn http_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    optional_http_url(deserializer)?.ok_or_else(|| D::Error::custom(EXPECTED_URL))
}

/// As [`http_url`]. An empty text, which Compose files pass for unset variables, is `None`.
///
/// # Errors
/// As [`http_url`].
pub fn optional_http_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    let uri = text.parse::<Uri>().map_err(|_| D::Error::custom(EXPECTED_URL))?;
    match uri.scheme_str() {
        Some("http" | "https") => Ok(Some(text)),
        _ => Err(D::Error::custom(EXPECTED_URL)),
    }
}

/// Reads origins that are separated by commas, such as `https://order.example.com`, into a list without a slash at the end of an entry.
///
/// # Errors
/// An entry is not the scheme http or https, a host and possibly a port, or there is none.
pub fn http_origins<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let origins: Vec<String> = text
        .split(',')
        .map(|entry| entry.trim().trim_end_matches('/').to_owned())
        .filter(|entry| !entry.is_empty())
        .collect();
    if origins.is_empty() || !origins.iter().all(|origin| is_origin(origin)) {
        return Err(D::Error::custom(
            "expected origins such as https://order.example.com, separated by commas",
        ));
    }
    Ok(origins)
}

fn is_origin(text: &str) -> bool {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let is_allowed = |character: char| character.is_ascii_alphanumeric() || "-._:[]".contains(character);
    host.is_some_and(|host| host.chars().all(is_allowed) && host.parse::<Authority>().is_ok())
}

/// Reads lists such as `[1, 2]`. Numbers stay text until a setting needs a number: `+15005550006` and `007` are not changed.
fn parse_variable(text: String) -> Value {
    let Ok(value) = text.parse::<Value>();
    match value {
        Value::Num(..) | Value::Bool(..) => Value::from(text),
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    struct Settings {
        #[serde(default = "default_seconds")]
        seconds: u32,
    }

    fn default_seconds() -> u32 {
        7
    }

    fn source(pairs: &[(&str, &str)]) -> Source {
        pairs
            .iter()
            .fold(Source(Figment::new()), |source, &(name, value)| {
                source.with(name, value)
            })
    }

    #[test]
    fn a_default_applies_unless_it_is_overridden() {
        assert_eq!(source(&[]).read::<Settings>().unwrap().seconds, 7);
        assert_eq!(source(&[("seconds", "9")]).read::<Settings>().unwrap().seconds, 9);
    }

    #[test]
    fn a_variable_is_read_as_what_the_setting_needs() {
        #[derive(Debug, Deserialize, PartialEq)]
        struct Variables {
            phone: Option<String>,
            code: String,
            is_on: bool,
            seconds: Option<u32>,
            rate: f64,
            amounts: Vec<i64>,
        }
        let variables: Dict = [
            ("phone", "+15005550006"),
            ("code", "007"),
            ("is_on", "true"),
            ("seconds", "9"),
            ("rate", "0.5"),
            ("amounts", "[1000, 2500]"),
        ]
        .into_iter()
        .map(|(name, text)| (name.to_owned(), parse_variable(text.to_owned())))
        .collect();
        let source = Source(Figment::new().merge(Serialized::defaults(variables)));
        let expected = Variables {
            phone: Some("+15005550006".to_owned()),
            code: "007".to_owned(),
            is_on: true,
            seconds: Some(9),
            rate: 0.5,
            amounts: vec![1_000, 2_500],
        };
        assert_eq!(source.read::<Variables>().unwrap(), expected);
    }

    #[test]
    fn the_error_names_the_setting_and_its_value() {
        let error = source(&[("seconds", "soon")])
            .read::<Settings>()
            .unwrap_err()
            .to_string();
        assert!(error.contains("SECONDS") && error.contains("soon"), "{error}");
    }

    #[test]
    fn a_url_is_read_only_with_http_or_https() {
        #[derive(Debug, Deserialize)]
        struct Urls {
            #[serde(default, deserialize_with = "optional_http_url")]
            push_url: Option<String>,
            #[serde(deserialize_with = "http_origins")]
            origins: Vec<String>,
        }
        let read = |url, origins| source(&[("push_url", url), ("origins", origins)]).read::<Urls>();
        let urls = read(
            "https://push.example.com/send?key=1",
            "https://a.example/, http://[::1]:7080",
        )
        .unwrap();
        assert_eq!(
            urls.push_url.as_deref(),
            Some("https://push.example.com/send?key=1")
        );
        assert_eq!(urls.origins, ["https://a.example", "http://[::1]:7080"]);
        assert_eq!(read("", "https://a.example").unwrap().push_url, None);
        for url in [
            "push.example.com",
            "/send",
            "ftp://push.example.com",
            "https://",
            "https://a b",
        ] {
            let error = read(url, "https://a.example").unwrap_err().to_string();
            assert!(error.contains("PUSH_URL: expected a URL"), "{error}");
        }
        for origins in [
            "",
            ",",
            "a.example",
            "https://a.example/path",
            "https://a.example;b",
            "https://user@a.example",
        ] {
            let error = read("", origins).unwrap_err().to_string();
            assert!(error.contains("ORIGINS: expected origins"), "{error}");
        }
    }

    #[test]
    fn an_unreadable_file_is_named() {
        for (file, text) in [("missing.toml", None), ("invalid.toml", Some("seconds ="))] {
            let path = std::env::temp_dir().join(format!("{}-{file}", std::process::id()));
            if let Some(text) = text {
                std::fs::write(&path, text).unwrap();
            }
            let source = Source(Figment::new().merge(Toml::file_exact(&path)));
            let error = source.read::<Settings>().unwrap_err().to_string();
            let expected = format!("bad configuration: CONFIG_FILE: {}: ", path.display());
            assert!(error.starts_with(&expected), "{error}");
            let _ = std::fs::remove_file(path);
        }
    }

    #[test]
    fn a_number_out_of_range_is_rejected_with_the_limits() {
        #[derive(Debug, Deserialize)]
        struct Limited {
            #[serde(deserialize_with = "between::<1, 3_600, _, _>")]
            lease_seconds: u64,
        }
        let read = |value| source(&[("lease_seconds", value)]).read::<Limited>();
        for (value, seconds) in [("1", 1), ("3600", 3_600)] {
            assert_eq!(read(value).unwrap().lease_seconds, seconds);
        }
        for value in ["0", "-1", "3601", "9223372036854775807"] {
            let expected = format!("bad configuration: LEASE_SECONDS: expected 1 to 3600, found {value}");
            assert_eq!(read(value).unwrap_err().to_string(), expected);
        }
        let error = read("18446744073709551615").unwrap_err().to_string();
        assert!(error.contains("LEASE_SECONDS"), "{error}");
    }
}
