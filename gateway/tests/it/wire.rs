//! What a client may not do to a connection: keep it for nothing, or send more than is read.

use std::time::{Duration, Instant};

use proto::accounts::v1::{LoginRequest, LoginResponse};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::gateway::{Gateway, ORIGIN};
use crate::services::Services;

/// A gateway that waits a second for its clients.
async fn hurried(services: &Services) -> Gateway {
    Gateway::start_with(services, &[("CLIENT_PATIENCE_SECONDS", "1")]).await
}

async fn connect(gateway: &Gateway) -> TcpStream {
    let address = gateway.url.strip_prefix("http://").unwrap();
    TcpStream::connect(address).await.unwrap()
}

/// Everything that comes until the gateway ends the connection, and how long that took.
async fn until_closed(stream: &mut TcpStream) -> (String, Duration) {
    let (started, mut said) = (Instant::now(), Vec::new());
    let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut said));
    // Reset is as good as closed.
    assert!(read.await.is_ok(), "the connection stays open");
    (String::from_utf8_lossy(&said).into_owned(), started.elapsed())
}

#[tokio::test]
async fn who_does_not_say_what_it_wants_is_let_go() {
    let gateway = hurried(&Services::start().await).await;
    for begun in [
        "",
        // As far as this goes it could become HTTP/2.
        "P",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /api/build HTTP/1.1\r\nhost: x\r\nx-slow: ",
    ] {
        let mut stream = connect(&gateway).await;
        stream.write_all(begun.as_bytes()).await.unwrap();
        let (said, took) = until_closed(&mut stream).await;
        assert!(!said.contains("200 OK"), "{begun:?}: {said}");
        assert!(
            took > Duration::from_millis(500) && took < Duration::from_secs(5),
            "{begun:?}: {took:?}"
        );
    }
}

#[tokio::test]
async fn one_byte_now_and_then_is_no_request() {
    let gateway = hurried(&Services::start().await).await;
    let mut stream = connect(&gateway).await;
    let started = Instant::now();
    stream
        .write_all(b"GET /api/build HTTP/1.1\r\nhost: x\r\n")
        .await
        .unwrap();
    while stream.write_all(b"x").await.is_ok() {
        assert!(started.elapsed() < Duration::from_secs(5), "still listening");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let services = Services::start().await;
    services.on("Login", |_: LoginRequest| Ok(LoginResponse::default()));
    let gateway = hurried(&services).await;
    let mut stream = connect(&gateway).await;
    let head = format!(
        "POST /api/consumer/authentication/login HTTP/1.1\r\nhost: x\r\norigin: {ORIGIN}\r\nx-correlation-id: a\r\n\
         content-type: application/json\r\ncontent-length: 24\r\n\r\n{{\"phone\":"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let (said, took) = until_closed(&mut stream).await;
    assert!(said.starts_with("HTTP/1.1 400"), "{said}");
    assert!(said.contains("\"reason\":\"BODY_TOO_SLOW\""), "{said}");
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(services.seen("Login").is_empty());
}

#[tokio::test]
async fn who_does_not_take_its_answer_is_let_go() {
    const LARGE: usize = 64 << 20;
    let folder = std::env::temp_dir().join(format!("gateway-wire-{}", crate::gateway::token()));
    std::fs::create_dir_all(folder.join("assets")).unwrap();
    std::fs::write(folder.join("index.html"), "<html><head></head></html>").unwrap();
    std::fs::write(folder.join("assets/large.bin"), vec![0; LARGE]).unwrap();
    let services = Services::start().await;
    let settings = [
        ("CLIENT_PATIENCE_SECONDS", "1"),
        ("WEB_DIST", folder.to_str().unwrap()),
    ];
    let gateway = Gateway::start_with(&services, &settings).await;
    let ask = b"GET /assets/large.bin HTTP/1.1\r\nhost: x\r\n\r\n";
    let mut stream = connect(&gateway).await;
    stream.write_all(ask).await.unwrap();
    tokio::time::sleep(Duration::from_secs(4)).await;
    let mut taken = 0;
    let mut buffer = vec![0; 1 << 16];
    while let Ok(Ok(read)) = tokio::time::timeout(Duration::from_secs(2), stream.read(&mut buffer)).await {
        taken += read;
        if read == 0 {
            break;
        }
    }
    assert!(
        taken < LARGE,
        "all of it was kept for a client that did not take it"
    );
    // One that takes it gets it, however long that lasts.
    let whole = gateway.get("/assets/large.bin").send().await.unwrap();
    assert_eq!(whole.bytes().await.unwrap().len(), LARGE);
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn a_connection_is_kept_between_requests_and_ended_by_too_large_a_one() {
    let gateway = hurried(&Services::start().await).await;
    let mut stream = connect(&gateway).await;
    let mut buffer = vec![0; 4096];
    for _ in 0..2 {
        let ask = b"GET /api/build HTTP/1.1\r\nhost: x\r\n\r\n";
        stream.write_all(ask).await.unwrap();
        let read = stream.read(&mut buffer).await.unwrap();
        assert!(buffer[..read].starts_with(b"HTTP/1.1 200"));
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    let large = format!(
        "GET /api/build HTTP/1.1\r\nhost: x\r\nx-large: {}\r\n\r\n",
        "x".repeat(1_000_000)
    );
    // It may be cut off while we still write.
    let _cut = stream.write_all(large.as_bytes()).await;
    let (said, _) = until_closed(&mut stream).await;
    assert!(said.is_empty() || said.starts_with("HTTP/1.1 431"), "{said}");
}
