//! The output.

use std::fmt;

use order_records::{Summary, Timeline};

pub(crate) struct Output<'a>(pub(crate) &'a Timeline);

impl fmt::Display for Output<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Summary { order, state, reason }) = self.0.summary() {
            writeln!(out, "{order}: {state}")?;
            if !reason.is_empty() {
                writeln!(out, "reason: {reason}")?;
            }
            writeln!(out)?;
        }
        for record in self.0.sorted() {
            write!(out, "{:.6}  {:<10}  {}", record.at, record.service, record.text)?;
            match &record.trace_id {
                Some(trace_id) => writeln!(out, "  trace {trace_id}")?,
                None => writeln!(out)?,
            }
        }
        section(
            out,
            "Not consumed (waiting in a queue, a dead letter, or older than 30 days):",
            self.0.not_consumed(),
        )?;
        section(out, "Not read:", self.0.not_read())
    }
}

fn section(out: &mut fmt::Formatter<'_>, title: &str, lines: &[String]) -> fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    lines.iter().try_for_each(|line| writeln!(out, "  {line}"))
}
