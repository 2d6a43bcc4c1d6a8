//! The routes behind what surrounds all of them, and an orderly end.

use std::io;
use std::time::Duration;

use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::StatusCode;
use kit::{ErrorCode, ServiceError};
use tokio::net::TcpListener;
use tokio_util::task::TaskTracker;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::connection::Connections;
use crate::envelope::{ApiError, ErrorResponse};
use crate::gateway::Gateway;
use crate::{correlation, routes, web};

/// How long an orderly end waits for open answers before it drops them.
const DRAIN: Duration = Duration::from_secs(15);
/// How long the process waits when it can open no more connections.
const ACCEPT_AGAIN: Duration = Duration::from_secs(1);

/// Everything that the gateway answers.
pub(crate) fn router(gateway: &Gateway) -> Router {
    let (calls, _) = routes::router(gateway).split_for_parts();
    let answers = calls
        .route("/health/live", get(|| async { StatusCode::OK }))
        // It keeps nothing of its own: what is away behind it answers 503 call by call.
        .route("/health/ready", get(|| async { StatusCode::OK }))
        .fallback(web::serve)
        .method_not_allowed_fallback(wrong_method)
        .layer(CompressionLayer::new())
        .layer(from_fn(correlation::follow));
    web::headers::of_data(&gateway.front)
        .into_iter()
        .fold(answers, |answers, (name, value)| {
            answers.layer(SetResponseHeaderLayer::if_not_present(name, value))
        })
        .with_state(gateway.clone())
}

/// The refusal of a method that nothing here has; who answers with it says which ones there are.
pub(crate) async fn wrong_method() -> Response {
    let refusal = ServiceError::new(
        ErrorCode::InvalidRequest,
        "METHOD_NOT_ALLOWED",
        "This is not called that way.",
    );
    (
        StatusCode::METHOD_NOT_ALLOWED,
        Json(ErrorResponse::from(ApiError::from(refusal))),
    )
        .into_response()
}

/// Serves until the process is told to stop, then finishes the open answers.
///
/// # Errors
/// The listener has no address.
pub(crate) async fn serve(gateway: &Gateway, listener: TcpListener) -> anyhow::Result<()> {
    tracing::info!(listen = %listener.local_addr()?, build = gateway.site.build_id(), "serving");
    let connections = Connections {
        router: router(gateway),
        patience: gateway.front.client_patience(),
        shutdown: gateway.shutdown.clone(),
    };
    let open = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = gateway.shutdown.cancelled() => break,
        };
        match accepted {
            Ok((stream, client)) => {
                open.spawn(connections.clone().serve(stream, client));
            }
            Err(error) if is_of_the_client(&error) => {}
            Err(error) => {
                // Out of descriptors, as a rule: those of others are given back in time.
                tracing::error!(%error, "connections cannot be accepted");
                let _stopping = tokio::time::timeout(ACCEPT_AGAIN, gateway.shutdown.cancelled()).await;
            }
        }
    }
    drop(listener);
    open.close();
    if tokio::time::timeout(DRAIN, open.wait()).await.is_err() {
        tracing::warn!("open answers were dropped at the end");
    }
    Ok(())
}

/// It went away before it was accepted.
fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}
