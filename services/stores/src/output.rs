//! Output of commands.

use std::{
    fmt,
    io::{self, Write},
};

/// Writes a line, and fails unless it was written completely.
pub(crate) fn print_line(line: fmt::Arguments<'_>) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "{line}")?;
    out.flush()
}
