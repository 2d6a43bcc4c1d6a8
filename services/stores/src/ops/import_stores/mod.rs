//! Imports stores from a CSV file. Invalid rows are reported with their line, and all other rows are imported.

mod file;
mod rows;

use std::{io::Read, slice};

use types::CompanyId;

pub(crate) use self::file::import_file;
use self::rows::RowReader;
use super::write_stores::{StoreWrite, write_stores};
use crate::{
    Stores, db,
    domain::{csv_import::NewStore, hours::WeeklyHours},
};

/// Number of rows that one transaction writes.
const BATCH_ROWS: usize = 500;

#[derive(Debug)]
pub struct ImportOptions {
    /// Id or name of the company that runs the stores of rows without a company.
    pub company: Option<String>,
    /// Opening hours of new stores. Without any, their staff set them.
    pub hours: Option<WeeklyHours>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    pub added: usize,
    pub updated: usize,
    pub unchanged: usize,
    /// Ordered by line.
    pub rejected: Vec<RejectedRow>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct RejectedRow {
    pub line: u64,
    pub reason: String,
}

/// A valid row.
#[derive(Debug)]
struct ImportedStore {
    line: u64,
    company_id: CompanyId,
    store: NewStore,
}

/// Imports stores. `progress` receives the number of bytes that were read.
///
/// # Errors
/// - The file cannot be read, or a required column is missing.
/// - The company of the options does not exist, or neither the options nor a column name a company.
/// - The database is unavailable. Previous batches stay imported.
pub async fn import_stores(
    cx: &Stores,
    input: impl Read,
    options: &ImportOptions,
    progress: impl Fn(u64),
) -> anyhow::Result<ImportReport> {
    let hours = options.hours.clone().unwrap_or_default();
    let companies = db::companies::all(&mut *cx.pool.acquire().await?).await?;
    let mut rows = RowReader::new(input, companies, options.company.as_deref())?;
    let mut report = ImportReport::default();
    let mut batch = Vec::with_capacity(BATCH_ROWS);
    loop {
        let row = rows.next_row()?;
        let is_end = row.is_none();
        match row {
            Some(Ok(store)) => batch.push(store),
            Some(Err(rejected)) => report.rejected.push(rejected),
            None => {}
        }
        if is_end || batch.len() == BATCH_ROWS {
            reject_numbers_of_others(cx, &mut batch, &mut report).await?;
            import_batch(cx, &batch, &hours, &mut report).await?;
            batch.clear();
            progress(rows.bytes_read());
        }
        if is_end {
            report.rejected.sort_by_key(|row| row.line);
            return Ok(report);
        }
    }
}

/// Rejects rows with the number of a store of another company. Numbers are unique over all companies, and what belongs to a store, such
/// as its staff, its credentials and its orders, must not move to another company.
async fn reject_numbers_of_others(
    cx: &Stores,
    batch: &mut Vec<ImportedStore>,
    report: &mut ImportReport,
) -> Result<(), sqlx::Error> {
    let numbers: Vec<&str> = batch.iter().map(|row| row.store.number.as_str()).collect();
    let mut conn = cx.pool.acquire().await?;
    let companies = db::store_write::find_companies(&mut conn, &numbers).await?;
    batch.retain(
        |ImportedStore {
             line,
             company_id,
             store,
         }| {
            let company = companies.get(&store.number);
            let Some(other) = company.filter(|company| company.id != *company_id) else {
                return true;
            };
            report.rejected.push(RejectedRow {
                line: *line,
                reason: format!("store_number {} belongs to {}", store.number, other.name),
            });
            false
        },
    );
    Ok(())
}

/// Writes a batch in one transaction. If the database rejects it, writes each row in its own transaction, so that only
/// the rejected rows are skipped.
async fn import_batch(
    cx: &Stores,
    batch: &[ImportedStore],
    hours: &WeeklyHours,
    report: &mut ImportReport,
) -> Result<(), sqlx::Error> {
    match write_rows(cx, batch, hours, report).await {
        Err(error) if is_rejected_data(&error) => {}
        result => return result,
    }
    for row in batch {
        match write_rows(cx, slice::from_ref(row), hours, report).await {
            Err(error) if is_rejected_data(&error) => report.rejected.push(RejectedRow {
                line: row.line,
                reason: format!("rejected by the database: {error}"),
            }),
            result => result?,
        }
    }
    Ok(())
}

/// Returns whether the database rejected a value: 22 data exception, 23 integrity constraint violation, 54 program limit
/// exceeded.
fn is_rejected_data(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code)
        .is_some_and(|code| ["22", "23", "54"].iter().any(|class| code.starts_with(class)))
}

async fn write_rows(
    cx: &Stores,
    rows: &[ImportedStore],
    hours: &WeeklyHours,
    report: &mut ImportReport,
) -> Result<(), sqlx::Error> {
    let writes: Vec<_> = rows
        .iter()
        .map(|row| StoreWrite {
            company_id: row.company_id,
            store: &row.store,
            hours,
        })
        .collect();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let written = write_stores(&mut tx, &writes).await?;
    tx.commit().await?;
    let added = written.iter().filter(|store| store.is_new).count();
    report.added += added;
    report.updated += written.len() - added;
    report.unchanged += rows.len() - written.len();
    Ok(())
}
