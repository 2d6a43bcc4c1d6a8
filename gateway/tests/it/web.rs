//! The built web app.

use std::path::PathBuf;

use proto::rewards::v1::{GetInactiveUsersPageRequest, GetLandingPageRequest, LandingPage, LandingPageHero};
use proto::stores::v1::{Company, GetCompanyRequest, GetItemRequest, GetStoreRequest, Item, Store};
use reqwest::{Method, Response};

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, new_token, status_and_body};

/// Writes a small build to a new folder.
pub fn write_build() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gateway-web-{}", new_token()));
    std::fs::create_dir_all(folder.join("assets")).unwrap();
    let page = "<!doctype html><html><head><title>Old</title></head><body><div id=\"root\"></div><script>theme()</script></body></html>";
    std::fs::write(folder.join("index.html"), page).unwrap();
    std::fs::write(folder.join("assets/app-1a2b.js"), "app()").unwrap();
    std::fs::write(folder.join("assets/text-1a2b.woff2"), "wOF2").unwrap();
    let routes = r#"["/", "/checkout", "/store/$storeId/menu", "/store/$storeId/item/$itemId", "/company/$companyId",
        "/company/$companyId/card", "/company/$companyId/buy-card", "/lp/$", "/lp/error"]"#;
    std::fs::write(folder.join("routes.json"), routes).unwrap();
    let pages = r#"[
        {"path": "/lp/error", "title": "Something went wrong", "description": "Please try again."},
        {"path": "/checkout", "title": "Pay & go", "description": "Almost there.",
         "signedOut": "<main>out</main>", "signedIn": "<main>in</main>"},
        {"path": "/store/$storeId/item/$itemId", "title": "Item", "description": "Make it yours."},
        {"path": "/store/$storeId/menu", "title": "Menu", "description": "What they make.",
         "preload": ["/api/consumer/store/info?storeId=$storeId", "/api/consumer/store/menu?storeId=$storeId"],
         "signedOut": "<div><!--name-->…<!--/name--></div>"}]"#;
    std::fs::write(folder.join("pages.json"), pages).unwrap();
    folder
}

async fn start(services: &FakeServices) -> Gateway {
    let folder = write_build();
    let script = ("PROVIDER_SCRIPT_URL", "https://js.example.net/v3/");
    Gateway::start_with(services, &[("WEB_DIST", folder.to_str().unwrap()), script]).await
}

#[tokio::test]
async fn the_page_has_the_build_id_and_a_link_preview() {
    let services = FakeServices::start().await;
    services.on("GetStore", |_: GetStoreRequest| {
        Ok(Store {
            name: "Sunset".into(),
            company_name: "Joe <3".into(),
            ..Default::default()
        })
    });
    let gateway = start(&services).await;
    let (_, build) = status_and_body(gateway.get("/api/build").send().await.unwrap()).await;
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
    // Its first paint has the name, which needs no script.
    assert!(page.contains("<div>Sunset</div><div id=\"root\">"), "{page}");
}

/// Returns the page at a path as text.
async fn page_at(gateway: &Gateway, path: &str) -> String {
    gateway.get(path).send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn a_page_has_its_own_preview_and_first_paint() {
    let gateway = start(&FakeServices::start().await).await;
    let page = page_at(&gateway, "/checkout").await;
    assert!(page.contains("<title>Pay &amp; go</title>"), "{page}");
    assert!(
        page.contains("property=\"og:description\" content=\"Almost there.\""),
        "{page}"
    );
    assert!(
        page.contains("<main>out</main><div id=\"root\"></div>") && page.contains("name=\"session\""),
        "{page}"
    );
    let signed_in = gateway.get("/checkout").header("cookie", "session=abc");
    let page = signed_in.send().await.unwrap().text().await.unwrap();
    assert!(
        page.contains("<main>in</main><div id=\"root\"></div>") && !page.contains("name=\"session\""),
        "{page}"
    );
    // Pages without an entry have the preview of the app and no first paint.
    let page = page_at(&gateway, "/").await;
    assert!(page.contains("<title>Order Ahead</title>") && page.contains("<body><div id=\"root\">"));
}

#[tokio::test]
async fn a_company_page_is_named_after_the_company() {
    let services = FakeServices::start().await;
    services.on("GetCompany", |request: GetCompanyRequest| {
        Ok(Company {
            name: format!("Joe {}", request.company_id),
            ..Default::default()
        })
    });
    let gateway = start(&services).await;
    let page = page_at(&gateway, "/company/7").await;
    assert!(page.contains("<title>Joe 7 · Order Ahead</title>"), "{page}");
    assert!(page.contains("content=\"Order ahead at Joe 7.\""), "{page}");
    for (path, title) in [
        ("/company/7/card", "Joe 7 card"),
        ("/company/7/buy-card/", "Buy a Joe 7 card"),
    ] {
        let page = page_at(&gateway, path).await;
        assert!(
            page.contains(&format!("<title>{title} · Order Ahead</title>")),
            "{page}"
        );
        assert!(
            page.contains("content=\"Use it at every Joe 7 store.\""),
            "{page}"
        );
    }
}

#[tokio::test]
async fn the_page_of_an_item_is_named_after_it() {
    let services = FakeServices::start().await;
    services.on("GetStore", |_: GetStoreRequest| {
        Ok(Store {
            name: "Sunset".into(),
            company_name: "Joe".into(),
            street: "1 Main St".into(),
            city: "Seattle".into(),
            hours_today: "Open".into(),
            ..Default::default()
        })
    });
    services.on("GetItem", |request: GetItemRequest| {
        let (name, description) = match request.item_id.as_str() {
            "itm_1" => ("Latte", "Espresso with steamed milk."),
            "itm_2" => ("Scone", ""),
            "itm_3" => return Err(tonic::Status::not_found("no item")),
            _ => return Err(tonic::Status::unavailable("restarting")),
        };
        Ok(Item {
            name: name.into(),
            description: description.into(),
            ..Default::default()
        })
    });
    let gateway = start(&services).await;
    for (item, title, description) in [
        ("itm_1", "Latte · Sunset", "Espresso with steamed milk."),
        ("itm_2", "Scone · Sunset", "Order ahead at Sunset."),
        // Then the texts of the store.
        ("itm_3", "Sunset · Joe", "Order ahead at 1 Main St, Seattle. Open"),
        ("itm_4", "Sunset · Joe", "Order ahead at 1 Main St, Seattle. Open"),
    ] {
        let page = page_at(&gateway, &format!("/store/str_1/item/{item}")).await;
        assert!(page.contains(&format!("<title>{title}</title>")), "{page}");
        assert!(
            page.contains(&format!("og:description\" content=\"{description}\"")),
            "{page}"
        );
    }
}

#[tokio::test]
async fn a_landing_page_has_the_preview_of_its_data() {
    let services = FakeServices::start().await;
    services.on("GetLandingPage", |request: GetLandingPageRequest| {
        let picture = match request.url_slug.as_str() {
            "summer" => "storefront",
            "beans" => "beans",
            _ => return Err(tonic::Status::not_found("no page")),
        };
        let hero = LandingPageHero {
            title: "Iced & easy".into(),
            subtitle: "Cold brew for $3.".into(),
            picture: picture.into(),
        };
        Ok(LandingPage {
            hero: Some(hero),
            ..Default::default()
        })
    });
    let gateway = start(&services).await;
    let page = page_at(&gateway, "/lp/summer").await;
    for expected in [
        "property=\"og:title\" content=\"Iced &amp; easy · Order Ahead\"",
        "property=\"og:description\" content=\"Cold brew for $3.\"",
        "property=\"og:image\" content=\"https://app.example.com/share/lp-storefront.jpg\"",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    let page = page_at(&gateway, "/lp/beans").await;
    assert!(page.contains("/share/lp-beans.jpg"), "{page}");
}

#[tokio::test]
async fn an_unknown_landing_page_is_not_found() {
    let services = FakeServices::start().await;
    services.on("GetLandingPage", |request: GetLandingPageRequest| {
        match request.url_slug.as_str() {
            "summer" | "Summer" => Ok(LandingPage::default()),
            "busy" => Err(tonic::Status::unavailable("restarting")),
            "broken" => Err(tonic::Status::internal("broken")),
            _ => Err(tonic::Status::not_found("no page")),
        }
    });
    services.on("GetInactiveUsersPage", |_: GetInactiveUsersPageRequest| {
        Ok(LandingPage::default())
    });
    let gateway = start(&services).await;
    for (path, status) in [
        ("/lp/summer", 200),
        ("/LP/Summer/", 200),
        ("/lp/inactive-users?shareCode=ABC", 200),
        ("/lp/error", 200),
        ("/lp/winter", 404),
        ("/lp/Winter/?a=1", 404),
        ("/lp/summer/sale", 404),
        ("/lp/no%20such", 404),
        ("/lp/", 404),
        ("/lp", 404),
        // Not known to be unknown.
        ("/lp/busy", 200),
        ("/lp/broken", 200),
    ] {
        for accept in [NAVIGATION, "*/*"] {
            let ask = |method| gateway.request(method, path).header("accept", accept);
            let head = ask(Method::HEAD).send().await.unwrap();
            assert_eq!(head.status(), status, "{path}");
            let response = ask(Method::GET).send().await.unwrap();
            assert_eq!(
                (status_and_type(&response), &response.headers()["cache-control"]),
                ((status, "text/html"), &"no-cache".parse().unwrap()),
                "{path}"
            );
            let page = response.text().await.unwrap();
            assert!(
                page.contains("<div id=\"root\">"),
                "the app shows the error: {page}"
            );
        }
    }
    let page = page_at(&gateway, "/lp/winter").await;
    assert!(
        page.contains("content=\"https://app.example.com/share/order-ahead.jpg\""),
        "the preview of the app: {page}"
    );
}

#[tokio::test]
async fn landing_pages_are_served_while_rewards_is_unavailable() {
    let gateway = start(&FakeServices::start().await).await;
    for path in ["/lp/summer", "/lp/inactive-users"] {
        let response = gateway
            .get(path)
            .header("accept", NAVIGATION)
            .send()
            .await
            .unwrap();
        assert_eq!(status_and_type(&response), (200, "text/html"), "{path}");
    }
}

#[tokio::test]
async fn the_calls_of_a_page_are_preloaded() {
    let gateway = start(&FakeServices::start().await).await;
    let path = "/store/str_01h455vb4pex5vsknk084sn02q/menu";
    let response = gateway.get(path).send().await.unwrap();
    let links = response.headers().get_all("link").iter();
    assert_eq!(
        links.map(|link| link.to_str().unwrap()).collect::<Vec<_>>(),
        ["info", "menu"].map(|call| format!(
            "</api/consumer/store/{call}?storeId=str_01h455vb4pex5vsknk084sn02q>; rel=preload; as=fetch; \
             crossorigin=use-credentials"
        ))
    );
    for other in ["/store/a%3Eb/menu", "/checkout"] {
        let response = gateway.get(other).send().await.unwrap();
        assert!(!response.headers().contains_key("link"), "{other}");
    }
}

#[tokio::test]
async fn the_app_gets_its_settings_and_may_connect_to_the_configured_addresses() {
    let folder = write_build();
    let settings = [
        ("WEB_DIST", folder.to_str().unwrap()),
        ("ERROR_REPORTS_URL", "https://errors.example.net/reports"),
        ("ANALYTICS_URL", "https://stats.example.org/events?site=1"),
        ("APP_STORE_URL", "https://get.example.com/app"),
        ("MAP_STYLE_URL", "https://maps.example.net/light.json"),
        ("MAP_ORIGINS", "https://tiles.example.net"),
        (
            "STORE_PHOTO_ORIGINS",
            "https://photos.example.com, https://cdn.example.com:8443",
        ),
    ];
    let gateway = Gateway::start_with(&FakeServices::start().await, &settings).await;
    let response = gateway.get("/").send().await.unwrap();
    let policy = response.headers()["content-security-policy"]
        .to_str()
        .unwrap()
        .to_owned();
    // The default provider is Stripe.
    for rule in [
        "script-src 'self' https://js.stripe.com https://api.stripe.com",
        "connect-src 'self' https://js.stripe.com https://api.stripe.com https://hooks.stripe.com https://*.js.stripe.com \
         https://maps.example.net https://tiles.example.net https://errors.example.net https://stats.example.org;",
        "frame-src 'self' https://js.stripe.com",
        "img-src 'self' data: blob: https://maps.example.net https://tiles.example.net https://photos.example.com \
         https://cdn.example.com:8443;",
    ] {
        assert!(policy.contains(rule), "{rule} in {policy}");
    }
    let page = response.text().await.unwrap().replace("&quot;", "\"");
    let config = r#"{"errorReportsUrl":"https://errors.example.net/reports","analyticsUrl":"https://stats.example.org/events?site=1","appStoreUrl":"https://get.example.com/app","mapStyleUrl":"https://maps.example.net/light.json"}"#;
    assert!(
        page.contains(&format!("<meta name=\"app-config\" content=\"{config}\">")),
        "{page}"
    );
}

#[tokio::test]
async fn hashed_files_are_immutable_and_missing_files_are_not_found() {
    let gateway = start(&FakeServices::start().await).await;
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

/// During a release, a page of one build may request its scripts from a gateway with the other build.
#[tokio::test]
async fn the_scripts_of_the_previous_build_are_served_too() {
    let (folder, previous) = (write_build(), write_build());
    std::fs::write(previous.join("assets/app-0a0b.js"), "before()").unwrap();
    std::fs::write(previous.join("assets/app-1a2b.js"), "other()").unwrap();
    std::fs::write(previous.join("old.js"), "old()").unwrap();
    let settings = [
        ("WEB_DIST", folder.to_str().unwrap()),
        ("PREVIOUS_WEB_DIST", previous.to_str().unwrap()),
    ];
    let gateway = Gateway::start_with(&FakeServices::start().await, &settings).await;
    let file = gateway.get("/assets/app-0a0b.js").send().await.unwrap();
    assert_eq!(file.status(), 200);
    assert_eq!(
        file.headers()["cache-control"],
        "public, max-age=31536000, immutable"
    );
    assert_eq!(file.text().await.unwrap(), "before()");
    assert_eq!(page_at(&gateway, "/assets/app-1a2b.js").await, "app()");
    for missing in ["/assets/app-0000.js", "/old.js"] {
        let response = gateway.get(missing).send().await.unwrap();
        assert_eq!(response.status(), 404, "{missing}");
    }
}

/// The `Accept` header of a browser that opens an address.
const NAVIGATION: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

fn status_and_type(response: &Response) -> (u16, &str) {
    let content_type = response.headers()["content-type"].to_str().unwrap();
    (
        response.status().as_u16(),
        content_type.split(';').next().unwrap(),
    )
}

#[tokio::test]
async fn error_responses_for_files_are_not_cached() {
    let gateway = start(&FakeServices::start().await).await;
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
        let cache_control = &response.headers()["cache-control"];
        assert_eq!(
            (response.status().as_u16(), cache_control.to_str().unwrap()),
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
async fn frames_of_the_payment_provider_may_load_fonts_and_nothing_else() {
    let gateway = start(&FakeServices::start().await).await;
    let allowed_origin = async |path: &str| {
        let file = gateway.get(path).send().await.unwrap();
        assert_eq!(file.status(), 200, "{path}");
        file.headers().get("access-control-allow-origin").cloned()
    };
    assert_eq!(allowed_origin("/assets/text-1a2b.woff2").await.unwrap(), "*");
    assert_eq!(allowed_origin("/assets/app-1a2b.js").await, None);
}

#[tokio::test]
async fn only_clients_that_accept_html_get_the_page() {
    let gateway = start(&FakeServices::start().await).await;
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
        // Clients that show link previews accept everything.
        for accept in [NAVIGATION, "*/*", "text/*;q=0.5"] {
            assert_eq!(
                status_and_type(&ask(path, accept).await),
                (200, "text/html"),
                "{path} {accept}"
            );
        }
        for accept in ["application/json", "image/*", "text/html;q=0, application/json"] {
            let response = ask(path, accept).await;
            assert_eq!(
                status_and_type(&response),
                (404, "application/json"),
                "{path} {accept}"
            );
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
        let (status, body) = status_and_body(ask(path, "*/*").await).await;
        assert_eq!(
            (status, body["reason"].as_str()),
            (404, Some("NOT_FOUND")),
            "{path}"
        );
    }
    // Browsers get the page at unknown paths too, but never at API paths.
    assert_eq!(
        status_and_type(&ask("/metrics", NAVIGATION).await),
        (404, "text/html")
    );
    assert_eq!(
        status_and_type(&ask("/api/unknown", NAVIGATION).await),
        (404, "application/json")
    );
}

#[tokio::test]
async fn pages_and_files_are_read_only() {
    let gateway = start(&FakeServices::start().await).await;
    for path in ["/", "/checkout", "/assets/app-1a2b.js"] {
        let response = gateway.request(Method::HEAD, path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        assert!(response.bytes().await.unwrap().is_empty());
        for method in [Method::POST, Method::DELETE, Method::OPTIONS] {
            let response = gateway.request(method.clone(), path).send().await.unwrap();
            assert_eq!(response.headers()["allow"], "GET,HEAD", "{method} {path}");
            let (status, body) = status_and_body(response).await;
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
async fn a_build_without_a_list_of_routes_is_served_to_browsers_only() {
    let folder = write_build();
    std::fs::remove_file(folder.join("routes.json")).unwrap();
    let services = FakeServices::start().await;
    let gateway = Gateway::start_with(&services, &[("WEB_DIST", folder.to_str().unwrap())]).await;
    let opened = gateway.get("/anything").header("accept", NAVIGATION);
    assert_eq!(status_and_type(&opened.send().await.unwrap()), (200, "text/html"));
    let scraped = gateway.get("/metrics").send().await.unwrap();
    assert_eq!(status_and_type(&scraped), (404, "application/json"));
}

#[tokio::test]
async fn all_responses_have_security_headers() {
    let gateway = start(&FakeServices::start().await).await;
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
        let is_app = path == "/" || path == "/assets/app-1a2b.js";
        if is_app {
            assert!(policy.contains("default-src 'self'"), "{path}: {policy}");
        } else {
            assert_eq!(policy, "default-src 'none'; frame-ancestors 'none'", "{path}");
            assert_eq!(header("cache-control"), Some("no-store"), "{path}");
        }
    }
}

#[tokio::test]
async fn strict_transport_security_is_sent_over_https_only() {
    let services = FakeServices::start().await;
    let settings = [("PUBLIC_ORIGIN", "http://127.0.0.1:7080")];
    let gateway = Gateway::start_with(&services, &settings).await;
    let response = gateway.get("/api/build").send().await.unwrap();
    assert!(!response.headers().contains_key("strict-transport-security"));
    assert_eq!(response.headers()["x-content-type-options"], "nosniff");
}

#[tokio::test]
async fn a_page_runs_only_our_scripts_and_the_providers() {
    let gateway = start(&FakeServices::start().await).await;
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
async fn responses_are_compressed_for_clients_that_accept_it() {
    let services = FakeServices::start().await;
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
