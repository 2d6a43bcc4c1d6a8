//! What is logged on the thread of a test, where all of it runs unless the test says otherwise.

use std::sync::{Arc, Mutex, PoisonError};

use tracing::subscriber::DefaultGuard;

/// The lines that were logged since it listens.
#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Hears what this thread logs for as long as the guard lives.
    #[must_use]
    pub fn listen(&self) -> DefaultGuard {
        let own = self.clone();
        let written = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_writer(move || own.clone())
            .finish();
        tracing::subscriber::set_default(written)
    }

    /// Everything.
    #[must_use]
    pub fn text(&self) -> String {
        let written = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        String::from_utf8(written).expect("text")
    }

    /// The lines of level error, in order.
    #[must_use]
    pub fn errors(&self) -> Vec<String> {
        let is_error = |line: &&str| line.split_whitespace().nth(1) == Some("ERROR");
        self.text().lines().filter(is_error).map(str::to_owned).collect()
    }
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
