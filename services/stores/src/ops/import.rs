//! Loads stores from a CSV file. A row that makes no store is reported with its line and the reason; the rest is loaded.

use std::{collections::HashMap, io::Read, path::Path};

use anyhow::{Context, ensure};
use csv::{ReaderBuilder, StringRecord};
use indicatif::{ProgressBar, ProgressStyle};
use sqlx::PgConnection;
use types::CompanyId;

use crate::{
    Stores,
    db::{self, intake::Written},
    domain::{
        hours::{Opening, Week},
        intake::{NewStore, Row},
        stable_id,
    },
};

/// Rows that are written together.
const BATCH: usize = 500;
const COLUMNS: [&str; 11] = [
    "store_number",
    "name",
    "street",
    "city",
    "state",
    "country",
    "postcode",
    "phone",
    "timezone",
    "longitude",
    "latitude",
];

/// What became of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Stores that were not there before.
    pub new: usize,
    /// Stores that were brought up to date.
    pub changed: usize,
    /// Stores that were already as the file says.
    pub unchanged: usize,
    /// Rows that make no store: line and reason.
    pub refused: Vec<(u64, String)>,
}

/// Reads `05:00-21:00`, the same every day.
///
/// # Errors
/// What was expected.
pub fn parse_hours(text: &str) -> Result<Week, &'static str> {
    let openings: Result<_, _> = (1..=7).map(|weekday| Opening::parse(weekday, text)).collect();
    openings
        .map(Week::new)
        .map_err(|_| "expected hours written like 05:00-21:00")
}

/// Loads a file with a progress bar, and prints what became of it.
///
/// # Errors
/// A file that cannot be read or has other columns; the database's.
pub async fn import_file(cx: &Stores, file: &Path, hours: &Week) -> anyhow::Result<()> {
    let bytes = std::fs::read(file)?;
    let bar = ProgressBar::new(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    let style = "{wide_bar} {percent}% of {total_bytes}, {elapsed} so far, {eta} left";
    bar.set_style(ProgressStyle::with_template(style)?);
    let report = import(cx, bytes.as_slice(), hours, |position| bar.set_position(position)).await?;
    bar.finish_and_clear();
    for (line, reason) in &report.refused {
        eprintln!("line {line}: {reason}");
    }
    let Report {
        new,
        changed,
        unchanged,
        refused,
    } = &report;
    println!(
        "{new} stores new, {changed} changed, {unchanged} as they were, {} rows refused",
        refused.len()
    );
    Ok(())
}

/// Loads stores. `progress` is told how many bytes are done.
///
/// # Errors
/// Other columns than [`COLUMNS`], no company to give stores to; the database's. What was loaded until then stays.
pub async fn import(
    cx: &Stores,
    input: impl Read,
    hours: &Week,
    progress: impl Fn(u64),
) -> anyhow::Result<Report> {
    let companies = db::intake::companies(&mut *cx.pool.acquire().await?).await?;
    ensure!(
        !companies.is_empty(),
        "there is no company yet: run `stores seed` first"
    );
    let mut reader = ReaderBuilder::new().from_reader(input);
    let headers = reader.headers().context("the first line cannot be read")?.clone();
    let missing = COLUMNS
        .iter()
        .find(|column| !headers.iter().any(|header| header == **column));
    ensure!(
        missing.is_none(),
        "column {} is missing in the first line",
        missing.unwrap_or(&"")
    );

    let mut report = Report::default();
    let mut lines: HashMap<String, u64> = HashMap::new();
    let mut batch = Vec::with_capacity(BATCH);
    let mut record = StringRecord::new();
    loop {
        let line = reader.position().line();
        let more = match reader.read_record(&mut record) {
            Ok(more) => more,
            Err(error) if matches!(error.kind(), csv::ErrorKind::Io(_)) => return Err(error.into()),
            Err(error) => {
                report.refused.push((
                    error.position().map_or(line, csv::Position::line),
                    unreadable(&error),
                ));
                continue;
            }
        };
        if more {
            let line = record.position().map_or(line, csv::Position::line);
            match store(&record, &headers, &mut lines, line) {
                Ok(store) => batch.push(store),
                Err(reason) => report.refused.push((line, reason)),
            }
        }
        if batch.len() == BATCH || !more {
            write(cx, &companies, &batch, hours, &mut report).await?;
            batch.clear();
            progress(reader.position().byte());
        }
        if !more {
            return Ok(report);
        }
    }
}

fn store(
    record: &StringRecord,
    headers: &StringRecord,
    lines: &mut HashMap<String, u64>,
    line: u64,
) -> Result<NewStore, String> {
    let row: Row = record
        .deserialize(Some(headers))
        .map_err(|error| unreadable(&error))?;
    let store = row.store().map_err(|bad| bad.to_string())?;
    match lines.insert(store.number.clone(), line) {
        None => Ok(store),
        Some(first) => {
            lines.insert(store.number.clone(), first);
            Err(format!(
                "store_number {} was on line {first} already",
                store.number
            ))
        }
    }
}

fn unreadable(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields, expected {expected_len}"),
        csv::ErrorKind::Utf8 { err, .. } => format!("field {} is not UTF-8", err.field() + 1),
        _ => error.to_string(),
    }
}

async fn write(
    cx: &Stores,
    companies: &[CompanyId],
    batch: &[NewStore],
    hours: &Week,
    report: &mut Report,
) -> anyhow::Result<()> {
    let rows: Vec<_> = batch
        .iter()
        .map(|store| {
            let id = stable_id::store(&store.number);
            // A store belongs to the same company each time, whatever else is in the file.
            let place = usize::try_from(id.uuid().as_u128() % companies.len() as u128).unwrap_or_default();
            (id, companies[place], store)
        })
        .collect();
    let mut tx = cx.pool.begin().await?;
    let written = db::intake::stores(&mut tx, &rows).await?;
    // Hours may have been set since a store was first loaded: only new ones get the usual.
    let weeks: Vec<_> = written
        .iter()
        .filter(|store| store.is_new)
        .map(|store| (store.id, hours))
        .collect();
    db::hours::replace(&mut tx, &weeks).await?;
    take_turns(&mut tx, &written).await?;
    tx.commit().await?;
    report.new += weeks.len();
    report.changed += written.len() - weeks.len();
    report.unchanged += batch.len() - written.len();
    Ok(())
}

/// Nobody is promised anything on what stood before at stores that were known.
///
/// # Errors
/// The database's.
pub async fn take_turns(tx: &mut PgConnection, written: &[Written]) -> Result<(), sqlx::Error> {
    let known = written.iter().filter(|store| !store.is_new);
    let known: Vec<_> = known.map(|store| store.id).collect();
    db::turns::take(tx, &known).await
}
