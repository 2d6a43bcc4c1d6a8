//! Imports stores that are always open, so that results do not depend on the time of day.

use std::{fmt::Write, process::Command};

use anyhow::ensure;
use sqlx::{Connection, PgConnection};
use types::StoreId;
use uuid::Uuid;

use crate::environment::{program, setting};

/// The seeded company that owns the stores and their menu.
const COMPANY: &str = "Juniper Lane Coffee";

/// Imports stores of one company, which share a menu.
pub async fn import(count: usize) -> anyhow::Result<Vec<StoreId>> {
    let file = std::env::temp_dir().join(format!("{}.csv", Uuid::new_v4()));
    std::fs::write(&file, csv(count)?)?;
    let imported = Command::new(program("stores")?)
        .arg("import")
        .arg(&file)
        .args(["--hours", "00:00-24:00", "--company", COMPANY])
        .output()?;
    std::fs::remove_file(&file)?;
    ensure!(
        imported.status.success(),
        "stores import: {}",
        String::from_utf8_lossy(&imported.stderr)
    );
    let mut stores = PgConnection::connect(&setting("STORES_DATABASE_URL")?).await?;
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "SELECT store_id FROM stores WHERE store_number LIKE 'load-%' ORDER BY store_number LIMIT $1",
    )
    .bind(i64::try_from(count)?)
    .fetch_all(&mut stores)
    .await?;
    ensure!(ids.len() == count, "only {} stores were imported", ids.len());
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
