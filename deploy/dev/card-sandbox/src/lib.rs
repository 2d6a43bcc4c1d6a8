//! A stateful stand-in for the card provider, for development and tests.
//!
//! It implements the calls of the provider's HTTP API that Order Ahead uses, stores its state in a journal, delivers
//! signed webhooks, and injects faults on request. It simulates another company's system: the product links none of it.

mod admin;
mod api_error;
mod browser_files;
mod card_behavior;
mod clock;
pub mod config;
mod connection_reset;
mod expand;
mod faults;
mod form;
mod http_exchange;
mod idempotency;
mod ids;
mod journal;
mod objects;
mod pagination;
mod request;
mod resources;
mod routes;
mod sandbox;
mod settlement;
mod state;
mod test_numbers;
mod webhooks;

use std::future::Future;
use std::sync::Arc;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::config::Config;
use crate::connection_reset::{ConnectionReset, ResettableListener};
use crate::sandbox::Sandbox;

/// The version of the provider's API that the sandbox implements.
const API_VERSION: &str = "2026-09-30.endive";

/// Serves until `stop` resolves, then finishes the requests and deliveries in progress.
///
/// # Errors
/// If the journal cannot be used or the listener fails.
pub async fn serve(
    config: Config,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    let address = listener
        .local_addr()
        .context("cannot read the listener's address")?;
    let origin = config
        .public_url
        .clone()
        .unwrap_or_else(|| format!("http://{address}"));
    let sandbox = Arc::new(Sandbox::open(config, origin)?);
    let deliveries = tokio::spawn(webhooks::run(Arc::clone(&sandbox)));
    let settlements = tokio::spawn(settlement::run(Arc::clone(&sandbox)));
    tracing::info!(%address, webhooks = sandbox.config.webhook_url, "listening");

    let app = routes::routes(Arc::clone(&sandbox)).into_make_service_with_connect_info::<ConnectionReset>();
    let shutdown = sandbox.shutdown.clone();
    let stopped = async move {
        stop.await;
        tracing::info!("stopping");
        shutdown.cancel();
    };
    axum::serve(ResettableListener(listener), app)
        .with_graceful_shutdown(stopped)
        .await
        .context("serving failed")?;
    sandbox.tasks.close();
    sandbox.tasks.wait().await;
    deliveries.await.context("the webhook worker failed")?;
    settlements.await.context("the settlement worker failed")
}

/// Resolves at SIGTERM or SIGINT. A second signal exits the process immediately.
pub async fn shutdown_signal() {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::error!("cannot install signal handlers");
        return std::future::pending().await;
    };
    tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
    tokio::spawn(async move {
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        std::process::exit(1);
    });
}
