//! Files of the build. The names of those under `assets/` contain a hash of their content. Those of the previous build are served as
//! well: during a release both builds serve pages, and open pages load more scripts of their build later.

use std::path::Path;

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL};
use http::{HeaderValue, Method, StatusCode};
use tower::ServiceExt;
use tower_http::services::ServeDir;

use super::site::Site;

const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// Returns whether the path is that of a file: its last segment contains a dot, unlike the routes of the app. The page
/// itself is rendered and not served as a file.
pub(super) fn is_file(path: &str) -> bool {
    path != "/index.html" && path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// Returns the file, compressed if the build has it compressed, or `None` if neither build has it. Handles methods other than
/// GET like HEAD.
pub(super) async fn serve_file(site: &Site, mut request: Request) -> Option<Response> {
    site.page.as_ref()?;
    if request.method() != Method::GET {
        *request.method_mut() = Method::HEAD;
    }
    let is_immutable = request.uri().path().starts_with("/assets/");
    let extension = Path::new(request.uri().path()).extension();
    let is_font = extension.is_some_and(|extension| extension == "woff2");
    let files = files_of(&site.folder);
    let response = match &site.previous_folder {
        Some(previous) if is_immutable => files.fallback(files_of(previous)).oneshot(request).await,
        _ => files.oneshot(request).await,
    };
    let mut response = response.into_response().map(Body::new);
    if response.status() == StatusCode::NOT_FOUND {
        return None;
    }
    // A failed precondition or range must not be cached in place of the file.
    let is_file = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    if is_file {
        let cache_control = if is_immutable { IMMUTABLE } else { REVALIDATE };
        response.headers_mut().insert(CACHE_CONTROL, cache_control);
    }
    if is_font {
        // For the card form in the frame of the payment provider.
        response
            .headers_mut()
            .insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    response.headers_mut().extend(site.headers.clone());
    Some(response)
}

fn files_of(folder: &Path) -> ServeDir {
    ServeDir::new(folder)
        .precompressed_br()
        .precompressed_gzip()
        .append_index_html_on_directories(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_of_the_app_are_not_files() {
        for route in ["/", "/store/str_1/menu", "/index.html", "/lp/summer"] {
            assert!(!is_file(route), "{route}");
        }
        for file in ["/assets/index-a1.js", "/favicon.svg", "/sw.js"] {
            assert!(is_file(file), "{file}");
        }
    }
}
