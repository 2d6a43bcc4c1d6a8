//! `gateway serve` answers requests; `gateway openapi` writes down what it answers.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::lifecycle::run("gateway", gateway::command)
}
