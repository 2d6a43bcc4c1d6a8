//! Metrics of the gateway, as Prometheus reads them.

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, unused_address};

async fn metrics(address: &str) -> String {
    let response = reqwest::get(format!("http://{address}/metrics")).await.unwrap();
    response.text().await.unwrap()
}

#[tokio::test]
async fn requests_are_measured_by_route_and_never_by_path() {
    let address = unused_address();
    let services = FakeServices::start().await;
    let gateway = Gateway::start_with(&services, &[("METRICS_LISTEN", &address)]).await;
    let order = "ord_01h455vb4pex5vsknk084sn02q";
    let accept = format!("/store-api/orders/{order}/accept");
    gateway
        .post(&accept, &serde_json::json!({}))
        .send()
        .await
        .unwrap();
    gateway.get("/api/build").send().await.unwrap();
    gateway.get("/an-unknown-page").send().await.unwrap();

    let metrics = metrics(&address).await;
    for labels in [
        r#"http_request_method="POST",http_response_status_code="401",http_route="/store-api/orders/{id}/accept""#,
        r#"http_request_method="GET",http_response_status_code="200",http_route="/api/build""#,
        r#"http_route="unmatched""#,
    ] {
        assert!(metrics.contains(labels), "{labels} not found in {metrics}");
    }
    assert!(
        !metrics.contains(order) && !metrics.contains("an-unknown-page"),
        "{metrics}"
    );
}
