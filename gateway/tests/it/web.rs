//! The built web app as browsers get it.

use std::path::PathBuf;

use proto::stores::v1::{GetStoreRequest, Store};
use reqwest::{Method, Response};

use crate::gateway::{Gateway, token, told};
use crate::services::Services;

/// A small build in a folder of its own.
fn build() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gateway-web-{}", token()));
    std::fs::create_dir_all(folder.join("assets")).unwrap();
    let page =
        "<!doctype html><html><head><title>Old</title></head><body><script>theme()</script></body></html>";
    std::fs::write(folder.join("index.html"), page).unwrap();
    std::fs::write(folder.join("assets/app-1a2b.js"), "app()").unwrap();
    let routes = r#"["/", "/checkout", "/store/$storeId/menu", "/lp/$"]"#;
    std::fs::write(folder.join("routes.json"), routes).unwrap();
    folder
}

async fn start(services: &Services) -> Gateway {
    let folder = build();
    let script = ("PROVIDER_SCRIPT_URL", "https://js.example.net/v3/");
    Gateway::start_with(services, &[("WEB_DIST", folder.to_str().unwrap()), script]).await
}

#[tokio::test]
async fn every_route_of_the_app_is_its_page_with_build_and_meta() {
    let services = Services::start().await;
    services.on("GetStore", |_: GetStoreRequest| {
        Ok(Store {
            name: "Sunset".into(),
            company_name: "Joe <3".into(),
            ..Default::default()
        })
    });
    let gateway = start(&services).await;
    let (_, build) = told(gateway.get("/api/build").send().await.unwrap()).await;
    let build = build["data"]["buildId"].as_str().unwrap().to_owned();
    let response = gateway.get("/checkout").send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), &response.headers()["cache-control"]),
        (200, &"no-cache".parse().unwrap())
    );
    let policy = response.headers()["content-security-policy"]
        .to_str()
        .unwrap()
        .to_owned();
    let page = response.text().await.unwrap();
    assert!(page.contains(&format!("<meta name=\"build-id\" content=\"{build}\">")) && !page.contains("Old"));
    assert!(page.contains("og:url\" content=\"https://app.example.com/checkout\""));
    assert!(
        policy.contains("script-src 'self' https://js.example.net 'sha256-")
            && policy.contains("frame-ancestors 'self'")
    );
    let page = gateway
        .get("/store/str_1/menu")
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert!(page.contains("<title>Sunset · Joe &lt;3</title>"), "{page}");
}

#[tokio::test]
async fn hashed_files_are_kept_for_ever_and_missing_ones_are_no_page() {
    let gateway = start(&Services::start().await).await;
    let file = gateway.get("/assets/app-1a2b.js").send().await.unwrap();
    assert_eq!(
        file.headers()["cache-control"],
        "public, max-age=31536000, immutable"
    );
    assert_eq!(file.headers()["x-content-type-options"], "nosniff");
    assert_eq!(file.text().await.unwrap(), "app()");
    for missing in [
        "/assets/app-0000.js",
        "/../Cargo.toml",
        "/assets/..%2f..%2fetc/passwd.txt",
    ] {
        assert_eq!(
            gateway.get(missing).send().await.unwrap().status(),
            404,
            "{missing}"
        );
    }
}

/// What a browser sends along when somebody opens an address.
const NAVIGATION: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

fn kind(response: &Response) -> (u16, &str) {
    let kind = response.headers()["content-type"].to_str().unwrap();
    (response.status().as_u16(), kind.split(';').next().unwrap())
}

#[tokio::test]
async fn what_is_no_file_is_not_kept_in_its_place() {
    let gateway = start(&Services::start().await).await;
    let ask = || gateway.get("/assets/app-1a2b.js");
    for (request, status) in [
        (
            ask().header("if-unmodified-since", "Mon, 01 Jan 1990 00:00:00 GMT"),
            412,
        ),
        (ask().header("range", "bytes=100-200"), 416),
        (ask().header("range", "bytes=0-0,2-2"), 416),
    ] {
        let response = request.send().await.unwrap();
        let kept = &response.headers()["cache-control"];
        assert_eq!(
            (response.status().as_u16(), kept.to_str().unwrap()),
            (status, "no-store")
        );
    }
    let part = ask().header("range", "bytes=0-2").send().await.unwrap();
    assert_eq!(
        (
            part.status().as_u16(),
            part.headers()["cache-control"].to_str().unwrap()
        ),
        (206, "public, max-age=31536000, immutable")
    );
}

#[tokio::test]
async fn only_who_opens_a_route_of_the_app_gets_its_page() {
    let gateway = start(&Services::start().await).await;
    let ask =
        async |path: &str, accept: &str| gateway.get(path).header("accept", accept).send().await.unwrap();
    for path in [
        "/",
        "/index.html",
        "/checkout?step=2",
        "/Checkout/",
        "/store/str_1/menu",
        "/lp/summer/sale",
    ] {
        // Who unfurls a link says that it takes anything.
        for accept in [NAVIGATION, "*/*", "text/*;q=0.5"] {
            assert_eq!(
                kind(&ask(path, accept).await),
                (200, "text/html"),
                "{path} {accept}"
            );
        }
        for accept in ["application/json", "image/*", "text/html;q=0, application/json"] {
            let response = ask(path, accept).await;
            assert_eq!(kind(&response), (404, "application/json"), "{path} {accept}");
        }
    }
    for path in [
        "/metrics",
        "/health",
        "/store/str_1",
        "/store//menu",
        "/checkout/x",
        "//api/build",
        "/API/build",
        "/.env",
        "/assets/app-9.js",
        "/api",
        "/api/unknown",
        "/api/consumer/unknown",
        "/store-api/unknown",
        "/webhooks/unknown",
        "/webhooks/payments/",
    ] {
        let (status, body) = told(ask(path, "*/*").await).await;
        assert_eq!(
            (status, body["reason"].as_str()),
            (404, Some("NOT_FOUND")),
            "{path}"
        );
    }
    // A person who mistypes gets the app, which says so; what only our programs call is never a page.
    assert_eq!(kind(&ask("/metrics", NAVIGATION).await), (404, "text/html"));
    assert_eq!(
        kind(&ask("/api/unknown", NAVIGATION).await),
        (404, "application/json")
    );
}

#[tokio::test]
async fn pages_and_files_are_read_only() {
    let gateway = start(&Services::start().await).await;
    for path in ["/", "/checkout", "/assets/app-1a2b.js"] {
        let response = gateway.request(Method::HEAD, path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        assert!(response.bytes().await.unwrap().is_empty());
        for method in [Method::POST, Method::DELETE, Method::OPTIONS] {
            let response = gateway.request(method.clone(), path).send().await.unwrap();
            assert_eq!(response.headers()["allow"], "GET,HEAD", "{method} {path}");
            let (status, body) = told(response).await;
            assert_eq!(
                (status, body["reason"].as_str()),
                (405, Some("METHOD_NOT_ALLOWED")),
                "{method} {path}"
            );
        }
    }
    for path in ["/metrics", "/assets/app-9.js", "/webhooks/unknown"] {
        let response = gateway.request(Method::POST, path).send().await.unwrap();
        assert_eq!(response.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn a_build_that_does_not_list_its_routes_is_served_to_browsers() {
    let folder = build();
    std::fs::remove_file(folder.join("routes.json")).unwrap();
    let services = Services::start().await;
    let gateway = Gateway::start_with(&services, &[("WEB_DIST", folder.to_str().unwrap())]).await;
    let opened = gateway.get("/anything").header("accept", NAVIGATION);
    assert_eq!(kind(&opened.send().await.unwrap()), (200, "text/html"));
    let scraped = gateway.get("/metrics").send().await.unwrap();
    assert_eq!(kind(&scraped), (404, "application/json"));
}

#[tokio::test]
async fn every_answer_says_what_a_browser_may_not_do_with_it() {
    let gateway = start(&Services::start().await).await;
    for (path, status) in [
        ("/", 200),
        ("/assets/app-1a2b.js", 200),
        ("/assets/gone.js", 404),
        ("/metrics", 404),
        ("/api/build", 200),
        ("/api/consumer/user/points", 401),
        ("/store-api/queue", 401),
        ("/webhooks/payments", 405),
        ("/health/ready", 200),
    ] {
        let response = gateway.get(path).send().await.unwrap();
        assert_eq!(response.status(), status, "{path}");
        let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap());
        assert_eq!(header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(
            header("referrer-policy"),
            Some("strict-origin-when-cross-origin"),
            "{path}"
        );
        // The tests' origin is https.
        assert!(
            header("strict-transport-security")
                .unwrap()
                .starts_with("max-age=31536000"),
            "{path}"
        );
        let policy = header("content-security-policy").unwrap();
        let is_of_the_app = path == "/" || path == "/assets/app-1a2b.js";
        if is_of_the_app {
            assert!(policy.contains("default-src 'self'"), "{path}: {policy}");
        } else {
            assert_eq!(policy, "default-src 'none'; frame-ancestors 'none'", "{path}");
            assert_eq!(header("cache-control"), Some("no-store"), "{path}");
        }
    }
}

#[tokio::test]
async fn without_https_nobody_is_held_to_it() {
    let services = Services::start().await;
    let plain = [("PUBLIC_ORIGIN", "http://127.0.0.1:7080")];
    let gateway = Gateway::start_with(&services, &plain).await;
    let response = gateway.get("/api/build").send().await.unwrap();
    assert!(!response.headers().contains_key("strict-transport-security"));
    assert_eq!(response.headers()["x-content-type-options"], "nosniff");
}

#[tokio::test]
async fn only_our_scripts_and_the_provider_s_run_on_a_page() {
    let gateway = start(&Services::start().await).await;
    let page = gateway.get("/").send().await.unwrap();
    let policy = page.headers()["content-security-policy"].to_str().unwrap();
    let rule = |name: &str| {
        let rule = policy.split("; ").find_map(|rule| rule.strip_prefix(name));
        rule.unwrap_or_else(|| panic!("no {name}: {policy}"))
            .trim()
            .to_owned()
    };
    for name in ["script-src ", "connect-src ", "frame-src "] {
        assert!(
            rule(name).starts_with("'self' https://js.example.net"),
            "{name}: {policy}"
        );
    }
    assert!(!rule("script-src ").contains("unsafe"), "{policy}");
    assert_eq!(rule("object-src "), "'none'");
    assert_eq!(rule("base-uri "), "'self'");
    assert_eq!(rule("form-action "), "'self'");
}

#[tokio::test]
async fn what_is_large_is_sent_small_to_who_can_read_it() {
    let services = Services::start().await;
    let gateway = start(&services).await;
    for encoding in ["br", "gzip"] {
        let page = gateway
            .get("/")
            .header("accept-encoding", encoding)
            .send()
            .await
            .unwrap();
        assert_eq!(page.headers()["content-encoding"], encoding);
        assert!(
            page.headers()["vary"]
                .to_str()
                .unwrap()
                .contains("accept-encoding")
        );
    }
    let plain = gateway.get("/").send().await.unwrap();
    assert!(!plain.headers().contains_key("content-encoding"));
}
