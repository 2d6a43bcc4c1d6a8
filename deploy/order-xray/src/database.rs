//! Read-only connections to the databases of the services.

use std::{str::FromStr, time::Duration};

use anyhow::{Context, anyhow};
use order_records::Service;
use sqlx::{ConnectOptions, PgConnection, postgres::PgConnectOptions};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Connects with the URL that the service uses. Transactions are read-only and statements end after ten seconds.
///
/// # Errors
/// The URL is missing or invalid, or the database is unavailable.
pub(crate) async fn connect(service: Service) -> anyhow::Result<PgConnection> {
    let variable = format!("{}_DATABASE_URL", service.name().to_uppercase().replace('-', "_"));
    let url = std::env::var(&variable).with_context(|| format!("{variable} is not set"))?;
    let options = PgConnectOptions::from_str(&url)
        .with_context(|| format!("{variable} is invalid"))?
        .application_name("order-xray")
        .options([
            ("default_transaction_read_only", "on"),
            ("statement_timeout", "10000"),
        ]);
    tokio::time::timeout(CONNECT_TIMEOUT, options.connect())
        .await
        .map_err(|_| anyhow!("the database does not respond"))?
        .map_err(|error| anyhow!("the database is unavailable: {error}"))
}
