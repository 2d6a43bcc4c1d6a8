//! Timeouts and size limits of connections.

use std::time::{Duration, Instant};

use proto::accounts::v1::{LoginRequest, LoginResponse};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, ORIGIN};

/// Starts a gateway with a client timeout of one second.
async fn start_with_short_timeout(services: &FakeServices) -> Gateway {
    Gateway::start_with(services, &[("CLIENT_TIMEOUT_SECONDS", "1")]).await
}

async fn connect(gateway: &Gateway) -> TcpStream {
    let address = gateway.url.strip_prefix("http://").unwrap();
    TcpStream::connect(address).await.unwrap()
}

/// Reads until the gateway closes the connection. Returns the response and the time it took.
async fn read_until_closed(stream: &mut TcpStream) -> (String, Duration) {
    let (started, mut response) = (Instant::now(), Vec::new());
    let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut response));
    // A reset is an error, and counts as closed.
    assert!(read.await.is_ok(), "the connection stays open");
    (String::from_utf8_lossy(&response).into_owned(), started.elapsed())
}

#[tokio::test]
async fn a_connection_without_a_complete_request_is_closed() {
    let gateway = start_with_short_timeout(&FakeServices::start().await).await;
    for incomplete in [
        "",
        // Could still become HTTP/2.
        "P",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /api/build HTTP/1.1\r\nhost: x\r\nx-slow: ",
    ] {
        let mut stream = connect(&gateway).await;
        stream.write_all(incomplete.as_bytes()).await.unwrap();
        let (response, took) = read_until_closed(&mut stream).await;
        assert!(!response.contains("200 OK"), "{incomplete:?}: {response}");
        assert!(
            took > Duration::from_millis(500) && took < Duration::from_secs(5),
            "{incomplete:?}: {took:?}"
        );
    }
}

#[tokio::test]
async fn a_client_that_sends_single_bytes_is_disconnected() {
    let gateway = start_with_short_timeout(&FakeServices::start().await).await;
    let mut stream = connect(&gateway).await;
    let started = Instant::now();
    stream
        .write_all(b"GET /api/build HTTP/1.1\r\nhost: x\r\n")
        .await
        .unwrap();
    while stream.write_all(b"x").await.is_ok() {
        assert!(
            started.elapsed() < Duration::from_secs(5),
            "the connection stays open"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_request_body_that_stalls_is_rejected() {
    let services = FakeServices::start().await;
    services.on("Login", |_: LoginRequest| Ok(LoginResponse::default()));
    let gateway = start_with_short_timeout(&services).await;
    let mut stream = connect(&gateway).await;
    let head = format!(
        "POST /api/consumer/authentication/login HTTP/1.1\r\nhost: x\r\norigin: {ORIGIN}\r\nx-correlation-id: a\r\n\
         content-type: application/json\r\ncontent-length: 24\r\n\r\n{{\"phone\":"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let (response, took) = read_until_closed(&mut stream).await;
    assert!(response.starts_with("HTTP/1.1 400"), "{response}");
    assert!(response.contains("\"reason\":\"BODY_TOO_SLOW\""), "{response}");
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(services.calls("Login").is_empty());
}

#[tokio::test]
async fn a_client_that_does_not_read_its_response_is_disconnected() {
    const LARGE: usize = 64 << 20;
    let folder = std::env::temp_dir().join(format!("gateway-connections-{}", crate::harness::new_token()));
    std::fs::create_dir_all(folder.join("assets")).unwrap();
    std::fs::write(folder.join("index.html"), "<html><head></head></html>").unwrap();
    std::fs::write(folder.join("assets/large.bin"), vec![0; LARGE]).unwrap();
    let services = FakeServices::start().await;
    let settings = [
        ("CLIENT_TIMEOUT_SECONDS", "1"),
        ("WEB_DIST", folder.to_str().unwrap()),
    ];
    let gateway = Gateway::start_with(&services, &settings).await;
    let request = b"GET /assets/large.bin HTTP/1.1\r\nhost: x\r\n\r\n";
    let mut stream = connect(&gateway).await;
    stream.write_all(request).await.unwrap();
    tokio::time::sleep(Duration::from_secs(4)).await;
    let mut received = 0;
    let mut buffer = vec![0; 1 << 16];
    while let Ok(Ok(read)) = tokio::time::timeout(Duration::from_secs(2), stream.read(&mut buffer)).await {
        received += read;
        if read == 0 {
            break;
        }
    }
    assert!(
        received < LARGE,
        "the whole response was sent to a client that did not read"
    );
    // A client that reads receives all of it.
    let whole = gateway.get("/assets/large.bin").send().await.unwrap();
    assert_eq!(whole.bytes().await.unwrap().len(), LARGE);
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn a_connection_is_kept_between_requests_and_closed_after_an_oversized_head() {
    let gateway = start_with_short_timeout(&FakeServices::start().await).await;
    let mut stream = connect(&gateway).await;
    let mut buffer = vec![0; 4096];
    for _ in 0..2 {
        let request = b"GET /api/build HTTP/1.1\r\nhost: x\r\n\r\n";
        stream.write_all(request).await.unwrap();
        let read = stream.read(&mut buffer).await.unwrap();
        assert!(buffer[..read].starts_with(b"HTTP/1.1 200"));
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    let large = format!(
        "GET /api/build HTTP/1.1\r\nhost: x\r\nx-large: {}\r\n\r\n",
        "x".repeat(1_000_000)
    );
    // The gateway may close the connection before everything is written.
    let _ = stream.write_all(large.as_bytes()).await;
    let (response, _) = read_until_closed(&mut stream).await;
    assert!(
        response.is_empty() || response.starts_with("HTTP/1.1 431"),
        "{response}"
    );
}

#[tokio::test]
async fn connections_above_the_limit_are_closed_until_others_end() {
    let services = FakeServices::start().await;
    let gateway = Gateway::start_with(&services, &[("MAX_CONNECTIONS", "2")]).await;
    // The client of the harness keeps one connection.
    let open = connect(&gateway).await;
    let (response, _) = read_until_closed(&mut connect(&gateway).await).await;
    assert_eq!(response, "");
    drop(open);
    loop {
        let mut stream = connect(&gateway).await;
        let request = b"GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        // The connection may be closed already.
        let _ = stream.write_all(request).await;
        if read_until_closed(&mut stream).await.0.starts_with("HTTP/1.1 200") {
            break;
        }
    }
}
