use std::time::Duration;

use serde::Deserialize;

use crate::{config::between, lifecycle::Process};

#[derive(Debug, Deserialize)]
struct Config {
    /// Longer than one attempt to connect, so that its error is logged before the command ends.
    #[serde(default = "default_seconds", deserialize_with = "between::<1, 86_400, _, _>")]
    database_wait_seconds: u64,
}

const fn default_seconds() -> u64 {
    30
}

/// Limits the time (`DATABASE_WAIT_SECONDS`) for which a command of an operator waits for its database and the schema. Servers, migrations
/// and seeds are started together with the database, and wait without a limit.
///
/// # Errors
/// As `connecting`, or the time has passed.
pub async fn limit_command_wait<T>(
    process: &Process,
    connecting: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<T> {
    let config: Config = process.source.read()?;
    let limit = Duration::from_secs(config.database_wait_seconds);
    let connected = tokio::time::timeout(limit, Box::pin(connecting)).await;
    connected.unwrap_or_else(|_| {
        anyhow::bail!(
            "the database was not available, or its schema not up to date, within {limit:?} (DATABASE_WAIT_SECONDS)"
        )
    })
}
