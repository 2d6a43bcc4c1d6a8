use std::{str::FromStr, time::Duration};

use kit::{
    lifecycle::Process,
    postgres::{connect, limit_command_wait, require_schema},
};
use secrecy::ExposeSecret;
use sqlx::{ConnectOptions, postgres::PgConnectOptions};
use testing::Database;

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

#[tokio::test]
async fn a_command_does_not_wait_forever_for_a_database_or_its_schema() {
    // Accepts connections and does not respond.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://orderahead@{}/payments", silent.local_addr().unwrap());
    let mut process = Process::detached("test");
    process.source = process.source.with("database_wait_seconds", "1");
    let database = Database::create(&[]).await;
    sqlx::query("DELETE FROM _kit_migrations")
        .execute(&database.pool)
        .await
        .unwrap();
    let (url, pool) = (url.into(), database.pool.clone());
    let connected = limit_command_wait(&process, connect(&process, &url));
    let migrated = limit_command_wait(&process, require_schema(&process, &pool, &[]));
    let waiting = async { (connected.await.map(drop), migrated.await) };
    let (connected, migrated) = tokio::time::timeout(Duration::from_secs(10), waiting)
        .await
        .unwrap();
    for result in [connected, migrated] {
        let error = result.unwrap_err().to_string();
        assert!(error.contains("DATABASE_WAIT_SECONDS"), "{error}");
    }
    process.shutdown.cancel();
    database.drop().await;
}
