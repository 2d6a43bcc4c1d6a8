//! Timeouts and size limits of connections.

use std::time::{Duration, Instant};

use proto::accounts::v1::{LoginRequest, LoginResponse};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, ORIGIN, WithSession, accept_all_sessions, new_token, unused_address};

/// Starts a gateway with a client timeout of one second.
async fn start_with_short_timeout(services: &FakeServices) -> Gateway {
    Gateway::start_with(services, &[("CLIENT_TIMEOUT_SECONDS", "1")]).await
}

async fn connect(gateway: &Gateway) -> TcpStream {
    let address = gateway.url.strip_prefix("http://").unwrap();
    TcpStream::connect(address).await.unwrap()
}

/// Reads until the gateway closes the connection, which is before the default client timeout. Returns the response.
async fn read_until_closed(stream: &mut TcpStream) -> String {
    let mut response = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut response));
    // A reset is an error, and counts as closed.
    assert!(read.await.is_ok(), "the connection stays open");
    String::from_utf8_lossy(&response).into_owned()
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
        let started = Instant::now();
        let mut stream = connect(&gateway).await;
        stream.write_all(incomplete.as_bytes()).await.unwrap();
        let response = read_until_closed(&mut stream).await;
        assert!(!response.contains("200 OK"), "{incomplete:?}: {response}");
        let took = started.elapsed();
        assert!(took > Duration::from_millis(500), "{incomplete:?}: {took:?}");
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
            started.elapsed() < Duration::from_secs(10),
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
    let response = read_until_closed(&mut stream).await;
    assert!(response.starts_with("HTTP/1.1 400"), "{response}");
    assert!(response.contains("\"reason\":\"BODY_TOO_SLOW\""), "{response}");
    assert!(services.calls("Login").is_empty());
}

#[tokio::test]
async fn a_stalled_request_body_does_not_use_up_the_limit_of_new_orders() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let settings = [("MAX_NEW_ORDERS", "1"), ("QUEUE_TIMEOUT_MS", "100")];
    let gateway = Gateway::start_with(&services, &settings).await;
    let mut stalled = connect(&gateway).await;
    let head = format!(
        "POST /api/consumer/order/pricing HTTP/1.1\r\nhost: x\r\norigin: {ORIGIN}\r\nx-correlation-id: a\r\n\
         cookie: session={}\r\ncontent-type: application/json\r\ncontent-length: 24\r\nexpect: 100-continue\r\n\r\n",
        new_token()
    );
    stalled.write_all(head.as_bytes()).await.unwrap();
    // Sent when the gateway starts to read the body.
    let mut response = [0; 12];
    stalled.read_exact(&mut response).await.unwrap();
    assert_eq!(&response, b"HTTP/1.1 100");
    let request = gateway.post("/api/consumer/order/pricing", &serde_json::json!({}));
    let request = request.with_session(&new_token());
    assert_eq!(request.send().await.unwrap().status(), 400);
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
    let response = read_until_closed(&mut stream).await;
    assert!(
        response.is_empty() || response.starts_with("HTTP/1.1 431"),
        "{response}"
    );
}

/// Opens a connection and sends a request without its body, so that the connection is not idle.
async fn connect_with_open_request(gateway: &Gateway) -> TcpStream {
    let mut stream = connect(gateway).await;
    let head = format!(
        "POST /api/consumer/authentication/login HTTP/1.1\r\nhost: x\r\norigin: {ORIGIN}\r\nx-correlation-id: a\r\n\
         content-type: application/json\r\ncontent-length: 24\r\nexpect: 100-continue\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // Sent when the gateway starts to read the body.
    let mut response = [0; 12];
    stream.read_exact(&mut response).await.unwrap();
    assert_eq!(&response, b"HTTP/1.1 100");
    stream
}

/// Sends a request on a new connection. Returns whether it was served.
async fn is_served(gateway: &Gateway) -> bool {
    let mut stream = connect(gateway).await;
    let request = b"GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    // The connection may be closed already.
    let _ = stream.write_all(request).await;
    read_until_closed(&mut stream).await.starts_with("HTTP/1.1 200")
}

#[tokio::test]
async fn idle_connections_do_not_keep_others_out() {
    let services = FakeServices::start().await;
    let gateway = Gateway::start_with(&services, &[("MAX_CONNECTIONS", "3")]).await;
    let mut idle = Vec::new();
    for _ in 0..10 {
        idle.push(connect(&gateway).await);
        assert!(is_served(&gateway).await);
    }
    // The connections that were idle longest are closed, although their time for the first request has not passed.
    assert_eq!(read_until_closed(&mut idle[0]).await, "");
}

#[tokio::test]
async fn connections_with_open_requests_are_kept_and_those_above_the_limit_are_closed() {
    let services = FakeServices::start().await;
    let gateway = Gateway::start_with(&services, &[("MAX_CONNECTIONS", "2")]).await;
    let first = connect_with_open_request(&gateway).await;
    let second = connect_with_open_request(&gateway).await;
    assert!(!is_served(&gateway).await);
    drop(first);
    while !is_served(&gateway).await {}
    drop(second);
}

#[tokio::test]
async fn one_address_has_a_limited_number_of_connections() {
    let services = FakeServices::start().await;
    let metrics = unused_address();
    let settings = [
        ("MAX_CONNECTIONS_PER_ADDRESS", "2"),
        ("TRUSTED_PROXIES", "10.0.0.1"),
        ("METRICS_LISTEN", &metrics),
    ];
    let gateway = Gateway::start_with(&services, &settings).await;
    let first = connect_with_open_request(&gateway).await;
    let _second = connect_with_open_request(&gateway).await;
    for _ in 0..3 {
        assert!(!is_served(&gateway).await);
    }
    let text = reqwest::get(format!("http://{metrics}/metrics")).await.unwrap();
    let text = text.text().await.unwrap();
    let rejected = r#"http_server_connections_rejected_total{limit="per_address"} 3"#;
    assert!(text.contains(rejected), "{text}");
    drop(first);
    while !is_served(&gateway).await {}
}

#[tokio::test]
async fn the_limit_per_address_does_not_apply_to_a_trusted_proxy() {
    let services = FakeServices::start().await;
    let gateway = Gateway::start_with(&services, &[("MAX_CONNECTIONS_PER_ADDRESS", "1")]).await;
    let _open = [
        connect_with_open_request(&gateway).await,
        connect_with_open_request(&gateway).await,
    ];
    assert!(is_served(&gateway).await);
}

/// The connection preface, empty settings, and `GET /` for the host `x`.
const HTTP2_REQUEST: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\
    \x00\x00\x00\x04\x00\x00\x00\x00\x00\
    \x00\x00\x06\x01\x05\x00\x00\x00\x01\x82\x86\x84\x41\x01x";

#[tokio::test]
async fn a_connection_without_further_requests_is_closed() {
    let services = FakeServices::start().await;
    let gateway = Gateway::start_with(&services, &[("IDLE_TIMEOUT_SECONDS", "1")]).await;
    let incomplete_head = b"GET /api/build HTTP/1.1\r\nhost: x\r\n\r\nGET /api/build HTTP/1.1\r\nhost: x\r\n";
    for requests in [
        b"GET /api/build HTTP/1.1\r\nhost: x\r\n\r\n".as_slice(),
        incomplete_head,
        HTTP2_REQUEST,
    ] {
        let started = Instant::now();
        let mut stream = connect(&gateway).await;
        stream.write_all(requests).await.unwrap();
        assert!(!read_until_closed(&mut stream).await.is_empty());
        let took = started.elapsed();
        assert!(took > Duration::from_millis(500), "{requests:?}: {took:?}");
    }
}
