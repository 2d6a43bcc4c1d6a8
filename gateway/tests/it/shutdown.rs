//! A rolling restart: load balancers notice that a gateway is about to stop before it stops.

use std::process::Command;
use std::time::Duration;

use http::header::CONNECTION;

use crate::fake_services::FakeServices;
use crate::harness::Gateway;

#[tokio::test]
async fn a_gateway_serves_until_its_delay_after_sigterm_has_passed() {
    let services = FakeServices::start().await;
    let mut gateway = Gateway::start_with(&services, &[("SHUTDOWN_DELAY_SECONDS", "2")]).await;
    let ready = gateway.get("/health/ready").send().await.unwrap();
    assert_eq!(ready.status(), 200);
    assert!(!ready.headers().contains_key(CONNECTION));

    let pid = gateway.pid().to_string();
    assert!(Command::new("kill").arg(pid).status().unwrap().success());
    while gateway.get("/health/ready").send().await.unwrap().status() == 200 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let response = gateway.get("/api/build").send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()[CONNECTION], "close");
    assert_eq!(gateway.get("/health/live").send().await.unwrap().status(), 200);

    while gateway.exit_success().is_none() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(gateway.exit_success(), Some(true));
}
