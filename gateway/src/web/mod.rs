//! The built web app, as files and as a page for every route of its own.

mod files;
pub(crate) mod headers;
mod page;
mod route;
mod site;

pub use site::Site;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, Method, StatusCode, header};
use kit::{ErrorCode, ServiceError};

use crate::caller::Call;
use crate::envelope::ApiError;
use crate::gateway::Gateway;
use crate::server;
use route::Wants;

/// What belongs to the calls: no page stands there.
const CALLS: [&str; 3] = ["/api", "/store-api", "/webhooks"];
/// How a page or a file may be asked for.
const READ: HeaderValue = HeaderValue::from_static("GET,HEAD");

/// Answers what no call does: a file of the build, or the page.
pub async fn serve(State(gateway): State<Gateway>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let is_call = CALLS.iter().any(|area| {
        path.strip_prefix(area)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    if is_call {
        return unknown();
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if files::is_file(&path) {
        return match files::serve(&gateway.site, request).await {
            Some(file) if reads => file,
            Some(_) => read_only().await,
            None => unknown(),
        };
    }
    let (parts, _) = request.into_parts();
    let status = match status(&gateway.site, &path, Wants::of(&parts.headers)) {
        Some(StatusCode::OK) if !reads => return read_only().await,
        Some(status) if reads => status,
        _ => return unknown(),
    };
    let page = page::serve(&gateway, &Call::own(&parts), &path).await;
    page.map_or_else(unknown, |page| (status, page).into_response())
}

/// With which status the page stands at a path for whoever asks; none where it does not. A person who mistypes gets the
/// app, which says so. Whatever only looks for what may be there is told that nothing is.
fn status(site: &Site, path: &str, wants: Wants) -> Option<StatusCode> {
    let known = path == "/index.html" || site.routes.as_ref().is_none_or(|routes| routes.has(path));
    match wants {
        Wants::Html if known => Some(StatusCode::OK),
        Wants::Html => Some(StatusCode::NOT_FOUND),
        // Who follows a shared link to unfurl it; with a list alone, as anything may be a route without one.
        Wants::Anything if known && site.routes.is_some() => Some(StatusCode::OK),
        Wants::Anything | Wants::Other => None,
    }
}

async fn read_only() -> Response {
    ([(header::ALLOW, READ)], server::wrong_method().await).into_response()
}

fn unknown() -> Response {
    ApiError::from(ServiceError::new(
        ErrorCode::NotFound,
        "NOT_FOUND",
        "There is nothing here.",
    ))
    .into_response()
}
