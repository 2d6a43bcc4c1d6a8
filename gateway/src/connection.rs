//! Serves one connection with limits on the client: time for its first request and between requests, time to read
//! responses, size of the request head. `axum::serve` has none of them.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
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
use tokio::time::{Instant, Sleep, sleep};
use tokio_util::sync::CancellationToken;
use tower::Service;

use crate::connection_activity::{Activity, Usage};
use crate::open_connections::OpenConnection;

/// Time for HTTP/2 clients to close a connection that has been idle for too long.
const GOAWAY_TIMEOUT: Duration = Duration::from_secs(1);
/// Approximate maximum size of a request head.
const MAX_HEAD_BYTES: usize = 64 * 1024;
const MAX_HTTP2_STREAMS: u32 = 100;
const HTTP2_PING_INTERVAL: Duration = Duration::from_secs(20);

/// Time that sent data may stay unacknowledged. A phone that changes its network sends no FIN, and without this timeout its
/// streams would count against the limits for about 15 minutes.
#[cfg(target_os = "linux")]
const TCP_USER_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Debug, Clone)]
pub(crate) struct ConnectionServer {
    pub(crate) router: Router,
    /// Time for the first request, and to read responses.
    pub(crate) client_timeout: Duration,
    /// Time from a response to the end of the next request head.
    pub(crate) idle_timeout: Duration,
    /// Cancelled when the process will shut down soon: clients are asked to open new connections elsewhere.
    pub(crate) draining: CancellationToken,
    /// Cancelled at shutdown.
    pub(crate) shutdown: CancellationToken,
}

impl ConnectionServer {
    /// Serves requests until the client closes the connection, a timeout expires, the connection is evicted, or the process
    /// shuts down.
    pub(crate) async fn serve(self, stream: TcpStream, client: SocketAddr, open: OpenConnection) {
        if let Err(error) = set_socket_options(&stream) {
            tracing::debug!(%error, "socket options not set");
        }
        let timeouts = self.timeouts();
        let protocol = protocol(self.idle_timeout);
        let stream = TokioIo::new(WriteTimeout::new(stream, self.client_timeout));
        let shutdown = self.shutdown.clone();
        let begin_request = open.requests();
        let (router, draining) = (self.router, self.draining);
        let service = service_fn(move |request: http::Request<Incoming>| {
            let open_request = begin_request();
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
                Ok::<_, Infallible>(response.map(|body| open_request.until_sent(body)))
            }
        });
        let mut connection = pin!(protocol.serve_connection(stream, service));
        let mut idle_check = pin!(sleep(timeouts.client.min(timeouts.idle)));
        let (mut is_stopping, mut is_evicted, mut is_closing) = (false, false, false);
        loop {
            tokio::select! {
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!(error, "connection failed");
                    }
                    return;
                }
                () = &mut idle_check => match timeouts.next_check(open.activity()) {
                    IdleCheck::At(next) => idle_check.as_mut().reset(next),
                    IdleCheck::Expired if is_closing => return,
                    IdleCheck::Expired => {
                        is_closing = true;
                        connection.as_mut().graceful_shutdown();
                        idle_check.as_mut().reset(Instant::now() + GOAWAY_TIMEOUT);
                    }
                    IdleCheck::NoRequest => {
                        tracing::debug!("connection closed: no request in time");
                        return;
                    }
                },
                () = open.evicted(), if !is_evicted => {
                    is_evicted = true;
                    if open.activity().usage() != Usage::Busy {
                        return;
                    }
                    // A request arrived at the same time.
                    connection.as_mut().graceful_shutdown();
                }
                () = shutdown.cancelled(), if !is_stopping => {
                    is_stopping = true;
                    connection.as_mut().graceful_shutdown();
                }
            }
        }
    }

    const fn timeouts(&self) -> Timeouts {
        Timeouts {
            client: self.client_timeout,
            idle: self.idle_timeout,
        }
    }
}

/// Time for the first request, and between requests.
#[derive(Debug, Clone, Copy)]
struct Timeouts {
    client: Duration,
    idle: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IdleCheck {
    /// Check again at this time.
    At(Instant),
    /// The client sent no first request in time.
    NoRequest,
    /// The client sent no further request in time.
    Expired,
}

impl Timeouts {
    fn next_check(self, activity: &Activity) -> IdleCheck {
        let now = Instant::now();
        let (deadline, expired) = match activity.usage() {
            Usage::Busy => return IdleCheck::At(now + self.idle),
            Usage::New { opened_at } => (opened_at + self.client, IdleCheck::NoRequest),
            Usage::Idle { since } => (since + self.idle, IdleCheck::Expired),
        };
        if deadline <= now {
            expired
        } else {
            IdleCheck::At(deadline)
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

fn protocol(idle_timeout: Duration) -> Builder<TokioExecutor> {
    let mut protocol = Builder::new(TokioExecutor::new());
    protocol
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(idle_timeout)
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
