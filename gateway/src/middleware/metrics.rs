//! Measures every request by route.

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use kit::metrics::HttpRequestTimer;

pub(crate) async fn measure_request(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>();
    let timer = HttpRequestTimer::start(request.method(), route.map(MatchedPath::as_str));
    let response = next.run(request).await;
    timer.finish(response.status());
    response
}
