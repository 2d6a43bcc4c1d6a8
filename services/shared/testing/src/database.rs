//! A separate database for each test.

use std::str::FromStr;

use secrecy::SecretString;
use sqlx::{
    ConnectOptions, Connection, PgConnection, PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};

/// A database for one test.
#[derive(Debug)]
pub struct Database {
    pub pool: PgPool,
    pub url: SecretString,
    name: String,
}

/// Returns the URL of the server that tests create databases on.
#[must_use]
pub fn server_url() -> String {
    std::env::var("TEST_DATABASE_URL")
        .unwrap_or_else(|_| "postgres://orderahead@127.0.0.1:7232/postgres".to_owned())
}

/// Returns a random name, for example `t_1a2b3c4d5e6f7a8b`.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "a name only has to be unique")]
pub fn unique_name() -> String {
    format!("t_{:016x}", rand::random::<u64>())
}

impl Database {
    /// Creates a database and runs kit's migrations, then those of `migrators`.
    pub async fn create(migrators: &[&Migrator]) -> Self {
        let name = unique_name();
        let mut server = PgConnection::connect(&server_url())
            .await
            .expect("a PostgreSQL server for tests: start one with `deploy/dev/backing-services start test`");
        sqlx::query(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}")))
            .execute(&mut server)
            .await
            .expect("database created");
        let options = PgConnectOptions::from_str(&server_url())
            .expect("address of the test server")
            .database(&name);
        let url = options.to_url_lossy().to_string();
        let pool = PgPoolOptions::new()
            .max_connections(24)
            .connect_with(options)
            .await
            .expect("connected");
        for migrator in std::iter::once(&&kit::postgres::MIGRATOR).chain(migrators) {
            migrator.run(&pool).await.expect("migrations run");
        }
        Self {
            pool,
            url: url.into(),
            name,
        }
    }

    /// Drops the database. The database of a failed test remains for examination.
    pub async fn drop(self) {
        self.pool.close().await;
        let mut server = PgConnection::connect(&server_url()).await.expect("connected");
        sqlx::query(sqlx::AssertSqlSafe(format!(
            "DROP DATABASE {} WITH (FORCE)",
            self.name
        )))
        .execute(&mut server)
        .await
        .expect("database dropped");
    }

    /// Returns the types of the events in the outbox, oldest first.
    pub async fn outbox_event_types(&self) -> Vec<String> {
        sqlx::query_scalar("SELECT kind FROM outbox ORDER BY position")
            .fetch_all(&self.pool)
            .await
            .expect("outbox read")
    }
}
