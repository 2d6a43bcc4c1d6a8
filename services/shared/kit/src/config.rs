//! Configuration: one struct a concern, read once at start from defaults (serde's), then the file named by
//! `CONFIG_FILE`, then the environment. A bad value stops the start with its name and what was expected.

use std::path::Path;

use figment::{
    Figment,
    providers::{Env, Format, Toml},
};
use serde::de::DeserializeOwned;

/// Where settings come from.
#[derive(Debug, Clone)]
pub struct Source(Figment);

/// A setting that is missing or not what was expected.
#[derive(Debug, thiserror::Error)]
#[error("bad configuration: {0}")]
pub struct ConfigError(String);

impl Source {
    /// The file named by `CONFIG_FILE`, if any, under the environment.
    #[must_use]
    pub fn from_environment() -> Self {
        let mut figment = Figment::new();
        if let Some(file) = std::env::var_os("CONFIG_FILE") {
            figment = figment.merge(Toml::file_exact(Path::new(&file)));
        }
        Self(figment.merge(Env::raw()))
    }

    /// With one setting, by its lower-cased name, over all others: for tests.
    #[must_use]
    pub fn with(self, name: &str, value: &str) -> Self {
        Self(self.0.merge((name, value)))
    }

    /// Reads the settings of one concern. Its fields are the variables' names in lower case.
    ///
    /// # Errors
    /// [`ConfigError`] names every variable that is missing or has a bad value.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ConfigError> {
        self.0.extract_lossy().map_err(|error| {
            let said: Vec<String> = error
                .into_iter()
                .map(|error| {
                    let name = error.path.join("_").to_uppercase();
                    if name.is_empty() {
                        error.kind.to_string()
                    } else {
                        format!("{name}: {}", error.kind)
                    }
                })
                .collect();
            ConfigError(said.join("; "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    struct Pace {
        #[serde(default = "usual_seconds")]
        seconds: u32,
    }

    fn usual_seconds() -> u32 {
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
    fn a_default_stands_until_it_is_overridden() {
        assert_eq!(source(&[]).read::<Pace>().unwrap().seconds, 7);
        assert_eq!(source(&[("seconds", "9")]).read::<Pace>().unwrap().seconds, 9);
    }

    #[test]
    fn a_bad_value_is_named() {
        let error = source(&[("seconds", "soon")])
            .read::<Pace>()
            .unwrap_err()
            .to_string();
        assert!(error.contains("SECONDS") && error.contains("soon"), "{error}");
    }
}
