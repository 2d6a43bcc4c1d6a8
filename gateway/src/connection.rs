//! One connection: how long its client may take, and how much it may say before it is understood.

use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};
use tokio_util::sync::CancellationToken;
use tower::Service;

/// How long a connection is kept without a request. Longer than proxies keep theirs, so that none sends into one that we
/// are just closing.
const IDLE: Duration = Duration::from_secs(75);
/// What is read of a request before its head is whole, more or less: many times what our cookies and parameters have.
const HEAD_BYTES: usize = 64 * 1024;
/// Requests at once on a connection of HTTP/2.
const STREAMS: u32 = 100;
/// How often a connection of HTTP/2 is asked whether it is still there.
const PING: Duration = Duration::from_secs(20);

/// How long what we sent may stay unconfirmed. A phone that changes its network leaves without a word, and its streams
/// would keep their places for a quarter of an hour.
#[cfg(target_os = "linux")]
const GONE: Duration = Duration::from_secs(30);

/// What all connections share.
#[derive(Debug, Clone)]
pub(crate) struct Connections {
    /// What answers.
    pub router: Router,
    /// How long a client may take for its first request, and to take what we send.
    pub patience: Duration,
    /// Cancelled when the process is told to stop.
    pub shutdown: CancellationToken,
}

impl Connections {
    /// Answers the requests of a connection until its client, or the process, ends it.
    pub(crate) async fn serve(self, stream: TcpStream, client: SocketAddr) {
        if let Err(error) = tune(&stream) {
            tracing::debug!(%error, "connection is as the system makes it");
        }
        let asked = Arc::new(AtomicBool::new(false));
        let (router, first) = (self.router, Arc::clone(&asked));
        let service = service_fn(move |request: http::Request<Incoming>| {
            first.store(true, Ordering::Relaxed);
            let mut request: Request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(ConnectInfo(client));
            router.clone().call(request)
        });
        let protocol = protocol();
        let stream = TokioIo::new(Taken::new(stream, self.patience));
        let mut connection = pin!(protocol.serve_connection(stream, service));
        let (mut first_request, mut stopping) = (pin!(sleep(self.patience)), false);
        let mut waiting = true;
        loop {
            tokio::select! {
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!(error, "connection broke");
                    }
                    return;
                }
                () = &mut first_request, if waiting => {
                    waiting = false;
                    if !asked.load(Ordering::Relaxed) {
                        tracing::debug!("connection without a request closed");
                        return;
                    }
                }
                () = self.shutdown.cancelled(), if !stopping => {
                    stopping = true;
                    connection.as_mut().graceful_shutdown();
                }
            }
        }
    }
}

fn tune(stream: &TcpStream) -> io::Result<()> {
    // Events are small and wanted at once.
    stream.set_nodelay(true)?;
    #[cfg(target_os = "linux")]
    socket2::SockRef::from(stream).set_tcp_user_timeout(Some(GONE))?;
    Ok(())
}

fn protocol() -> Builder<TokioExecutor> {
    let mut protocol = Builder::new(TokioExecutor::new());
    protocol
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .max_buf_size(HEAD_BYTES);
    protocol
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING)
        .max_header_list_size(u32::try_from(HEAD_BYTES).unwrap_or(u32::MAX))
        .max_concurrent_streams(STREAMS);
    protocol
}

/// A stream whose other end takes what is sent: one that does not for a while has ended.
struct Taken {
    stream: TcpStream,
    patience: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Taken {
    const fn new(stream: TcpStream, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            stalled: None,
        }
    }

    fn unless_stalled<T>(&mut self, cx: &mut Context<'_>, sent: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            self.stalled = None;
            return sent;
        }
        let patience = self.patience;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(patience)));
        stalled
            .as_mut()
            .poll(cx)
            .map(|()| Err(io::Error::from(io::ErrorKind::TimedOut)))
    }
}

impl AsyncRead for Taken {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for Taken {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.unless_stalled(cx, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.unless_stalled(cx, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_flush(cx);
        self.unless_stalled(cx, sent)
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
    async fn what_nobody_confirms_ends_the_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        tune(&stream).unwrap();
        let socket = socket2::SockRef::from(&stream);
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(GONE));
        drop(client);
    }
}
