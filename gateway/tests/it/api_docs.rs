//! The API reference.

use std::io::Read as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, new_token};

#[tokio::test]
async fn the_reference_and_its_document_are_served_if_configured() {
    let folder = std::env::temp_dir().join(format!("gateway-docs-{}", new_token()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("swagger-ui-bundle.js"), "bundle()").unwrap();
    let services = FakeServices::start().await;
    let gateway = Gateway::start_with(&services, &[("API_DOCS_FOLDER", folder.to_str().unwrap())]).await;
    let page = gateway.get("/docs").send().await.unwrap();
    let policy = page.headers()["content-security-policy"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(policy.contains("script-src 'self';"), "{policy}");
    let page = page.text().await.unwrap();
    for file in ["/docs/files/swagger-ui-bundle.js", "/docs/start.js"] {
        assert!(page.contains(file), "{page}");
        let script = gateway.get(file).send().await.unwrap();
        assert_eq!(script.status(), 200, "{file}");
        assert!(
            script.headers()["content-type"]
                .to_str()
                .unwrap()
                .starts_with("text/javascript")
        );
    }
    let document: Value = gateway
        .get("/openapi.json")
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert!(document["paths"]["/api/consumer/order/create"].is_object());
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn the_reference_is_off_by_default() {
    let services = FakeServices::start().await;
    let gateway = Gateway::start(&services).await;
    for path in ["/docs", "/docs/start.js", "/openapi.json"] {
        assert_eq!(gateway.get(path).send().await.unwrap().status(), 404, "{path}");
    }
}

#[test]
fn the_document_can_be_printed_to_a_reader_that_reads_a_part() {
    let mut printing = Command::new(env!("CARGO_BIN_EXE_gateway"))
        .arg("openapi")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = printing.stdout.take().unwrap();
    out.read_exact(&mut [0; 10]).unwrap();
    drop(out);
    assert!(printing.wait().unwrap().success());
}

#[test]
fn a_document_that_cannot_be_printed_fails_the_command() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let printed = Command::new(env!("CARGO_BIN_EXE_gateway"))
        .arg("openapi")
        .stdout(full)
        .status()
        .unwrap();
    assert!(!printed.success());
}
