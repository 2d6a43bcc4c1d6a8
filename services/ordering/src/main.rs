//! The ordering service: `ordering serve | migrate`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::lifecycle::run("ordering", ordering::command)
}
