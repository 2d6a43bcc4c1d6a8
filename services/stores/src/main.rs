//! The stores service: companies, stores, hours, geography, menus and capacity.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::lifecycle::run("stores", stores::run_command)
}
