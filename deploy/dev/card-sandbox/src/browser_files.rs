//! The stand-in for the provider's browser script, and the frames that it opens.
//!
//! Card numbers are typed into a frame of the sandbox's origin, which sends them to the sandbox only: the content security
//! policy of the frames allows no other address. The page around a frame never receives card numbers.

use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderName, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::connection_reset::ConnectionReset;
use crate::faults::{Failure, FaultKind};
use crate::sandbox::Sandbox;

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
/// The files of the script share one scope. Pages see only `window.Stripe`.
const PROVIDER_SCRIPT: &str = concat!(
    "(() => {\n'use strict';\n",
    include_str!("../browser/script/frames.js"),
    include_str!("../browser/script/card-element.js"),
    include_str!("../browser/script/wallet.js"),
    include_str!("../browser/script/stripe.js"),
    "})();\n"
);
const CSS: &str = "text/css; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                                       font-src http: https:; connect-src 'self'; base-uri 'none'; form-action 'none'";

pub fn routes(sandbox: &Arc<Sandbox>) -> Router<Arc<Sandbox>> {
    Router::new()
        .route("/v1/js", file(JAVASCRIPT, PROVIDER_SCRIPT))
        .route("/v1/js/", file(JAVASCRIPT, PROVIDER_SCRIPT))
        .route("/frames/card", file(HTML, include_str!("../browser/card.html")))
        .route(
            "/frames/card.js",
            file(JAVASCRIPT, include_str!("../browser/card.js")),
        )
        .route(
            "/frames/authenticate",
            file(HTML, include_str!("../browser/authenticate.html")),
        )
        .route(
            "/frames/authenticate.js",
            file(JAVASCRIPT, include_str!("../browser/authenticate.js")),
        )
        .route("/frames/sheet", file(HTML, include_str!("../browser/sheet.html")))
        .route(
            "/frames/sheet.js",
            file(JAVASCRIPT, include_str!("../browser/sheet.js")),
        )
        .route("/frames/bank", file(HTML, include_str!("../browser/bank.html")))
        .route(
            "/frames/bank.js",
            file(JAVASCRIPT, include_str!("../browser/bank.js")),
        )
        .route(
            "/frames/channel.js",
            file(JAVASCRIPT, include_str!("../browser/channel.js")),
        )
        .route(
            "/frames/frames.css",
            file(CSS, include_str!("../browser/frames.css")),
        )
        .layer(from_fn_with_state(Arc::clone(sandbox), inject_faults))
}

fn file(content_type: &'static str, content: &'static str) -> axum::routing::MethodRouter<Arc<Sandbox>> {
    get(move || async move {
        let headers = [
            (header::CONTENT_TYPE, content_type),
            (header::CACHE_CONTROL, "no-cache"),
            (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
            (header::REFERRER_POLICY, "no-referrer"),
            (
                HeaderName::from_static("cross-origin-resource-policy"),
                "cross-origin",
            ),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        ];
        (headers, content)
    })
}

/// Applies faults to the script and the frames, so that tests can check how pages retry.
async fn inject_faults(
    State(sandbox): State<Arc<Sandbox>>,
    ConnectInfo(connection): ConnectInfo<ConnectionReset>,
    request: Request,
    next: Next,
) -> Response {
    let faults = sandbox
        .faults
        .apply(request.method().as_str(), request.uri().path());
    if let Some(delay) = faults.delay {
        tokio::time::sleep(delay).await;
    }
    match faults.failure {
        Some(Failure {
            kind: FaultKind::Error | FaultKind::ErrorAfter,
            status,
            ..
        }) => status.into_response(),
        Some(_) => {
            connection.reset();
            axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
        None => next.run(request).await,
    }
}
