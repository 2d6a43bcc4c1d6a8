//! Files of the build. Their names under `assets/` carry a hash of their content, so they never change.

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use http::{HeaderValue, Method, StatusCode};
use tower::ServiceExt;
use tower_http::services::ServeDir;

use super::Site;

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// A route of the app has no dot in its last part; a file has. The page itself is no file: it is written anew.
pub(super) fn is_file(path: &str) -> bool {
    path != "/index.html" && path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// The file, already compressed where the build says so; none where there is none. Whatever the method, it is only read.
pub(super) async fn serve(site: &Site, mut request: Request) -> Option<Response> {
    site.page.as_ref()?;
    if request.method() != Method::GET {
        *request.method_mut() = Method::HEAD;
    }
    let immutable = request.uri().path().starts_with("/assets/");
    let files = ServeDir::new(&site.folder)
        .precompressed_br()
        .precompressed_gzip()
        .append_index_html_on_directories(false);
    let mut response = files.oneshot(request).await.into_response().map(Body::new);
    if response.status() == StatusCode::NOT_FOUND {
        return None;
    }
    // A refused condition or part is no file: whoever keeps one for its address would be without it.
    let is_file = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    if is_file {
        let rule = if immutable { FOR_EVER } else { ASK_AGAIN };
        response.headers_mut().insert(CACHE_CONTROL, rule);
    }
    response.headers_mut().extend(site.headers.clone());
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_of_the_app_are_no_files() {
        for route in ["/", "/store/str_1/menu", "/index.html", "/lp/summer"] {
            assert!(!is_file(route), "{route}");
        }
        for file in ["/assets/index-a1.js", "/favicon.svg", "/sw.js"] {
            assert!(is_file(file), "{file}");
        }
    }
}
