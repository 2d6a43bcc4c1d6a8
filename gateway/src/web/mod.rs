//! The built web app, as files and as a page for every route of its own.

mod files;
mod headers;
mod page;
mod site;

pub use site::Site;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::Method;
use kit::{Code, Refusal};

use crate::caller::Call;
use crate::envelope::Refused;
use crate::gateway::Gateway;

/// What belongs to the calls: no page stands there.
const CALLS: [&str; 3] = ["/api", "/store-api", "/webhooks"];

/// Answers what no call does: a file of the build, or the page.
pub async fn serve(State(gateway): State<Gateway>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let is_call = CALLS.iter().any(|area| {
        path.strip_prefix(area)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    if is_call || !matches!(*request.method(), Method::GET | Method::HEAD) {
        return unknown();
    }
    if files::is_file(&path) {
        return files::serve(&gateway.site, request).await.unwrap_or_else(unknown);
    }
    let (parts, _) = request.into_parts();
    page::serve(&gateway, &Call::own(&parts), &path)
        .await
        .unwrap_or_else(unknown)
}

fn unknown() -> Response {
    Refused(Refusal::new(
        Code::NotFound,
        "NOT_FOUND",
        "There is nothing here.",
    ))
    .into_response()
}
