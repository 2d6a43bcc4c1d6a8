//! The HTTP server: routes, their common middleware, and graceful shutdown.

use std::io;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn;
use axum::routing::get;
use http::StatusCode;
use tokio::net::TcpListener;
use tokio_util::task::TaskTracker;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::connection::ConnectionServer;
use crate::error::method_not_allowed;
use crate::gateway::Gateway;
use crate::middleware::{correlation, metrics};
use crate::{routes, web};

/// Time that open requests have to finish at shutdown.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(15);
/// Pause after an error such as "too many open files", which ends when other connections close.
const ACCEPT_RETRY_INTERVAL: Duration = Duration::from_secs(1);

fn router(gateway: &Gateway) -> Router {
    let (api, _) = routes::router(gateway).split_for_parts();
    let router = api
        .route("/health/live", get(|| async { StatusCode::OK }))
        // The gateway has no state of its own; calls to an unavailable service return 503.
        .route("/health/ready", get(|| async { StatusCode::OK }))
        .fallback(web::serve)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(CompressionLayer::new())
        .layer(from_fn(correlation::trace_request))
        .layer(from_fn(metrics::measure_request));
    web::security_headers::default_headers(&gateway.http)
        .into_iter()
        .fold(router, |router, (name, value)| {
            router.layer(SetResponseHeaderLayer::if_not_present(name, value))
        })
        .with_state(gateway.clone())
}

/// Serves until shutdown, then waits for open requests.
pub(crate) async fn serve(gateway: &Gateway, listener: TcpListener) -> anyhow::Result<()> {
    tracing::info!(listen = %listener.local_addr()?, build = gateway.site.build_id(), "serving");
    let server = ConnectionServer {
        router: router(gateway),
        client_timeout: gateway.http.client_timeout(),
        shutdown: gateway.shutdown.clone(),
    };
    let connections = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = gateway.shutdown.cancelled() => break,
        };
        match accepted {
            Ok((stream, client)) => {
                connections.spawn(server.clone().serve(stream, client));
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
