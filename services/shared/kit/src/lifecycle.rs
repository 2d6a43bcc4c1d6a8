//! The life of a process: start, run until told to stop, finish what is in flight, flush, exit.

use std::{future::Future, process::ExitCode, time::Duration};

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument;

use crate::{config::Source, grpc::correlation, telemetry};

/// How long work in flight may take once the process was told to stop.
const GRACE: Duration = Duration::from_secs(25);

/// What every part of a running process needs.
#[derive(Debug, Clone)]
pub struct Process {
    /// The name of this program: `ordering`.
    pub name: &'static str,
    /// Its settings.
    pub source: Source,
    /// Cancelled when the process is told to stop.
    pub shutdown: CancellationToken,
    /// Work that must finish before the process ends.
    pub tasks: TaskTracker,
}

impl Process {
    /// A process by itself, for tests: no signals, no telemetry.
    #[must_use]
    pub fn detached(name: &'static str) -> Self {
        Self {
            name,
            source: Source::from_environment(),
            shutdown: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// Runs work that shut-down waits for, in the caller's trace and for the same request.
    pub fn spawn<F>(&self, work: F) -> tokio::task::JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.tasks.spawn(correlation::inherit(work.in_current_span()))
    }

    /// Waits, or returns early with `false` when the process is told to stop.
    pub async fn sleep(&self, time: Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(time) => true,
            () = self.shutdown.cancelled() => false,
        }
    }
}

/// Runs a program: telemetry, the body, and an orderly end. SIGTERM or SIGINT stops it, a second one at once.
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
        let process = Process::started(name);
        let telemetry = match telemetry::start(name, &process.source) {
            Ok(telemetry) => telemetry,
            Err(error) => {
                eprintln!("{name}: {error:#}");
                return ExitCode::FAILURE;
            }
        };
        let outcome = live(&process, body).await;
        telemetry.flush();
        match outcome {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                tracing::error!(error = format!("{error:#}"), "stopped");
                ExitCode::FAILURE
            }
        }
    })
}

impl Process {
    fn started(name: &'static str) -> Self {
        Self {
            name,
            ..Self::detached(name)
        }
    }
}

async fn live<F, B>(process: &Process, body: B) -> anyhow::Result<()>
where
    B: FnOnce(Process) -> F,
    F: Future<Output = anyhow::Result<()>>,
{
    let watched = process.shutdown.clone();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        let mut told = false;
        loop {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
            if told {
                std::process::exit(130);
            }
            told = true;
            tracing::info!("stopping");
            watched.cancel();
        }
    });
    let outcome = body(process.clone()).await;
    process.shutdown.cancel();
    process.tasks.close();
    if tokio::time::timeout(GRACE, process.tasks.wait()).await.is_err() {
        tracing::warn!(
            tasks = process.tasks.len(),
            "work in flight did not finish in time; recovery will"
        );
    }
    outcome
}
