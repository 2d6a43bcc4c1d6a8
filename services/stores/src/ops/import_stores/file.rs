//! The import command: reads a file, shows the progress and prints the report.

use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};

use super::{ImportOptions, ImportReport, import_stores};
use crate::{Stores, output::print_line};

/// Prints rejected rows to standard error, and the counts to standard output.
pub(crate) async fn import_file(cx: &Stores, file: &Path, options: &ImportOptions) -> anyhow::Result<()> {
    let bytes = std::fs::read(file)?;
    let bar = ProgressBar::new(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    let style = "{wide_bar} {percent}% of {total_bytes}, {elapsed} elapsed, {eta} remaining";
    bar.set_style(ProgressStyle::with_template(style)?);
    let report = import_stores(cx, bytes.as_slice(), options, |position| {
        bar.set_position(position);
    })
    .await?;
    bar.finish_and_clear();
    for row in &report.rejected {
        eprintln!("line {}: {}", row.line, row.reason);
    }
    let ImportReport {
        added,
        updated,
        unchanged,
        rejected,
    } = &report;
    let rejected = rejected.len();
    print_line(format_args!(
        "{added} stores added, {updated} updated, {unchanged} unchanged, {rejected} rows rejected"
    ))?;
    Ok(())
}
