//! Restarts tasks that panic. A process is not ready while one of its tasks keeps panicking.

use std::{any::Any, future::Future, panic::AssertUnwindSafe, pin::pin, time::Duration};

use futures::FutureExt;

use crate::{backoff::Backoff, lifecycle::Process};

/// A task that ran this long counts as healthy, which resets the delay before its next restart.
pub(crate) const HEALTHY_AFTER: Duration = Duration::from_secs(30);

/// Runs work and returns the message of its panic as an error.
pub(crate) async fn catch_panic<F: Future>(work: F) -> Result<F::Output, String> {
    // Unwind safe: callers drop all state that the panic may have left inconsistent, and start again.
    AssertUnwindSafe(work)
        .catch_unwind()
        .await
        .map_err(|panic| panic_message(panic.as_ref()))
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic without a message".to_owned())
}

impl Process {
    /// Runs work of a worker and returns the message of its panic as an error. After several consecutive panics the
    /// process is not ready, until the worker runs for [`HEALTHY_AFTER`] or returns.
    pub(crate) async fn catch_worker_panic<F: Future>(
        &self,
        worker: &'static str,
        work: F,
    ) -> Result<F::Output, String> {
        let mut work = pin!(catch_panic(work));
        let result = tokio::select! {
            result = &mut work => result,
            () = tokio::time::sleep(HEALTHY_AFTER) => {
                self.worker_health.record_healthy(worker);
                work.await
            }
        };
        match &result {
            Ok(_) => self.worker_health.record_healthy(worker),
            Err(_) => self.worker_health.record_panic(worker),
        }
        result
    }

    /// Spawns a worker: a task that shutdown waits for, and that is restarted with backoff after a panic. It ends when the
    /// work returns.
    pub fn spawn_worker<F, W>(&self, worker: &'static str, mut work: W)
    where
        W: FnMut() -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let process = self.clone();
        drop(self.spawn(async move {
            let mut delays = Backoff::RECONNECT.delays();
            loop {
                let started = tokio::time::Instant::now();
                let Err(panic) = process.catch_worker_panic(worker, async { work().await }).await else {
                    return;
                };
                if started.elapsed() > HEALTHY_AFTER {
                    delays.reset();
                }
                let delay = delays.next_delay();
                tracing::error!(worker, panic, restart_in = ?delay, "worker panicked; will restart");
                if !process.sleep(delay).await {
                    return;
                }
            }
        }));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;
    use crate::worker_health::MAX_PANICS;

    #[tokio::test]
    async fn a_worker_is_restarted_after_a_panic() {
        let process = Process::detached("test");
        let starts = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&starts);
        process.spawn_worker("worker", move || {
            let start = counter.fetch_add(1, Ordering::SeqCst);
            async move { assert!(start == 2, "a bug") }
        });
        process.tasks.close();
        process.tasks.wait().await;
        assert_eq!(starts.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn a_process_is_not_ready_while_a_worker_keeps_panicking() {
        let process = Process::detached("test");
        for panics in 1..=MAX_PANICS {
            let panic = process
                .catch_worker_panic("relay", async { panic!("a bug") })
                .await;
            assert_eq!(panic, Err::<(), _>("a bug".to_owned()));
            assert_eq!(process.is_ready(), panics < MAX_PANICS);
        }
        process.catch_worker_panic("consumer", async {}).await.unwrap();
        assert!(!process.is_ready());
        process.catch_worker_panic("relay", async {}).await.unwrap();
        assert!(process.is_ready());
    }

    #[tokio::test]
    async fn a_worker_that_panics_does_not_delay_shutdown() {
        let process = Process::detached("test");
        let starts = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&starts);
        process.spawn_worker("worker", move || {
            counted.fetch_add(1, Ordering::SeqCst);
            async { panic!("a bug") }
        });
        // The next start is 1.6 seconds after the fourth.
        while starts.load(Ordering::SeqCst) < 4 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let stopping = tokio::time::Instant::now();
        process.shutdown.cancel();
        process.tasks.close();
        process.tasks.wait().await;
        assert!(stopping.elapsed() < Duration::from_millis(800));
    }
}
