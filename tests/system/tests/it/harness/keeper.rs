//! Our side of the keeper (`src/main.rs`), which clears up behind us.

use std::{
    io::Write,
    process::{Child, Command, Stdio},
    sync::{LazyLock, Mutex},
};

use super::servers;

/// Lives as long as this process; its standard input is closed with us.
static KEEPER: LazyLock<Mutex<Child>> = LazyLock::new(|| {
    let child = Command::new(env!("CARGO_BIN_EXE_system-tests"))
        .args([servers::postgres(), servers::broker()])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    Mutex::new(child)
});

/// Leaves something to be cleared up: `program`, `database` or `prefix`; or says that a program `ended`.
pub fn tell(kind: &str, name: impl std::fmt::Display) {
    let mut keeper = KEEPER.lock().unwrap();
    writeln!(keeper.stdin.as_mut().unwrap(), "{kind} {name}").unwrap();
}
