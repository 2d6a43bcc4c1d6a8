//! The stand-in for the provider's browser script, and the frames that it opens.
//!
//! Card numbers are typed into a frame of the sandbox's own origin and go from there to the sandbox only: the frames'
//! policy allows no other address, and the page around them is never told.

use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderName, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::cut::Line;
use crate::faults::Kind;
use crate::sandbox::Sandbox;

const SCRIPT: &str = "text/javascript; charset=utf-8";
/// One script of several files: they share one scope, and the page sees only `window.Stripe`.
const PROVIDER_SCRIPT: &str = concat!(
    "(() => {\n'use strict';\n",
    include_str!("../browser/script/frames.js"),
    include_str!("../browser/script/card-element.js"),
    include_str!("../browser/script/wallet.js"),
    include_str!("../browser/script/stripe.js"),
    "})();\n"
);
const STYLE: &str = "text/css; charset=utf-8";
const PAGE: &str = "text/html; charset=utf-8";
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'";

/// The script, and the frames with what they need.
pub fn routes(sandbox: &Arc<Sandbox>) -> Router<Arc<Sandbox>> {
    Router::new()
        .route("/v1/js", file(SCRIPT, PROVIDER_SCRIPT))
        .route("/v1/js/", file(SCRIPT, PROVIDER_SCRIPT))
        .route("/frames/card", file(PAGE, include_str!("../browser/card.html")))
        .route(
            "/frames/card.js",
            file(SCRIPT, include_str!("../browser/card.js")),
        )
        .route(
            "/frames/authenticate",
            file(PAGE, include_str!("../browser/authenticate.html")),
        )
        .route(
            "/frames/authenticate.js",
            file(SCRIPT, include_str!("../browser/authenticate.js")),
        )
        .route("/frames/sheet", file(PAGE, include_str!("../browser/sheet.html")))
        .route(
            "/frames/sheet.js",
            file(SCRIPT, include_str!("../browser/sheet.js")),
        )
        .route("/frames/bank", file(PAGE, include_str!("../browser/bank.html")))
        .route(
            "/frames/bank.js",
            file(SCRIPT, include_str!("../browser/bank.js")),
        )
        .route(
            "/frames/channel.js",
            file(SCRIPT, include_str!("../browser/channel.js")),
        )
        .route(
            "/frames/frames.css",
            file(STYLE, include_str!("../browser/frames.css")),
        )
        .layer(from_fn_with_state(Arc::clone(sandbox), struck))
}

fn file(kind: &'static str, content: &'static str) -> axum::routing::MethodRouter<Arc<Sandbox>> {
    get(move || async move {
        let headers = [
            (header::CONTENT_TYPE, kind),
            (header::CACHE_CONTROL, "no-cache"),
            (header::CONTENT_SECURITY_POLICY, POLICY),
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

/// Faults strike the script and the frames too, so that the page's own retries can be tested.
async fn struck(
    State(sandbox): State<Arc<Sandbox>>,
    ConnectInfo(line): ConnectInfo<Line>,
    request: Request,
    next: Next,
) -> Response {
    let strike = sandbox
        .faults
        .strike(request.method().as_str(), request.uri().path());
    if let Some(delay) = strike.delay {
        tokio::time::sleep(delay).await;
    }
    match strike.failure {
        Some((Kind::Error | Kind::ErrorAfter, status)) => status.into_response(),
        Some(_) => {
            line.cut();
            axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
        None => next.run(request).await,
    }
}
