//! Stores that are always open, so that what is measured does not depend on the hour.

use std::{fmt::Write, path::PathBuf, process::Command};

use anyhow::{Context, ensure};
use sqlx::{Connection, PgConnection};
use types::StoreId;
use uuid::Uuid;

/// A setting of the stack.
///
/// # Errors
/// It is not set: this is no stack's environment.
pub fn setting(name: &str) -> anyhow::Result<String> {
    std::env::var(name).with_context(|| format!("{name} is not set: run `make load`"))
}

/// One of the stack's programs.
///
/// # Errors
/// `BIN_DIR` is not set.
pub fn program(name: &str) -> anyhow::Result<PathBuf> {
    Ok(PathBuf::from(setting("BIN_DIR")?).join(name))
}

/// Imports stores, and answers those of one company: they share a menu.
///
/// # Errors
/// The import fails, or there are fewer stores than wanted.
pub async fn open(count: usize) -> anyhow::Result<Vec<StoreId>> {
    let file = std::env::temp_dir().join(format!("{}.csv", Uuid::new_v4()));
    // Companies get about a third each.
    std::fs::write(&file, csv(count * 4)?)?;
    let imported = Command::new(program("stores")?)
        .arg("import")
        .arg(&file)
        .args(["--hours", "00:00-24:00"])
        .output()?;
    std::fs::remove_file(&file)?;
    ensure!(
        imported.status.success(),
        "stores import: {}",
        String::from_utf8_lossy(&imported.stderr)
    );
    let mut stores = PgConnection::connect(&setting("STORES_DATABASE_URL")?).await?;
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "SELECT store_id FROM stores WHERE store_number LIKE 'load-%'
         AND company_id = (SELECT company_id FROM stores WHERE store_number = 'seed-01') ORDER BY store_number LIMIT $1",
    )
    .bind(i64::try_from(count)?)
    .fetch_all(&mut stores)
    .await?;
    ensure!(ids.len() == count, "only {} stores of one company", ids.len());
    Ok(ids.into_iter().map(StoreId::from_uuid).collect())
}

fn csv(count: usize) -> anyhow::Result<String> {
    let mut file =
        "store_number,name,ownership,street,city,state,country,postcode,phone,timezone,longitude,latitude\n"
            .to_owned();
    for number in 0..count {
        writeln!(
            file,
            "load-{number},Load Street {number},Licensed,{number} Load St,Burlington,VT,US,05401,8025550110,\
             GMT-05:00 America/New_York,-73.{number:04},44.{number:04}"
        )?;
    }
    Ok(file)
}
