//! The HTTP server: routes, their common middleware, and graceful shutdown.

use std::io;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn;
use axum::response::Response;
use axum::routing::get;
use http::{HeaderMap, StatusCode};
use tokio::net::TcpListener;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_util::task::TaskTracker;
use tower::ServiceBuilder;
use tower_http::compression::CompressionLayer;

use crate::connection::ConnectionServer;
use crate::error::method_not_allowed;
use crate::gateway::Gateway;
use crate::middleware::{correlation, metrics};
use crate::open_connections::{Changes, OpenConnections};
use crate::{routes, web};

/// Time that open requests have to finish at shutdown.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(20);
/// Pause after an error such as "too many open files", which ends when other connections close.
const ACCEPT_RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// Time between log entries about connections that were closed because of a limit.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

fn router(gateway: &Gateway) -> anyhow::Result<Router> {
    let process = gateway.process.clone();
    let default_headers = web::security_headers::default_headers(&gateway.http);
    let (api, _) = routes::router(gateway).split_for_parts();
    let api_docs = web::api_docs::router(&gateway.process.source.read()?)?;
    let router = api
        .route("/health/live", get(|| async { StatusCode::OK }))
        // The gateway has no state, so it depends on no service; calls to an unavailable one return 503.
        .route(
            "/health/ready",
            get(move || async move { ready_status(process.is_ready()) }),
        )
        .merge(api_docs)
        .fallback(web::serve)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(
            ServiceBuilder::new()
                .map_response(move |response| add_missing_headers(response, &default_headers))
                .layer(from_fn(metrics::measure_request))
                .layer(from_fn(correlation::trace_request))
                .layer(CompressionLayer::new()),
        )
        .with_state(gateway.clone());
    Ok(router)
}

fn add_missing_headers(mut response: Response, headers: &HeaderMap) -> Response {
    for (name, value) in headers {
        response
            .headers_mut()
            .entry(name)
            .or_insert_with(|| value.clone());
    }
    response
}

const fn ready_status(is_ready: bool) -> StatusCode {
    if is_ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    }
}

/// Serves until shutdown, then waits for open requests.
pub(crate) async fn serve(gateway: &Gateway, listener: TcpListener) -> anyhow::Result<()> {
    tracing::info!(listen = %listener.local_addr()?, build = gateway.site.build_id(), "serving");
    let server = ConnectionServer {
        router: router(gateway)?,
        client_timeout: gateway.http.client_timeout(),
        idle_timeout: gateway.http.idle_timeout(),
        draining: gateway.process.draining.clone(),
        shutdown: gateway.shutdown.clone(),
    };
    let open_connections = OpenConnections::new(
        gateway.http.max_connections,
        gateway.http.max_connections_per_address,
        gateway.trusted_proxies.clone(),
    );
    let tasks = TaskTracker::new();
    let mut reports = interval_at(Instant::now() + REPORT_INTERVAL, REPORT_INTERVAL);
    reports.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = reports.tick() => {
                report(&open_connections);
                continue;
            }
            () = gateway.shutdown.cancelled() => break,
        };
        match accepted {
            Ok((stream, client)) => {
                // A rejected connection is closed here.
                if let Ok(open) = open_connections.open(client.ip()) {
                    tasks.spawn(server.clone().serve(stream, client, open));
                }
            }
            Err(error) if is_client_error(&error) => {}
            Err(error) => {
                tracing::error!(%error, "cannot accept connections");
                let _ = tokio::time::timeout(ACCEPT_RETRY_INTERVAL, gateway.shutdown.cancelled()).await;
            }
        }
    }
    drop(listener);
    tasks.close();
    if tokio::time::timeout(DRAIN_TIMEOUT, tasks.wait()).await.is_err() {
        tracing::warn!("open requests dropped at shutdown");
    }
    Ok(())
}

/// Logs what the limits did. Called in an interval, so that a flood of connections does not flood the log.
fn report(open_connections: &OpenConnections) {
    if let Some(Changes {
        rejected_per_address,
        rejected_in_total,
        evicted,
    }) = open_connections.take_changes()
    {
        tracing::warn!(
            rejected_per_address,
            rejected_in_total,
            evicted,
            "connections closed: MAX_CONNECTIONS or MAX_CONNECTIONS_PER_ADDRESS are open"
        );
    }
}

/// Returns whether the client closed the connection before it was accepted.
fn is_client_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}
