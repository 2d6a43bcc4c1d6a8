use std::str::FromStr;

use kit::lifecycle::Process;
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
