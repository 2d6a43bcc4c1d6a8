//! Requests over HTTP/1.1 connections, each with one request in flight.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, ensure};
use futures::future::try_join_all;
use http_body_util::{BodyExt, Full};
use hyper::{Method, Request, body::Bytes, client::conn::http1, header::HOST};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, time::Instant};
use url::Url;

/// A request that is repeated. `url` returns the address for each number.
pub struct RepeatedRequest {
    pub method: Method,
    pub headers: Vec<(&'static str, String)>,
    pub url: Box<dyn Fn(usize) -> Url + Send + Sync>,
    pub body: Box<dyn Fn(usize) -> Bytes + Send + Sync>,
}

impl RepeatedRequest {
    /// Creates a GET request of one address.
    pub fn get(url: Url) -> Self {
        Self::get_each(move |_| url.clone())
    }

    pub fn get_each(url: impl Fn(usize) -> Url + Send + Sync + 'static) -> Self {
        Self {
            method: Method::GET,
            headers: Vec::new(),
            url: Box::new(url),
            body: Box::new(|_| Bytes::new()),
        }
    }

    /// Sends the request once and returns the body.
    pub async fn send_once(&self) -> anyhow::Result<Bytes> {
        self.send(&mut connect(&(self.url)(0)).await?, 0).await
    }

    async fn send(&self, connection: &mut Connection, number: usize) -> anyhow::Result<Bytes> {
        let url = (self.url)(number);
        let mut request = Request::builder()
            .method(&self.method)
            .uri(&url[url::Position::BeforePath..])
            .header(HOST, url.authority());
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let request = request.body(Full::new((self.body)(number)))?;
        connection.ready().await?;
        let response = connection.send_request(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        ensure!(
            status == 200,
            "{url}: {status}: {}",
            String::from_utf8_lossy(&body)
        );
        Ok(body)
    }
}

/// Repeats a request on all connections until the time is over, and returns the sorted latencies.
pub async fn closed_loop(
    request: &Arc<RepeatedRequest>,
    connections: usize,
    time: Duration,
) -> anyhow::Result<Vec<Duration>> {
    let end = Instant::now() + time;
    let connections = (0..connections).map(|first| {
        let request = Arc::clone(request);
        async move {
            tokio::spawn(send_until(request, first, connections, end))
                .await
                .context("a connection panicked")?
        }
    });
    let mut latencies = try_join_all(connections).await?.concat();
    ensure!(!latencies.is_empty(), "no response in {time:?}");
    latencies.sort_unstable();
    Ok(latencies)
}

async fn send_until(
    request: Arc<RepeatedRequest>,
    first: usize,
    step: usize,
    end: Instant,
) -> anyhow::Result<Vec<Duration>> {
    let mut connection = connect(&(request.url)(first)).await?;
    let mut latencies = Vec::new();
    for number in (first..).step_by(step) {
        let sent = Instant::now();
        if sent >= end {
            break;
        }
        request.send(&mut connection, number).await?;
        latencies.push(sent.elapsed());
    }
    Ok(latencies)
}

type Connection = http1::SendRequest<Full<Bytes>>;

async fn connect(url: &Url) -> anyhow::Result<Connection> {
    let addresses = url.socket_addrs(|| None)?;
    let stream = TcpStream::connect(&*addresses).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender)
}
