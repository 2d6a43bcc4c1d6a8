//! Serves one connection with limits on the client: time for its first request, time to read responses, size of the
//! request head. `axum::serve` has none of them.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use http::header::CONNECTION;
use http::{HeaderValue, Version};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};
use tokio_util::sync::CancellationToken;
use tower::Service;

/// Time between requests on a connection. Longer than that of common proxies, so that no proxy sends a request into a
/// connection that the gateway is closing.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);
/// Approximate maximum size of a request head.
const MAX_HEAD_BYTES: usize = 64 * 1024;
const MAX_HTTP2_STREAMS: u32 = 100;
const HTTP2_PING_INTERVAL: Duration = Duration::from_secs(20);

/// Time that sent data may stay unacknowledged. A phone that changes its network sends no FIN, and its streams would
/// count against the limits for a quarter of an hour.
#[cfg(target_os = "linux")]
const TCP_USER_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Debug, Clone)]
pub(crate) struct ConnectionServer {
    pub(crate) router: Router,
    /// Time for the first request, and to read responses.
    pub(crate) client_timeout: Duration,
    /// Cancelled when the process will shut down soon: clients are asked to open new connections elsewhere.
    pub(crate) draining: CancellationToken,
    /// Cancelled at shutdown.
    pub(crate) shutdown: CancellationToken,
}

impl ConnectionServer {
    /// Serves requests until the client closes the connection, a timeout expires, or the process shuts down.
    pub(crate) async fn serve(self, stream: TcpStream, client: SocketAddr) {
        if let Err(error) = set_socket_options(&stream) {
            tracing::debug!(%error, "socket options not set");
        }
        let has_request = Arc::new(AtomicBool::new(false));
        let (router, on_request) = (self.router, Arc::clone(&has_request));
        let draining = self.draining;
        let service = service_fn(move |request: http::Request<Incoming>| {
            on_request.store(true, Ordering::Relaxed);
            let mut request: Request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(ConnectInfo(client));
            let (is_http1, draining) = (request.version() <= Version::HTTP_11, draining.clone());
            let response = router.clone().call(request);
            async move {
                let mut response = response.await?;
                if is_http1 && draining.is_cancelled() {
                    let close = HeaderValue::from_static("close");
                    response.headers_mut().insert(CONNECTION, close);
                }
                Ok::<_, Infallible>(response)
            }
        });
        let protocol = protocol();
        let stream = TokioIo::new(WriteTimeout::new(stream, self.client_timeout));
        let mut connection = pin!(protocol.serve_connection(stream, service));
        let mut first_request_timeout = pin!(sleep(self.client_timeout));
        let (mut is_waiting, mut is_stopping) = (true, false);
        loop {
            tokio::select! {
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!(error, "connection failed");
                    }
                    return;
                }
                () = &mut first_request_timeout, if is_waiting => {
                    is_waiting = false;
                    if !has_request.load(Ordering::Relaxed) {
                        tracing::debug!("connection closed: no request in time");
                        return;
                    }
                }
                () = self.shutdown.cancelled(), if !is_stopping => {
                    is_stopping = true;
                    connection.as_mut().graceful_shutdown();
                }
            }
        }
    }
}

fn set_socket_options(stream: &TcpStream) -> io::Result<()> {
    // Live events are small and must be sent immediately.
    stream.set_nodelay(true)?;
    #[cfg(target_os = "linux")]
    socket2::SockRef::from(stream).set_tcp_user_timeout(Some(TCP_USER_TIMEOUT))?;
    Ok(())
}

fn protocol() -> Builder<TokioExecutor> {
    let mut protocol = Builder::new(TokioExecutor::new());
    protocol
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE_TIMEOUT)
        .max_buf_size(MAX_HEAD_BYTES);
    protocol
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(HTTP2_PING_INTERVAL)
        .max_header_list_size(u32::try_from(MAX_HEAD_BYTES).unwrap_or(u32::MAX))
        .max_concurrent_streams(MAX_HTTP2_STREAMS);
    protocol
}

/// Fails with `TimedOut` once a write makes no progress for the timeout, because the client does not read.
struct WriteTimeout {
    stream: TcpStream,
    timeout: Duration,
    /// Set while a write is pending.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeout {
    const fn new(stream: TcpStream, timeout: Duration) -> Self {
        Self {
            stream,
            timeout,
            deadline: None,
        }
    }

    fn check_deadline<T>(&mut self, cx: &mut Context<'_>, write: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if write.is_ready() {
            self.deadline = None;
            return write;
        }
        let timeout = self.timeout;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(timeout)));
        deadline
            .as_mut()
            .poll(cx)
            .map(|()| Err(io::Error::from(io::ErrorKind::TimedOut)))
    }
}

impl AsyncRead for WriteTimeout {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for WriteTimeout {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.check_deadline(cx, write)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.check_deadline(cx, write)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flush = Pin::new(&mut self.stream).poll_flush(cx);
        self.check_deadline(cx, flush)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn unacknowledged_data_ends_the_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        set_socket_options(&stream).unwrap();
        let socket = socket2::SockRef::from(&stream);
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(TCP_USER_TIMEOUT));
        drop(client);
    }
}
