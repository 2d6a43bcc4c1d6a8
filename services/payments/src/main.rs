//! Payments: `serve`, `migrate` or `seed`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::lifecycle::run("payments", payments::command)
}
