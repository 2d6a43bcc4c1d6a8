//! Calls that are canceled at their deadline while the server is frozen. Each one resets its stream, and an HTTP/2
//! server closes a connection with too many resets of calls that it has not accepted yet.

use std::{net::SocketAddr, time::Duration};

use futures::future::join_all;
use kit::{
    ErrorCode, ServiceError,
    caller::CallerKey,
    grpc::{ClientChannel, GrpcClient, Server},
    lifecycle::Process,
};
use secrecy::SecretString;
use sqlx::postgres::PgPoolOptions;
use tokio::runtime::Handle;

use crate::greeter::{Greeter, greet};

const FREEZE: Duration = Duration::from_millis(150);
const CANCEL_AFTER: Duration = Duration::from_millis(50);
const ROUNDS: usize = 20;
const CANCELLED_PER_ROUND: usize = 150;
const COMPLETED_PER_ROUND: usize = 10;

fn key() -> CallerKey {
    CallerKey::new(&SecretString::from("a-secret-of-at-least-32-bytes-for-tests")).unwrap()
}

/// A server on a separate thread, which can be frozen like a stopped process.
struct FreezableServer {
    address: SocketAddr,
    runtime: Handle,
    process: Process,
    thread: std::thread::JoinHandle<()>,
}

impl FreezableServer {
    /// Starts this crate's server, or a tonic server with default limits.
    async fn start(is_default: bool) -> Self {
        let address = {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap()
        };
        let process = Process::detached("greeter");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let (handle, served) = (runtime.handle().clone(), process.clone());
        let thread = std::thread::spawn(move || runtime.block_on(serve(served, address, is_default)));
        while tokio::net::TcpStream::connect(address).await.is_err() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Self {
            address,
            runtime: handle,
            process,
            thread,
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "blocks the thread of the server on purpose"
    )]
    fn freeze(&self) {
        drop(self.runtime.spawn(async { std::thread::sleep(FREEZE) }));
    }

    /// Freezes the server repeatedly while many calls are canceled, and returns the results of the others.
    async fn cancel_calls(&self) -> Vec<Result<String, ServiceError>> {
        let client = GrpcClient::new(
            "tester".to_owned(),
            "greeter",
            &format!("http://{}", self.address),
            key(),
        )
        .unwrap();
        let mut results = Vec::new();
        for _ in 0..ROUNDS {
            self.freeze();
            let completed = join_all((0..COMPLETED_PER_ROUND).map(|_| greet(client.as_service())));
            let cancelled = join_all((0..CANCELLED_PER_ROUND).map(|_| cancel(client.as_service())));
            results.extend(futures::join!(completed, cancelled).0);
        }
        results
    }

    async fn stop(self) {
        self.process.shutdown.cancel();
        tokio::task::spawn_blocking(|| self.thread.join())
            .await
            .unwrap()
            .unwrap();
    }
}

async fn serve(process: Process, address: SocketAddr, is_default: bool) {
    let greeter = Greeter::delayed(Duration::from_millis(1));
    if is_default {
        tonic::transport::Server::builder()
            .add_service(greeter)
            .serve_with_shutdown(address, process.shutdown.cancelled_owned())
            .await
            .unwrap();
    } else {
        let pool = PgPoolOptions::new().connect_lazy(&testing::server_url()).unwrap();
        let server = Server::<String>::new(&process, &key(), pool, &[]).unwrap();
        server.add_service(greeter).serve(address).await.unwrap();
    }
}

async fn cancel(channel: ClientChannel) {
    // The call is dropped at the timeout, which resets its stream.
    let _ = tokio::time::timeout(CANCEL_AFTER, greet(channel)).await;
}

#[tokio::test]
async fn a_connection_survives_thousands_of_canceled_calls() {
    let server = FreezableServer::start(false).await;
    for result in server.cancel_calls().await {
        assert_eq!(result, Ok("hello".to_owned()));
    }
    server.stop().await;
}

#[tokio::test]
async fn a_connection_closed_for_too_many_resets_means_unavailable() {
    let server = FreezableServer::start(true).await;
    let results = server.cancel_calls().await;
    let errors: Vec<_> = results.into_iter().filter_map(Result::err).collect();
    assert!(!errors.is_empty(), "the server has closed no connection");
    for error in errors {
        assert_eq!(error.code, ErrorCode::Unavailable, "{error:?}");
    }
    server.stop().await;
}
