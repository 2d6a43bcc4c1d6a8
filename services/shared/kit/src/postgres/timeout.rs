use std::{io, num::NonZeroU32, time::Duration};

use serde::Deserialize;

use crate::config::{ConfigError, Source};

/// Limits work on the database that no caller limits. Without it, a connection to a host that disappeared is waited for until
/// TCP gives up, about 15 minutes later.
#[derive(Debug, Clone, Copy)]
pub struct DatabaseTimeout(pub(super) Duration);

#[derive(Debug, Deserialize)]
struct Config {
    /// Longer than the `statement_timeout` of the server, so that a slow statement ends there.
    #[serde(default = "default_seconds")]
    database_timeout_seconds: NonZeroU32,
}

#[expect(clippy::expect_used, reason = "20 is not zero")]
const fn default_seconds() -> NonZeroU32 {
    NonZeroU32::new(20).expect("not zero")
}

impl DatabaseTimeout {
    /// Reads `DATABASE_TIMEOUT_SECONDS`.
    pub fn from_config(source: &Source) -> Result<Self, ConfigError> {
        let config: Config = source.read()?;
        let seconds = config.database_timeout_seconds.get();
        Ok(Self(Duration::from_secs(seconds.into())))
    }

    /// Drops the work at the end of the time, with an I/O error.
    pub fn limit<T, E: From<sqlx::Error>>(
        self,
        work: impl Future<Output = Result<T, E>>,
    ) -> impl Future<Output = Result<T, E>> {
        // Boxed, because a transaction with several statements is a large future.
        let work = Box::pin(work);
        async move {
            tokio::time::timeout(self.0, work).await.unwrap_or_else(|_| {
                let message = format!(
                    "no response from the database within {:?} (DATABASE_TIMEOUT_SECONDS)",
                    self.0
                );
                Err(sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, message)).into())
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_timeout_is_a_number_of_seconds_from_one() {
        let source = Source::from_environment();
        let read =
            |value| DatabaseTimeout::from_config(&source.clone().with("database_timeout_seconds", value));
        assert_eq!(read("3").unwrap().0, Duration::from_secs(3));
        let error = read("0").unwrap_err().to_string();
        assert!(error.contains("DATABASE_TIMEOUT_SECONDS"), "{error}");
    }

    #[tokio::test]
    async fn work_without_a_response_ends_with_an_error() {
        let timeout = DatabaseTimeout(Duration::from_millis(20));
        let error = timeout
            .limit(std::future::pending::<Result<(), sqlx::Error>>())
            .await
            .unwrap_err();
        assert!(matches!(error, sqlx::Error::Io(_)), "{error}");
    }
}
