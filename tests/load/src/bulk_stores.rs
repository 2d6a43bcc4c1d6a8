//! Many stores: copies of the imported ones at other places, with other house numbers and postcodes.

use std::process::Command;

use anyhow::{Context, ensure};
use sqlx::{Connection, PgConnection};
use types::CompanyId;

use crate::environment::{program, setting};

/// Copies are around a store in a city, and some are far outside.
const INSERT: &str = include_str!("../bulk_stores.sql");

/// A store that copies are made of.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Template {
    pub name: String,
    pub street: String,
    pub city: String,
    pub region: String,
    pub postcode: String,
    pub latitude: f64,
    pub longitude: f64,
}

/// Imports the stores of a CSV file and returns them together with those of the seed.
pub async fn import_templates(file: &str) -> anyhow::Result<Vec<Template>> {
    let mut conn = connect().await?;
    let company: CompanyId = sqlx::query_scalar("SELECT company_id FROM companies ORDER BY name LIMIT 1")
        .fetch_one(&mut conn)
        .await?;
    let output = Command::new(program("stores")?)
        .arg("import")
        .arg(file)
        .args(["--hours", "06:00-20:00", "--company", &company.to_string()])
        .output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    // Some rows of a real file are invalid; those that are valid are imported.
    let templates: Vec<Template> = sqlx::query_as(
        "SELECT name, street, city, region, postcode, latitude, longitude FROM stores
         WHERE store_number NOT LIKE 'load-%' AND store_number NOT LIKE 'scale-%' ORDER BY store_number",
    )
    .fetch_all(&mut conn)
    .await?;
    ensure!(
        templates.len() > 40,
        "{} stores were imported from {file}: {stderr}",
        templates.len()
    );
    Ok(templates)
}

/// Inserts copies until there are `count` stores. Indexes and derived tables are built once at the end, in the same
/// transaction, so that a million stores take minutes.
pub async fn grow_to(count: i64) -> anyhow::Result<()> {
    let mut conn = connect().await?;
    let mut tx = conn.begin().await?;
    let existing: i64 = sqlx::query_scalar("SELECT count(*) FROM stores")
        .fetch_one(&mut *tx)
        .await?;
    let indexes: Vec<(String, String)> = sqlx::query_as(
        "SELECT relname::text, pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON oid = indexrelid
         WHERE indrelid = 'stores'::regclass
           AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)",
    )
    .fetch_all(&mut *tx)
    .await?;
    let execute = async |tx: &mut PgConnection, statement: String| {
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement.clone()))
            .execute(tx)
            .await
            .with_context(|| statement)
    };
    for (name, _) in &indexes {
        execute(&mut tx, format!("DROP INDEX {name}")).await?;
    }
    // The triggers keep the derived tables, and the foreign keys point to the rows that are inserted.
    execute(&mut tx, "SET LOCAL session_replication_role = replica".to_owned()).await?;
    execute(&mut tx, "SET LOCAL maintenance_work_mem = '512MB'".to_owned()).await?;
    sqlx::query(INSERT)
        .bind(existing)
        .bind(count - existing)
        .execute(&mut *tx)
        .await?;
    for (_, definition) in indexes {
        execute(&mut tx, definition).await?;
    }
    execute(&mut tx, "SELECT rebuild_store_index()".to_owned()).await?;
    tx.commit().await?;
    sqlx::raw_sql("VACUUM ANALYZE").execute(&mut conn).await?;
    sqlx::raw_sql("CHECKPOINT").execute(&mut conn).await?;
    Ok(())
}

async fn connect() -> anyhow::Result<PgConnection> {
    Ok(PgConnection::connect(&setting("STORES_DATABASE_URL")?).await?)
}
