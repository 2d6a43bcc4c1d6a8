//! The file from which the state is restored. A line contains all changes of one request, so a request is restored
//! completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::clock;
use crate::idempotency::RETENTION_MS;
use crate::objects::StoredResponse;
use crate::state::{Record, State, Stored as _};

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    seed: u64,
    ids_created: u64,
    records: Vec<Record>,
}

#[derive(Debug)]
pub struct Journal {
    file: File,
}

impl Journal {
    /// Restores the state from the journal in a directory, rewrites the journal with the latest version of each object,
    /// and opens it for appending. Without a journal the state is empty and uses the seed.
    ///
    /// # Errors
    /// If the directory or file cannot be used, or a line cannot be read. An incomplete last line is skipped.
    pub fn open(directory: &Path, seed: u64) -> anyhow::Result<(Self, State)> {
        fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
        let path = directory.join("journal.jsonl");
        let state = restore(&path, seed).with_context(|| format!("cannot read {}", path.display()))?;

        let compacted = directory.join("journal.jsonl.new");
        write_compacted(&compacted, &state)
            .with_context(|| format!("cannot write {}", compacted.display()))?;
        fs::rename(&compacted, &path).with_context(|| format!("cannot replace {}", path.display()))?;
        let file = OpenOptions::new().append(true).open(&path)?;
        Ok((Self { file }, state))
    }

    /// Appends the changes of one request.
    pub fn append(&mut self, state: &State, records: Vec<Record>) -> anyhow::Result<()> {
        let line = Line {
            seed: state.seed,
            ids_created: state.ids_created,
            records,
        };
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        self.file.write_all(&text)?;
        Ok(())
    }
}

fn restore(path: &Path, seed: u64) -> anyhow::Result<State> {
    let mut state = State::new(seed);
    if !path.exists() {
        return Ok(state);
    }
    let mut lines = BufReader::new(File::open(path)?).lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let line: Line = match serde_json::from_str(&line?) {
            Ok(line) => line,
            Err(error) if lines.peek().is_none() => {
                tracing::warn!(%error, "skipped the incomplete last line of the journal");
                break;
            }
            Err(error) => return Err(error).with_context(|| format!("line {}", index + 1)),
        };
        state.seed = line.seed;
        state.ids_created = line.ids_created;
        for record in line.records {
            state
                .restore(record)
                .with_context(|| format!("line {}", index + 1))?;
        }
    }
    Ok(state)
}

fn write_compacted(path: &Path, state: &State) -> anyhow::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for record in state.records().filter(|record| !is_expired(record)) {
        let line = Line {
            seed: state.seed,
            ids_created: state.ids_created,
            records: vec![record],
        };
        serde_json::to_writer(&mut file, &line)?;
        file.write_all(b"\n")?;
    }
    file.flush()?;
    Ok(())
}

/// Returns whether a record is a stored response past its retention.
fn is_expired(record: &Record) -> bool {
    record.kind == StoredResponse::KIND
        && clock::now_ms() - record.value["at_ms"].as_i64().unwrap_or(0) >= RETENTION_MS
}
