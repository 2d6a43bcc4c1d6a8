//! Reads and validates the rows of a CSV file.

use std::{collections::HashMap, io::Read};

use anyhow::{Context, bail, ensure};
use csv::{Reader, ReaderBuilder, StringRecord};
use types::CompanyId;

use super::{ImportedStore, RejectedRow};
use crate::domain::{
    company::{self, Company},
    csv_import::{COMPANY_COLUMN, ImportRow, REQUIRED_COLUMNS},
};

pub(super) struct RowReader<R> {
    reader: Reader<R>,
    headers: StringRecord,
    companies: Vec<Company>,
    /// Company of rows without one.
    default_company: Option<CompanyId>,
    /// The line of each store number.
    lines: HashMap<String, u64>,
    record: StringRecord,
}

impl<R: Read> RowReader<R> {
    pub(super) fn new(
        input: R,
        companies: Vec<Company>,
        default_company: Option<&str>,
    ) -> anyhow::Result<Self> {
        ensure!(
            !companies.is_empty(),
            "there are no companies: run `stores seed` first"
        );
        let mut reader = ReaderBuilder::new().from_reader(input);
        let headers = reader.headers().context("cannot read the header")?.clone();
        let has_column = |column: &str| headers.iter().any(|header| header == column);
        if let Some(missing) = REQUIRED_COLUMNS.iter().find(|column| !has_column(column)) {
            bail!("column {missing} is missing in the first line");
        }
        let default_company = match default_company {
            Some(text) => Some(
                company::find(&companies, text)
                    .with_context(|| format!("company {text:?} does not exist"))?,
            ),
            None if has_column(COMPANY_COLUMN) => None,
            None => bail!("the file has no column {COMPANY_COLUMN}: name the company with --company"),
        };
        Ok(Self {
            reader,
            headers,
            companies,
            default_company,
            lines: HashMap::new(),
            record: StringRecord::new(),
        })
    }

    pub(super) fn bytes_read(&self) -> u64 {
        self.reader.position().byte()
    }

    /// Returns the next row, or `None` at the end of the file.
    pub(super) fn next_row(&mut self) -> anyhow::Result<Option<Result<ImportedStore, RejectedRow>>> {
        let line = self.reader.position().line();
        match self.reader.read_record(&mut self.record) {
            Ok(false) => Ok(None),
            Ok(true) => {
                let line = self.record.position().map_or(line, csv::Position::line);
                Ok(Some(
                    self.parse_record(line)
                        .map_err(|reason| RejectedRow { line, reason }),
                ))
            }
            Err(error) if matches!(error.kind(), csv::ErrorKind::Io(_)) => Err(error.into()),
            Err(error) => Ok(Some(Err(RejectedRow {
                line: error.position().map_or(line, csv::Position::line),
                reason: csv_error(&error),
            }))),
        }
    }

    fn parse_record(&mut self, line: u64) -> Result<ImportedStore, String> {
        let row: ImportRow = self
            .record
            .deserialize(Some(&self.headers))
            .map_err(|error| csv_error(&error))?;
        let store = row.to_store().map_err(|error| error.to_string())?;
        let company_id = self.find_company(row.company.trim())?;
        if let Some(first_line) = self.lines.get(&store.number) {
            return Err(format!(
                "store_number {} is already on line {first_line}",
                store.number
            ));
        }
        self.lines.insert(store.number.clone(), line);
        Ok(ImportedStore {
            line,
            company_id,
            store,
        })
    }

    fn find_company(&self, id_or_name: &str) -> Result<CompanyId, String> {
        if id_or_name.is_empty() {
            return self
                .default_company
                .ok_or_else(|| format!("{COMPANY_COLUMN} is missing"));
        }
        company::find(&self.companies, id_or_name)
            .ok_or_else(|| format!("company {id_or_name:?} does not exist"))
    }
}

fn csv_error(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields, expected {expected_len}"),
        csv::ErrorKind::Utf8 { err, .. } => format!("field {} is not UTF-8", err.field() + 1),
        _ => error.to_string(),
    }
}
