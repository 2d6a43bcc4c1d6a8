//! The stores service: companies, stores, hours, geography, menus and make-minutes.
//!
//! `stores serve | migrate | seed | import FILE.csv | issue-credential STORE…`

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::lifecycle::run("stores", stores::command)
}
