//! The gift-cards service: `serve`, `migrate` or `seed`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::lifecycle::run("gift-cards", gift_cards::command)
}
