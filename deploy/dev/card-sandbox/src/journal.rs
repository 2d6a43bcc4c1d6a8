//! The file that the state is rebuilt from. Each line is one request's changes, so a request is kept whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::books::{Books, Kept as _, Record};
use crate::clock;
use crate::idempotency::{Answer, KEPT_FOR_MS};

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    seed: u64,
    minted: u64,
    records: Vec<Record>,
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    file: File,
}

impl Journal {
    /// Rebuilds the books from the directory's journal, rewrites it without what was overwritten, and leaves it
    /// open for more.
    ///
    /// # Errors
    /// When the directory or file cannot be used, or a line other than a torn last one cannot be read.
    pub fn open(directory: &Path, seed: u64) -> anyhow::Result<(Self, Books)> {
        fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
        let path = directory.join("journal.jsonl");
        let books = replay(&path, seed).with_context(|| format!("cannot read {}", path.display()))?;

        let fresh = directory.join("journal.jsonl.new");
        rewrite(&fresh, &books).with_context(|| format!("cannot write {}", fresh.display()))?;
        fs::rename(&fresh, &path).with_context(|| format!("cannot replace {}", path.display()))?;
        let file = OpenOptions::new().append(true).open(&path)?;
        Ok((Self { file }, books))
    }

    /// Adds one request's changes.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn append(&mut self, books: &Books, records: Vec<Record>) -> anyhow::Result<()> {
        let line = Line {
            seed: books.seed,
            minted: books.minted,
            records,
        };
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        self.file.write_all(&text)?;
        Ok(())
    }
}

fn replay(path: &Path, seed: u64) -> anyhow::Result<Books> {
    let mut books = Books::new(seed);
    if !path.exists() {
        return Ok(books);
    }
    let mut lines = BufReader::new(File::open(path)?).lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let line: Line = match serde_json::from_str(&line?) {
            Ok(line) => line,
            Err(error) if lines.peek().is_none() => {
                tracing::warn!(%error, "the journal's last line was cut off; dropped");
                break;
            }
            Err(error) => return Err(error).with_context(|| format!("line {}", index + 1)),
        };
        books.seed = line.seed;
        books.minted = line.minted;
        for record in line.records {
            books
                .restore(record)
                .with_context(|| format!("line {}", index + 1))?;
        }
    }
    Ok(books)
}

fn rewrite(path: &Path, books: &Books) -> anyhow::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for record in books.records().filter(|record| !stale(record)) {
        let line = Line {
            seed: books.seed,
            minted: books.minted,
            records: vec![record],
        };
        serde_json::to_writer(&mut file, &line)?;
        file.write_all(b"\n")?;
    }
    file.flush()?;
    Ok(())
}

/// Whether a record has outlived its use: an answer whose idempotency key is free again.
fn stale(record: &Record) -> bool {
    record.kind == Answer::KIND
        && clock::now_ms() - record.value["at_ms"].as_i64().unwrap_or(0) >= KEPT_FOR_MS
}
