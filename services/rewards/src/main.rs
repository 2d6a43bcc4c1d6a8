//! The rewards service: `serve`, `migrate` or `seed`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::lifecycle::run("rewards", rewards::command)
}
