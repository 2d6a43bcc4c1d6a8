//! The API reference, for development: Swagger UI, and the document that it shows. Off unless `API_DOCS_FOLDER` is set.

use std::path::PathBuf;

use axum::Router;
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use serde::Deserialize;
use tower_http::services::ServeDir;

use crate::gateway::Gateway;
use crate::openapi;

/// Swagger UI sets styles from scripts, and has its icons in the style sheet.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const PAGE: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Order Ahead API</title>
<link rel="icon" href="/docs/files/favicon-32x32.png">
<link rel="stylesheet" href="/docs/files/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/files/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"#;

/// Adds the correlation id that state-changing calls need.
const START_SCRIPT: &str = r##"SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  tryItOutEnabled: true,
  requestInterceptor(request) {
    request.headers["x-correlation-id"] ??= crypto.randomUUID();
    return request;
  },
});
"##;

#[derive(Debug, Deserialize)]
pub(crate) struct ApiDocsConfig {
    /// Folder of the files of Swagger UI (npm package swagger-ui-dist).
    #[serde(default)]
    api_docs_folder: Option<PathBuf>,
}

/// Returns the routes of the reference, or none if it is off.
pub(crate) fn router(config: &ApiDocsConfig) -> anyhow::Result<Router<Gateway>> {
    let Some(folder) = config
        .api_docs_folder
        .as_ref()
        .filter(|folder| !folder.as_os_str().is_empty())
    else {
        return Ok(Router::new());
    };
    let script = folder.join("swagger-ui-bundle.js");
    anyhow::ensure!(
        script.is_file(),
        "bad configuration: API_DOCS_FOLDER: {} does not exist",
        script.display()
    );
    let document = openapi::to_json()?;
    let start_script = || async { ([(CONTENT_TYPE, "text/javascript")], START_SCRIPT) };
    Ok(Router::new()
        .route("/docs", get(page))
        .route("/docs/start.js", get(start_script))
        .nest_service(
            "/docs/files",
            ServeDir::new(folder).append_index_html_on_directories(false),
        )
        .route(
            "/openapi.json",
            get(move || async { ([(CONTENT_TYPE, "application/json")], document) }),
        ))
}

async fn page() -> impl IntoResponse {
    ([(CONTENT_SECURITY_POLICY, CONTENT_POLICY)], Html(PAGE))
}
