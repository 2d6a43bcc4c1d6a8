//! A stateful stand-in for the card provider.
//!
//! It speaks the provider's HTTP API for the calls that Order Ahead uses, keeps its state in a journal, delivers signed
//! webhooks, and can be told to fail. It is an outside party: nothing of it is linked into the product.

mod admin;
mod authentication;
mod books;
mod browser;
mod call;
mod clock;
pub mod config;
mod cut;
mod exchange;
mod expand;
mod faults;
mod form;
mod idempotency;
mod journal;
mod nature;
mod numbers;
mod pages;
mod refusal;
mod resources;
mod routes;
mod sandbox;
mod settlement;
mod webhooks;

use std::future::Future;
use std::sync::Arc;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::config::Config;
use crate::cut::{CuttingListener, Line};
use crate::sandbox::Sandbox;

/// The version of the provider's API that objects are shown in.
pub const API_VERSION: &str = "2026-09-30.endive";

/// Serves until told to stop, then finishes what is in flight.
///
/// # Errors
/// When the journal cannot be used or the listener fails.
pub async fn serve(
    config: Config,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    let address = listener.local_addr().context("the listener has no address")?;
    let origin = config
        .public_url
        .clone()
        .unwrap_or_else(|| format!("http://{address}"));
    let sandbox = Arc::new(Sandbox::open(config, origin)?);
    let deliveries = tokio::spawn(webhooks::work(Arc::clone(&sandbox)));
    let settlements = tokio::spawn(settlement::work(Arc::clone(&sandbox)));
    tracing::info!(%address, webhooks = sandbox.config.webhook_url, "the card provider's sandbox is listening");

    let app = routes::routes(Arc::clone(&sandbox)).into_make_service_with_connect_info::<Line>();
    let stopping = sandbox.stopping.clone();
    let stopped = async move {
        stop.await;
        tracing::info!("stopping");
        stopping.cancel();
    };
    axum::serve(CuttingListener(listener), app)
        .with_graceful_shutdown(stopped)
        .await
        .context("serving failed")?;
    sandbox.tasks.close();
    sandbox.tasks.wait().await;
    deliveries.await.context("the delivery of webhooks failed")?;
    settlements.await.context("the settlement of debits failed")
}

/// Resolves at SIGTERM or SIGINT; a second one ends the process at once.
pub async fn told_to_stop() {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::error!("signals cannot be listened to");
        return std::future::pending().await;
    };
    tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
    tokio::spawn(async move {
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        std::process::exit(1);
    });
}
