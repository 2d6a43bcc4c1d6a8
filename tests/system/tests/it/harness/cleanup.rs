//! Registers resources with the cleanup process (`src/main.rs`).

use std::{
    io::Write,
    process::{Child, Command, Stdio},
    sync::{LazyLock, Mutex},
};

use super::shared_servers;

/// Its standard input is closed when this process exits.
static CLEANUP: LazyLock<Mutex<Child>> = LazyLock::new(|| {
    let child = Command::new(env!("CARGO_BIN_EXE_system-tests"))
        .args([shared_servers::postgres(), shared_servers::broker()])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    Mutex::new(child)
});

/// Registers a `program`, `database`, `prefix` or `servers` for cleanup, or reports that a program has `ended`.
pub fn register(kind: &str, name: impl std::fmt::Display) {
    let mut cleanup = CLEANUP.lock().unwrap();
    writeln!(cleanup.stdin.as_mut().unwrap(), "{kind} {name}").unwrap();
}
