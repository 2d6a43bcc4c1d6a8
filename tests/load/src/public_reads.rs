//! Measures reads that are the same for all consumers, next to a handler that only returns the same bytes.

use std::time::Duration;

use anyhow::{Context, ensure};
use axum::{Router, routing::get};
use futures::future::try_join_all;
use http_body_util::{BodyExt, Empty};
use hyper::{Request, body::Bytes, client::conn::http1, header::HOST};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    time::Instant,
};
use types::StoreId;
use url::Url;

/// Connections, each with one request in flight.
const CONNECTIONS: usize = 32;
const WARM_UP: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub struct ReadMeasurement {
    pub name: &'static str,
    pub per_second: f64,
    pub p50: Duration,
    pub p99: Duration,
}

/// Measures `store/info` of a store through the gateway, and then a handler without any middleware.
pub async fn measure(gateway: &str, store: StoreId, time: Duration) -> anyhow::Result<Vec<ReadMeasurement>> {
    let url = Url::parse(gateway)?.join(&format!("/api/consumer/store/info?storeId={store}"))?;
    let body = get_once(&url).await?;
    let reference = spawn_reference(body).await?;
    let mut measurements = Vec::new();
    for (name, url) in [
        ("GET store/info through the gateway", &url),
        ("the same body from a bare axum handler", &reference),
    ] {
        closed_loop(url, WARM_UP).await?;
        let latencies = closed_loop(url, time).await?;
        measurements.push(ReadMeasurement {
            name,
            per_second: latencies.len() as f64 / time.as_secs_f64(),
            p50: latencies[latencies.len() / 2],
            p99: latencies[latencies.len() * 99 / 100],
        });
    }
    Ok(measurements)
}

/// Serves a body at every path of a new address.
async fn spawn_reference(body: Bytes) -> anyhow::Result<Url> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = Url::parse(&format!("http://{}/", listener.local_addr()?))?;
    let router = Router::new().route("/", get(move || async move { body.clone() }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(url)
}

/// Requests the URL on all connections until the time is over, and returns the sorted latencies.
async fn closed_loop(url: &Url, time: Duration) -> anyhow::Result<Vec<Duration>> {
    let end = Instant::now() + time;
    let connections = (0..CONNECTIONS).map(|_| async move {
        tokio::spawn(requests_until(url.clone(), end))
            .await
            .context("a connection panicked")?
    });
    let mut latencies = try_join_all(connections).await?.concat();
    ensure!(!latencies.is_empty(), "no response in {time:?}");
    latencies.sort_unstable();
    Ok(latencies)
}

async fn requests_until(url: Url, end: Instant) -> anyhow::Result<Vec<Duration>> {
    let mut connection = connect(&url).await?;
    let mut latencies = Vec::new();
    while Instant::now() < end {
        let sent = Instant::now();
        request(&mut connection, &url).await?;
        latencies.push(sent.elapsed());
    }
    Ok(latencies)
}

async fn get_once(url: &Url) -> anyhow::Result<Bytes> {
    request(&mut connect(url).await?, url).await
}

type Connection = http1::SendRequest<Empty<Bytes>>;

async fn connect(url: &Url) -> anyhow::Result<Connection> {
    let addresses = url.socket_addrs(|| None)?;
    let stream = TcpStream::connect(&*addresses).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender)
}

async fn request(connection: &mut Connection, url: &Url) -> anyhow::Result<Bytes> {
    let request = Request::get(&url[url::Position::BeforePath..])
        .header(HOST, url.authority())
        .body(Empty::new())?;
    connection.ready().await?;
    let response = connection.send_request(request).await?;
    ensure!(response.status() == 200, "{url}: {}", response.status());
    Ok(response.into_body().collect().await?.to_bytes())
}
