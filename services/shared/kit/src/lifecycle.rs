//! Lifecycle of a process: start, run until a signal, finish work in flight, flush telemetry, exit.

use std::{future::Future, process::ExitCode, time::Duration};

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument;

use crate::{config::Source, grpc::correlation, telemetry};

/// Time for work in flight to finish during shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(25);

/// Context of a running process.
#[derive(Debug, Clone)]
pub struct Process {
    /// Name of the program, for example `ordering`.
    pub name: &'static str,
    pub source: Source,
    /// Cancelled when shutdown is requested.
    pub shutdown: CancellationToken,
    /// Tasks that shutdown waits for.
    pub tasks: TaskTracker,
}

impl Process {
    /// Creates a process without signal handlers and telemetry.
    #[must_use]
    pub fn detached(name: &'static str) -> Self {
        Self {
            name,
            source: Source::from_environment(),
            shutdown: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// Spawns a task that shutdown waits for. It keeps the current span and correlation id.
    pub fn spawn<F>(&self, work: F) -> tokio::task::JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.tasks.spawn(correlation::inherit(work.in_current_span()))
    }

    /// Sleeps. Returns `false` at once when shutdown is requested.
    pub async fn sleep(&self, time: Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(time) => true,
            () = self.shutdown.cancelled() => false,
        }
    }
}

/// Runs a program until `body` returns. SIGTERM or SIGINT requests shutdown; a second signal exits at once.
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
    let shutdown = process.shutdown.clone();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        loop {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
            if shutdown.is_cancelled() {
                std::process::exit(130);
            }
            tracing::info!("shutting down");
            shutdown.cancel();
        }
    });
    let result = body(process.clone()).await;
    process.shutdown.cancel();
    process.tasks.close();
    if tokio::time::timeout(SHUTDOWN_TIMEOUT, process.tasks.wait())
        .await
        .is_err()
    {
        tracing::warn!(
            tasks = process.tasks.len(),
            "work in flight did not finish in time; recovery will complete it"
        );
    }
    result
}
