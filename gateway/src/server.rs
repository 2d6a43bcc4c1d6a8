//! The routes behind what surrounds all of them, and an orderly end.

use std::net::SocketAddr;
use std::time::Duration;

use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::StatusCode;
use kit::{Code, Refusal};
use tokio::net::TcpListener;
use tower_http::compression::CompressionLayer;

use crate::envelope::Failure;
use crate::gateway::Gateway;
use crate::{correlation, routes, web};

/// How long an orderly end waits for open answers before it drops them.
const DRAIN: Duration = Duration::from_secs(15);

/// Everything that the gateway answers.
pub(crate) fn router(gateway: &Gateway) -> Router {
    let (calls, _) = routes::router(gateway).split_for_parts();
    calls
        .route("/health/live", get(|| async { StatusCode::OK }))
        // It keeps nothing of its own: what is away behind it answers 503 call by call.
        .route("/health/ready", get(|| async { StatusCode::OK }))
        .fallback(web::serve)
        .method_not_allowed_fallback(wrong_method)
        .layer(CompressionLayer::new())
        .layer(from_fn(correlation::follow))
        .with_state(gateway.clone())
}

/// The refusal of a method that nothing here has; who answers with it says which ones there are.
pub(crate) async fn wrong_method() -> Response {
    let refusal = Refusal::new(
        Code::Malformed,
        "METHOD_NOT_ALLOWED",
        "This is not called that way.",
    );
    (StatusCode::METHOD_NOT_ALLOWED, Json(Failure::from(refusal))).into_response()
}

/// Serves until the process is told to stop, then finishes the open answers.
///
/// # Errors
/// The listener fails.
pub(crate) async fn serve(gateway: &Gateway, listener: TcpListener) -> anyhow::Result<()> {
    tracing::info!(listen = %listener.local_addr()?, build = gateway.site.build_id(), "serving");
    let service = router(gateway).into_make_service_with_connect_info::<SocketAddr>();
    let shutdown = gateway.shutdown.clone();
    let serving = axum::serve(listener, service).with_graceful_shutdown(shutdown.clone().cancelled_owned());
    let serving = std::future::IntoFuture::into_future(serving);
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        ended = &mut serving => return Ok(ended?),
        () = shutdown.cancelled() => {}
    }
    if tokio::time::timeout(DRAIN, serving).await.is_err() {
        tracing::warn!("open answers were dropped at the end");
    }
    Ok(())
}
