//! The built web app as browsers get it.

use std::path::PathBuf;

use proto::stores::v1::{GetStoreRequest, Store};

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
