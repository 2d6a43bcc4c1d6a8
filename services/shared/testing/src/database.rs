//! A separate database for each test.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    str::FromStr,
    time::Duration,
};

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
    is_dropped: bool,
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
    /// Creates a database with kit's migrations and those of `migrators`. Copies a template, which is faster than running all
    /// migrations.
    pub async fn create(migrators: &[&Migrator]) -> Self {
        let name = unique_name();
        let mut server = PgConnection::connect(&server_url())
            .await
            .expect("a PostgreSQL server for tests: start one with `deploy/dev/backing-services start test`");
        let template = create_template(&mut server, migrators).await;
        execute(&mut server, format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
        let options = options(&name);
        let url = options.to_url_lossy().to_string();
        let pool = PgPoolOptions::new()
            .max_connections(24)
            .connect_with(options)
            .await
            .expect("connected");
        Self {
            pool,
            url: url.into(),
            name,
            is_dropped: false,
        }
    }

    /// Drops the database. The database of a failed test remains for examination.
    pub async fn drop(mut self) {
        self.pool.close().await;
        drop_database(&self.name).await;
        self.is_dropped = true;
    }

    /// Waits until this many statements of the database wait for a lock.
    pub async fn wait_for_blocked(&self, count: i64) {
        let blocked = async {
            while self.count_blocked().await < count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), blocked)
            .await
            .unwrap_or_else(|_| panic!("fewer than {count} statements wait for a lock"));
    }

    async fn count_blocked(&self) -> i64 {
        sqlx::query_scalar(
            "SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        .fetch_one(&self.pool)
        .await
        .expect("activity read")
    }

    /// Returns the types of the events in the outbox, oldest first.
    pub async fn outbox_event_types(&self) -> Vec<String> {
        sqlx::query_scalar("SELECT kind FROM outbox ORDER BY position")
            .fetch_all(&self.pool)
            .await
            .expect("outbox read")
    }
}

/// For tests that do not call [`Database::drop`].
impl Drop for Database {
    fn drop(&mut self) {
        if self.is_dropped || std::thread::panicking() {
            return;
        }
        let name = std::mem::take(&mut self.name);
        // The runtime of the test cannot wait here.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("runtime started").block_on(drop_database(&name));
        });
        dropping.join().expect("database dropped");
    }
}

async fn drop_database(name: &str) {
    let mut server = PgConnection::connect(&server_url()).await.expect("connected");
    execute(&mut server, format!("DROP DATABASE {name} WITH (FORCE)")).await;
}

/// Creates the template of the databases with these migrations unless it exists, and returns its name.
async fn create_template(server: &mut PgConnection, migrators: &[&Migrator]) -> String {
    let migrators: Vec<&Migrator> = std::iter::once(&kit::postgres::MIGRATOR)
        .chain(migrators.iter().copied())
        .collect();
    let hash = hash_migrations(&migrators);
    let name = format!("template_{hash:016x}");
    // Other tests with the same migrations wait.
    let key = hash.cast_signed();
    execute(server, format!("SELECT pg_advisory_lock({key})")).await;
    let exists: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)")
        .bind(&name)
        .fetch_one(&mut *server)
        .await
        .expect("databases read");
    if !exists {
        let unfinished = unique_name();
        execute(server, format!("CREATE DATABASE {unfinished}")).await;
        migrate(&unfinished, &migrators).await;
        execute(server, format!("ALTER DATABASE {unfinished} RENAME TO {name}")).await;
    }
    execute(server, format!("SELECT pg_advisory_unlock({key})")).await;
    name
}

fn hash_migrations(migrators: &[&Migrator]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for migration in migrators.iter().flat_map(|migrator| migrator.iter()) {
        migration.checksum.hash(&mut hasher);
    }
    hasher.finish()
}

/// Runs migrations on a database, and closes the connection, because a database in use cannot be a template.
async fn migrate(name: &str, migrators: &[&Migrator]) {
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .connect_with(options(name))
        .await
        .expect("connected");
    for migrator in migrators {
        migrator.run(&pool).await.expect("migrations run");
    }
    pool.close().await;
}

fn options(database: &str) -> PgConnectOptions {
    PgConnectOptions::from_str(&server_url())
        .expect("address of the test server")
        .database(database)
}

async fn execute(server: &mut PgConnection, statement: String) {
    let result = sqlx::query(sqlx::AssertSqlSafe(statement.clone()))
        .execute(server)
        .await;
    result.unwrap_or_else(|error| panic!("{statement}: {error}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn exists(name: &str) -> bool {
        let mut server = PgConnection::connect(&server_url()).await.expect("connected");
        sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)")
            .bind(name)
            .fetch_one(&mut server)
            .await
            .expect("databases read")
    }

    #[tokio::test]
    async fn the_database_of_a_test_that_succeeds_is_dropped() {
        let (forgotten, dropped) = (Database::create(&[]).await, Database::create(&[]).await);
        let names = [forgotten.name.clone(), dropped.name.clone()];
        assert!(exists(&names[0]).await);
        let open = forgotten.pool.acquire().await.expect("connection");
        std::mem::drop(forgotten);
        std::mem::drop(open);
        dropped.drop().await;
        for name in names {
            assert!(!exists(&name).await, "{name}");
        }
    }
}
