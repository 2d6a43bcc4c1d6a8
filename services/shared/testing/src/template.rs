//! Migrated databases of the test server. Tests copy them, which is quicker than running all migrations for each test.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    str::FromStr,
};

use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, PgConnection, migrate::Migrator, postgres::PgConnectOptions,
};

use crate::{server_url, unique_name};

/// Returns the name of the database with exactly these migrations. Creates it if the server has none.
pub async fn migrated_database(server: &mut PgConnection, migrators: &[&Migrator]) -> String {
    let name = name_of(migrators);
    if exists(server, &name).await {
        return name;
    }
    // Other tests and test programs may need the same database at the same time.
    sqlx::query("SELECT pg_advisory_lock(hashtext($1))")
        .bind(&name)
        .execute(&mut *server)
        .await
        .expect("locked");
    if !exists(server, &name).await {
        create(server, &name, migrators).await;
    }
    sqlx::query("SELECT pg_advisory_unlock(hashtext($1))")
        .bind(&name)
        .execute(server)
        .await
        .expect("unlocked");
    name
}

/// Derives the name from the migrations, so that a changed migration has a database of its own.
fn name_of(migrators: &[&Migrator]) -> String {
    let mut hasher = DefaultHasher::new();
    for migration in migrators.iter().flat_map(|migrator| migrator.iter()) {
        (migration.version, &migration.checksum).hash(&mut hasher);
    }
    format!("migrated_{:016x}", hasher.finish())
}

async fn exists(server: &mut PgConnection, name: &str) -> bool {
    sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)")
        .bind(name)
        .fetch_one(server)
        .await
        .expect("databases read")
}

/// Creates the database. It gets its name last, so that it is complete even if the test program is stopped meanwhile.
async fn create(server: &mut PgConnection, name: &str, migrators: &[&Migrator]) {
    let temporary = unique_name();
    sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {temporary}")))
        .execute(&mut *server)
        .await
        .expect("database created");
    let mut connection = PgConnectOptions::from_str(&server_url())
        .expect("address of the test server")
        .database(&temporary)
        .connect()
        .await
        .expect("connected");
    for migrator in migrators {
        migrator.run(&mut connection).await.expect("migrations run");
    }
    connection.close().await.expect("closed");
    sqlx::query(AssertSqlSafe(format!(
        "ALTER DATABASE {temporary} RENAME TO {name}"
    )))
    .execute(server)
    .await
    .expect("database named");
}
