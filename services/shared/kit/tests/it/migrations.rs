use std::{path::PathBuf, time::Duration};

use kit::lifecycle::Process;
use sqlx::{PgPool, migrate::Migrator};
use testing::{Database, Log};
use tokio::time::timeout;

const LIMIT: Duration = Duration::from_mins(1);

struct Directory(PathBuf);

impl Directory {
    fn new() -> Self {
        let directory = Self(std::env::temp_dir().join(testing::unique_name()));
        std::fs::create_dir(&directory.0).unwrap();
        directory
    }

    fn write(&self, name: &str, migration: &str) {
        std::fs::write(self.0.join(name), migration).unwrap();
    }

    async fn migrator(&self) -> Migrator {
        let mut migrator = Migrator::new(self.0.as_path()).await.unwrap();
        migrator.table_name = "test_migrations".into();
        migrator
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

fn require(setting: &str, value: &str) -> String {
    format!(
        "DO $$ BEGIN
             ASSERT current_setting('{setting}') = '{value}', '{setting} is ' || current_setting('{setting}');
         END $$;"
    )
}

#[tokio::test]
async fn migrations_have_no_statement_timeout_and_wait_shortly_for_locks() {
    let database = Database::create(&[]).await;
    let directory = Directory::new();
    let (unlimited, limited) = (require("statement_timeout", "0"), require("lock_timeout", "3s"));
    directory.write("0001_limited.sql", &format!("{unlimited} {limited}"));
    let unlimited = require("lock_timeout", "0");
    directory.write("0002_unlimited.sql", &format!("-- no-transaction\n{unlimited}"));
    directory.write("0003_limited.sql", &limited);

    let process = Process::detached("test");
    kit::postgres::migrate(&process, &database.url, &[&directory.migrator().await])
        .await
        .unwrap();
    let pool = kit::postgres::connect(&process, &database.url).await.unwrap();
    for (query, expected) in [("SHOW statement_timeout", "15s"), ("SHOW lock_timeout", "0")] {
        let limit: String = sqlx::query_scalar(query).fetch_one(&pool).await.unwrap();
        assert_eq!(limit, expected, "{query}");
    }
    pool.close().await;
    database.drop().await;
}

/// Waits until migrations wait for a lock of the table, or until none waits.
async fn wait_for_lock(pool: &PgPool, is_waiting: bool) {
    let reached = async {
        loop {
            let found: bool = sqlx::query_scalar(
                "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'guests'::regclass)",
            )
            .fetch_one(pool)
            .await
            .unwrap();
            if found == is_waiting {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LIMIT, reached).await.unwrap();
}

#[tokio::test]
async fn a_migration_that_gets_no_lock_lets_others_pass_and_is_repeated() {
    let log = Log::default();
    let _guard = log.capture();
    let database = Database::create(&[]).await;
    let execute = async |statement: &'static str| {
        sqlx::query(statement).execute(&database.pool).await.unwrap();
    };
    execute("CREATE TABLE guests (id bigint)").await;
    let directory = Directory::new();
    directory.write("0001_name.sql", "ALTER TABLE guests ADD COLUMN name text");
    let migrator = directory.migrator().await;

    let mut reader = kit::postgres::begin(&database.pool).await.unwrap();
    sqlx::query("SELECT FROM guests")
        .execute(&mut *reader)
        .await
        .unwrap();
    let process = Process::detached("test");
    let migrate = async || {
        let migrators = [&migrator];
        let migrated = kit::postgres::migrate(&process, &database.url, &migrators);
        timeout(LIMIT, migrated).await.unwrap().unwrap();
    };
    let read = async {
        wait_for_lock(&database.pool, true).await;
        // Passes when the migration has given up.
        execute("SELECT FROM guests").await;
        wait_for_lock(&database.pool, false).await;
        let has_waited = async {
            while !log.text().contains("another program migrates the database") {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(LIMIT, has_waited).await.unwrap();
        reader.commit().await.unwrap();
    };
    tokio::join!(migrate(), migrate(), read);
    execute("SELECT name FROM guests").await;
    assert!(log.text().contains("migration waits for a lock; will retry"));
    database.drop().await;
}

#[tokio::test]
async fn an_index_of_an_interrupted_migration_is_rebuilt() {
    let database = Database::create(&[]).await;
    let process = Process::detached("test");
    let execute = async |statement: &'static str| sqlx::query(statement).execute(&database.pool).await;
    execute("CREATE TABLE items (id int)").await.unwrap();
    execute("INSERT INTO items VALUES (1), (1)").await.unwrap();
    execute("CREATE UNIQUE INDEX CONCURRENTLY items_id_key ON items (id)")
        .await
        .unwrap_err();
    let error = kit::postgres::migrate(&process, &database.url, &[])
        .await
        .unwrap_err();
    assert!(format!("{error:#}").contains("items_id_key"), "{error:#}");

    execute("DELETE FROM items").await.unwrap();
    kit::postgres::migrate(&process, &database.url, &[])
        .await
        .unwrap();
    execute("INSERT INTO items VALUES (1)").await.unwrap();
    execute("INSERT INTO items VALUES (1)").await.unwrap_err();
    let is_valid: bool =
        sqlx::query_scalar("SELECT indisvalid FROM pg_index WHERE indexrelid = 'items_id_key'::regclass")
            .fetch_one(&database.pool)
            .await
            .unwrap();
    assert!(is_valid);
    database.drop().await;
}
