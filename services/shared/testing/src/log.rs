//! Captures the log of one test.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use tracing::{
    Dispatch,
    subscriber::{DefaultGuard, NoSubscriber},
};

/// With a single subscriber, an event whose first use is on a thread without subscriber is not logged by other threads either.
static SECOND_SUBSCRIBER: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));

/// Lines logged by the test's thread. Tests run on one thread by default.
#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Captures what this thread logs until the guard is dropped.
    #[must_use]
    pub fn capture(&self) -> DefaultGuard {
        LazyLock::force(&SECOND_SUBSCRIBER);
        let log = self.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_writer(move || log.clone())
            .finish();
        tracing::subscriber::set_default(subscriber)
    }

    #[must_use]
    pub fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        String::from_utf8(bytes).expect("UTF-8")
    }

    /// Returns the lines of level error.
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
