//! The HTTP server: routes, their common middleware, and graceful shutdown.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn;
use axum::response::Response;
use axum::routing::get;
use http::{HeaderMap, StatusCode};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;
use tower::ServiceBuilder;
use tower_http::compression::CompressionLayer;

use crate::connection::ConnectionServer;
use crate::error::method_not_allowed;
use crate::gateway::Gateway;
use crate::middleware::{correlation, metrics};
use crate::{routes, web};

/// Time that open requests have to finish at shutdown.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(20);
/// Pause after an error such as "too many open files", which ends when other connections close.
const ACCEPT_RETRY_INTERVAL: Duration = Duration::from_secs(1);

fn router(gateway: &Gateway) -> Router {
    let process = gateway.process.clone();
    let default_headers = web::security_headers::default_headers(&gateway.http);
    let (api, _) = routes::router(gateway).split_for_parts();
    api.route("/health/live", get(|| async { StatusCode::OK }))
        // The gateway has no state of its own; calls to an unavailable service return 503.
        .route(
            "/health/ready",
            get(move || async move { ready_status(process.is_ready()) }),
        )
        .fallback(web::serve)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(
            ServiceBuilder::new()
                .map_response(move |response| add_missing_headers(response, &default_headers))
                .layer(from_fn(metrics::measure_request))
                .layer(from_fn(correlation::trace_request))
                .layer(CompressionLayer::new()),
        )
        .with_state(gateway.clone())
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
        router: router(gateway),
        client_timeout: gateway.http.client_timeout(),
        draining: gateway.process.draining.clone(),
        shutdown: gateway.shutdown.clone(),
    };
    let free = Arc::new(Semaphore::new(gateway.http.max_connections));
    let connections = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = gateway.shutdown.cancelled() => break,
        };
        match accepted {
            Ok((stream, client)) => {
                let Ok(permit) = Arc::clone(&free).try_acquire_owned() else {
                    tracing::warn!("connection closed: MAX_CONNECTIONS are open");
                    continue;
                };
                let serving = server.clone().serve(stream, client);
                connections.spawn(async move {
                    serving.await;
                    drop(permit);
                });
            }
            Err(error) if is_client_error(&error) => {}
            Err(error) => {
                tracing::error!(%error, "cannot accept connections");
                let _ = tokio::time::timeout(ACCEPT_RETRY_INTERVAL, gateway.shutdown.cancelled()).await;
            }
        }
    }
    drop(listener);
    connections.close();
    if tokio::time::timeout(DRAIN_TIMEOUT, connections.wait())
        .await
        .is_err()
    {
        tracing::warn!("open requests dropped at shutdown");
    }
    Ok(())
}

/// Returns whether the client closed the connection before it was accepted.
fn is_client_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}
