//! `accounts serve | migrate | seed`

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::lifecycle::run("accounts", accounts::command)
}
