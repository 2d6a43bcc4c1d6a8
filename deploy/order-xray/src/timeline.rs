//! The output.

use std::fmt;

use jiff::Timestamp;

/// A record of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) at: Timestamp,
    pub(crate) service: &'static str,
    pub(crate) text: String,
    pub(crate) trace_id: Option<String>,
}

/// The newest state of an order.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) order: String,
    pub(crate) state: String,
    /// Why it ended; empty for other orders.
    pub(crate) reason: String,
}

#[derive(Debug, Default)]
pub(crate) struct Timeline {
    /// `None` if the database of ordering could not be read.
    summary: Option<Summary>,
    entries: Vec<Entry>,
    missing: Vec<String>,
    gaps: Vec<String>,
}

impl Timeline {
    pub(crate) fn set_summary(&mut self, summary: Summary) {
        self.summary = Some(summary);
    }

    pub(crate) fn add(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Names an event that a service should have consumed.
    pub(crate) fn add_missing(&mut self, text: String) {
        self.missing.push(text);
    }

    /// Names a database that could not be read.
    pub(crate) fn add_gap(&mut self, text: String) {
        self.gaps.push(text);
    }

    /// Returns whether all databases were read.
    pub(crate) const fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }
}

impl fmt::Display for Timeline {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(summary) = &self.summary {
            writeln!(out, "{}: {}", summary.order, summary.state)?;
            if !summary.reason.is_empty() {
                writeln!(out, "reason: {}", summary.reason)?;
            }
            writeln!(out)?;
        }
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by_key(|entry| entry.at);
        for entry in entries {
            write!(out, "{:.6}  {:<10}  {}", entry.at, entry.service, entry.text)?;
            match &entry.trace_id {
                Some(trace_id) => writeln!(out, "  trace {trace_id}")?,
                None => writeln!(out)?,
            }
        }
        section(
            out,
            "Not consumed (waiting in a queue, a dead letter, or older than 30 days):",
            &self.missing,
        )?;
        section(out, "Not read:", &self.gaps)
    }
}

fn section(out: &mut fmt::Formatter<'_>, title: &str, lines: &[String]) -> fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    lines.iter().try_for_each(|line| writeln!(out, "  {line}"))
}
