//! Lifecycle of a process: start, run until a signal, finish work in flight, flush telemetry, exit.

use std::{
    future::Future,
    process::ExitCode,
    sync::{Arc, OnceLock},
    time::Duration,
};

use serde::Deserialize;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::Instant,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument;

use crate::{
    config::{Source, between},
    grpc::correlation,
    telemetry,
    worker_health::WorkerHealth,
};

/// Time for calls and work in flight to finish during shutdown. With the delay before it, this must be shorter than the
/// grace period of the environment, which is 30 seconds in Kubernetes.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(25);

/// Context of a running process.
#[derive(Debug, Clone)]
pub struct Process {
    /// Name of the program, for example `ordering`.
    pub name: &'static str,
    pub source: Source,
    /// Canceled at SIGTERM: the process is no longer ready, but accepts calls until shutdown.
    pub draining: CancellationToken,
    /// Canceled when shutdown starts.
    pub shutdown: CancellationToken,
    /// Tasks that shutdown waits for.
    pub tasks: TaskTracker,
    pub worker_health: WorkerHealth,
    /// Reason for which the process ends, see [`Self::fail`].
    pub failure: Arc<OnceLock<&'static str>>,
}

#[derive(Debug, Deserialize)]
struct Config {
    /// Time between SIGTERM and shutdown, in which load balancers notice that the process is not ready.
    #[serde(default, deserialize_with = "between::<0, 600, _, _>")]
    shutdown_delay_seconds: u64,
}

impl Process {
    /// Creates a process without signal handlers and telemetry.
    #[must_use]
    pub fn detached(name: &'static str) -> Self {
        Self {
            name,
            source: Source::from_environment(),
            draining: CancellationToken::new(),
            shutdown: CancellationToken::new(),
            tasks: TaskTracker::new(),
            worker_health: WorkerHealth::default(),
            failure: Arc::default(),
        }
    }

    /// Returns whether load balancers may send requests: the process is not draining, and no worker panics repeatedly.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        !self.draining.is_cancelled() && !self.shutdown.is_cancelled() && self.worker_health.is_healthy()
    }

    /// Spawns a task that shutdown waits for. It keeps the current span and correlation id.
    pub fn spawn<F>(&self, work: F) -> tokio::task::JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.tasks.spawn(correlation::inherit(work.in_current_span()))
    }

    /// Shuts down, and exits with a failure, so that the process is started again. Only the first reason counts.
    pub fn fail(&self, reason: &'static str) {
        // Set already if another task failed.
        let _ = self.failure.set(reason);
        self.shutdown.cancel();
    }

    /// Sleeps, but returns `false` immediately when shutdown is requested.
    pub async fn sleep(&self, time: Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(time) => true,
            () = self.shutdown.cancelled() => false,
        }
    }
}

/// Runs a program until `body` returns. After SIGTERM or SIGINT the process is not ready; after `SHUTDOWN_DELAY_SECONDS`
/// shutdown starts. A second signal exits at once.
pub fn run<F, B>(name: &'static str, body: B) -> ExitCode
where
    B: FnOnce(Process) -> F,
    F: Future<Output = anyhow::Result<()>>,
{
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("{name}: cannot start: {error}");
            return ExitCode::FAILURE;
        }
    };
    runtime.block_on(async {
        let process = Process::detached(name);
        let telemetry = match telemetry::start(name, &process.source) {
            Ok(telemetry) => telemetry,
            Err(error) => {
                eprintln!("{name}: {error:#}");
                return ExitCode::FAILURE;
            }
        };
        let result = run_until_signal(&process, body).await;
        telemetry.flush();
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                tracing::error!(error = format!("{error:#}"), "program failed");
                ExitCode::FAILURE
            }
        }
    })
}

async fn run_until_signal<F, B>(process: &Process, body: B) -> anyhow::Result<()>
where
    B: FnOnce(Process) -> F,
    F: Future<Output = anyhow::Result<()>>,
{
    let config: Config = process.source.read()?;
    tokio::spawn(shut_down_at_signal(
        process.clone(),
        Duration::from_secs(config.shutdown_delay_seconds),
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?),
    ));
    let (result, deadline) = run_until_shutdown(process, body(process.clone())).await;
    process.shutdown.cancel();
    process.tasks.close();
    if tokio::time::timeout_at(deadline, process.tasks.wait())
        .await
        .is_err()
    {
        tracing::warn!(
            tasks = process.tasks.len(),
            "work in flight did not finish in time; recovery will complete it"
        );
    }
    match process.failure.get() {
        Some(reason) => Err(anyhow::anyhow!(*reason)),
        None => result,
    }
}

/// Returns the result of the program and the time at which the process must exit.
async fn run_until_shutdown<F>(process: &Process, body: F) -> (anyhow::Result<()>, Instant)
where
    F: Future<Output = anyhow::Result<()>>,
{
    let mut body = std::pin::pin!(body);
    tokio::select! {
        result = &mut body => return (result, Instant::now() + SHUTDOWN_TIMEOUT),
        () = process.shutdown.cancelled() => {}
    }
    let deadline = Instant::now() + SHUTDOWN_TIMEOUT;
    let result = tokio::time::timeout_at(deadline, body).await;
    (result.unwrap_or(Ok(())), deadline)
}

async fn shut_down_at_signal(
    process: Process,
    delay: Duration,
    (mut terminate, mut interrupt): (Signal, Signal),
) {
    let mut next_signal = async || {
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
    };
    next_signal().await;
    tracing::info!(?delay, "not ready; shutdown starts after the delay");
    process.draining.cancel();
    tokio::select! {
        () = tokio::time::sleep(delay) => {}
        () = next_signal() => std::process::exit(130),
    }
    tracing::info!("shutting down");
    process.shutdown.cancel();
    next_signal().await;
    std::process::exit(130);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_process_that_fails_shuts_down_and_reports_the_first_reason() {
        let process = Process::detached("test");
        let result = run_until_signal(&process, |process| async move {
            process.fail("the first reason");
            process.fail("another reason");
            process.shutdown.cancelled().await;
            Ok(())
        });
        let error = result.await.unwrap_err();
        assert_eq!(error.to_string(), "the first reason");
    }
}
