//! Connections that a server accepts. Sets `TCP_NODELAY` and limits their number.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures::Stream;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
};
use tonic::transport::server::{Connected, TcpConnectInfo, TcpIncoming};

/// Accepts connections, and closes those above the limit at once.
#[derive(Debug)]
pub(super) struct Incoming {
    accepted: TcpIncoming,
    free: Arc<Semaphore>,
}

impl Incoming {
    /// The `tcp_nodelay` of tonic's server builder applies only to listeners that tonic binds itself. Without the option, a
    /// response of several segments waits up to 40 ms for a delayed acknowledgment.
    pub(super) fn new(listener: TcpListener, max_connections: usize) -> Self {
        Self {
            accepted: TcpIncoming::from(listener).with_nodelay(Some(true)),
            free: Arc::new(Semaphore::new(max_connections)),
        }
    }
}

impl Stream for Incoming {
    type Item = io::Result<CountedConnection>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let stream = match std::task::ready!(Pin::new(&mut self.accepted).poll_next(context)) {
                Some(Ok(stream)) => stream,
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            };
            match Arc::clone(&self.free).try_acquire_owned() {
                Ok(permit) => {
                    return Poll::Ready(Some(Ok(CountedConnection {
                        stream,
                        _permit: permit,
                    })));
                }
                Err(_) => tracing::warn!("connection closed: MAX_CONNECTIONS are open"),
            }
        }
    }
}

/// A connection that counts as open until it is dropped.
#[derive(Debug)]
pub(super) struct CountedConnection {
    stream: TcpStream,
    _permit: OwnedSemaphorePermit,
}

impl Connected for CountedConnection {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.connect_info()
    }
}

impl AsyncRead for CountedConnection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for CountedConnection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use futures::StreamExt;
    use tokio::io::AsyncReadExt;

    use super::*;

    async fn listen(max_connections: usize) -> (Incoming, std::net::SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        (Incoming::new(listener, max_connections), address)
    }

    #[tokio::test]
    async fn accepted_connections_send_small_segments_at_once() {
        let (mut incoming, address) = listen(1).await;
        let _client = TcpStream::connect(address).await.unwrap();
        let accepted = incoming.next().await.unwrap().unwrap();
        assert!(accepted.stream.nodelay().unwrap());
    }

    #[tokio::test]
    async fn connections_above_the_limit_are_closed_until_others_end() {
        let (mut incoming, address) = listen(1).await;
        let _first = TcpStream::connect(address).await.unwrap();
        let accepted = incoming.next().await.unwrap().unwrap();
        let mut second = TcpStream::connect(address).await.unwrap();
        let mut buffer = [0];
        tokio::select! {
            bytes = second.read(&mut buffer) => assert_eq!(bytes.unwrap_or(0), 0),
            _ = incoming.next() => panic!("a connection above the limit was accepted"),
        }
        drop(accepted);
        let _third = TcpStream::connect(address).await.unwrap();
        assert!(incoming.next().await.unwrap().is_ok());
    }
}
