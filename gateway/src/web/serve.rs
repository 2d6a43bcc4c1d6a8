//! Responds to requests that no API route handles.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, Method, StatusCode, header};

use super::accept::PageAcceptance;
use super::site::Site;
use super::{files, page, session_parameter};
use crate::error::{ApiError, method_not_allowed};
use crate::gateway::Gateway;

/// Paths of API calls, which have no pages.
const API_PREFIXES: [&str; 3] = ["/api", "/store-api", "/webhooks"];
/// Methods of pages and files.
const ALLOW: HeaderValue = HeaderValue::from_static("GET,HEAD");

/// Responds with a file of the build, with the page of the app, or with 404.
pub(crate) async fn serve(State(gateway): State<Gateway>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    if is_api_path(&path) {
        return not_found();
    }
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if files::is_file(&path) {
        return match files::serve_file(&gateway.site, request).await {
            Some(file) if is_read => file,
            Some(_) => read_only().await,
            None => not_found(),
        };
    }
    let (parts, _) = request.into_parts();
    let acceptance = PageAcceptance::of(&parts.headers);
    let status = match page_status(&gateway.site, &path, acceptance) {
        Some(StatusCode::OK) if !is_read => return read_only().await,
        Some(status) if is_read => status,
        _ => return not_found(),
    };
    let is_opened =
        status == StatusCode::OK && acceptance == PageAcceptance::Html && parts.method == Method::GET;
    if is_opened && let Some(redirect) = session_parameter::redirect(&gateway, &parts).await {
        return redirect;
    }
    let page = page::render(&gateway, &parts, status).await;
    page.unwrap_or_else(not_found)
}

fn is_api_path(path: &str) -> bool {
    API_PREFIXES.iter().any(|prefix| {
        path.strip_prefix(prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Returns the status of the page at a path, or `None` if the client gets a 404 without the page. A browser gets the page
/// at an unknown path as well, because the app shows that the page was not found.
fn page_status(site: &Site, path: &str, acceptance: PageAcceptance) -> Option<StatusCode> {
    let is_app_route =
        path == "/index.html" || site.routes.as_ref().is_none_or(|routes| routes.contains(path));
    match acceptance {
        PageAcceptance::Html if is_app_route => Some(StatusCode::OK),
        PageAcceptance::Html => Some(StatusCode::NOT_FOUND),
        // Link previews. Without a list of routes, any path could be one.
        PageAcceptance::Wildcard if is_app_route && site.routes.is_some() => Some(StatusCode::OK),
        PageAcceptance::Wildcard | PageAcceptance::Other => None,
    }
}

async fn read_only() -> Response {
    ([(header::ALLOW, ALLOW)], method_not_allowed().await).into_response()
}

fn not_found() -> Response {
    ApiError::page_not_found().into_response()
}
