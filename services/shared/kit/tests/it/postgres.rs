use std::{path::PathBuf, str::FromStr};

use kit::lifecycle::Process;
use secrecy::ExposeSecret;
use sqlx::{ConnectOptions, migrate::Migrator, postgres::PgConnectOptions};
use testing::Database;

const CHECK: &str = "DO $$ BEGIN
    ASSERT current_setting('statement_timeout') = '0', 'the migration has a time limit';
END $$";

struct Directory(PathBuf);

impl Drop for Directory {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

#[tokio::test]
async fn migrations_run_without_the_statement_timeout_of_calls() {
    let database = Database::create(&[]).await;
    let directory = Directory(std::env::temp_dir().join(testing::unique_name()));
    std::fs::create_dir(&directory.0).unwrap();
    std::fs::write(directory.0.join("0001_check.sql"), CHECK).unwrap();
    let mut migrator = Migrator::new(directory.0.as_path()).await.unwrap();
    migrator.table_name = "test_migrations".into();

    let process = Process::detached("test");
    kit::postgres::migrate(&process, &database.url, &[&migrator])
        .await
        .unwrap();
    let pool = kit::postgres::connect(&process, &database.url).await.unwrap();
    let limit: String = sqlx::query_scalar("SHOW statement_timeout")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(limit, "15s");
    pool.close().await;
    database.drop().await;
}

#[tokio::test]
async fn an_older_release_migrates_and_serves_with_the_schema_of_a_newer_one() {
    let database = Database::create(&[]).await;
    let process = Process::detached("test");
    kit::postgres::migrate(&process, &database.url, &[])
        .await
        .unwrap();
    sqlx::query(
        "INSERT INTO _kit_migrations (version, description, success, checksum, execution_time)
         VALUES (9999, 'newer', true, '', 0)",
    )
    .execute(&database.pool)
    .await
    .unwrap();

    kit::postgres::migrate(&process, &database.url, &[])
        .await
        .unwrap();
    kit::postgres::require_schema(&process, &database.pool, &[])
        .await
        .unwrap();
    database.drop().await;
}

#[tokio::test]
async fn a_database_with_another_encoding_is_rejected() {
    let database = Database::create(&[]).await;
    let name = testing::unique_name();
    let execute = async |statement: String| {
        let statement = sqlx::query(sqlx::AssertSqlSafe(statement));
        statement.execute(&database.pool).await.unwrap();
    };
    execute(format!(
        "CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0"
    ))
    .await;
    let options = PgConnectOptions::from_str(database.url.expose_secret()).unwrap();
    let url = options.database(&name).to_url_lossy().to_string();
    let process = Process::detached("test");
    let error = kit::postgres::connect(&process, &url.into()).await.unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("SQL_ASCII") && message.contains("UTF8"),
        "{message}"
    );
    execute(format!("DROP DATABASE {name} WITH (FORCE)")).await;
    database.drop().await;
}
