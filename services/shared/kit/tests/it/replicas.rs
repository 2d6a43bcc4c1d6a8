//! Two replicas behind one client: calls are distributed, and no call fails because a replica is stopped, killed or
//! frozen if another one can process it.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures::future::join_all;
use kit::{
    ErrorCode, ServiceError,
    caller::CallerKey,
    grpc::{GrpcClient, Server, deadline},
    lifecycle::Process,
};
use secrecy::SecretString;
use sqlx::postgres::PgPoolOptions;
use tokio::{
    net::{TcpListener, TcpStream},
    runtime::Runtime,
    time::Instant,
};
use tonic::transport::Channel;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use crate::greeter::{Greeter, greet, greet_within};

const RESPONSE_TIME: Duration = Duration::from_millis(20);
/// Long enough that a replica is killed before it responds.
const LONG_RESPONSE_TIME: Duration = Duration::from_millis(500);
/// Calls in progress at any time.
const CALLERS: usize = 8;

fn key() -> CallerKey {
    CallerKey::new(&SecretString::from("a-secret-of-at-least-32-bytes-for-tests")).unwrap()
}

/// A server on separate threads, which can be killed and frozen like a process.
struct Replica {
    name: &'static str,
    address: SocketAddr,
    process: Process,
    response_time: Duration,
    calls: Arc<AtomicUsize>,
    runtime: Option<Runtime>,
}

impl Replica {
    async fn start(name: &'static str) -> Self {
        Self::start_with(name, RESPONSE_TIME).await
    }

    async fn start_with(name: &'static str, response_time: Duration) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let mut replica = Self {
            name,
            address,
            process: Process::detached("greeter"),
            response_time,
            calls: Arc::default(),
            runtime: None,
        };
        replica.restart().await;
        replica
    }

    /// Serves at the same address again.
    async fn restart(&mut self) {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        self.process = Process::detached("greeter");
        let process = self.process.clone();
        let greeter = Greeter::named(self.name, self.response_time, Arc::clone(&self.calls));
        let address = self.address;
        runtime.spawn(async move {
            let pool = PgPoolOptions::new().connect_lazy(&testing::server_url()).unwrap();
            let server = Server::<String>::new(&process, &key(), pool, &[]).unwrap();
            server.add_service(greeter).serve(address).await.unwrap();
            process.tasks.close();
        });
        self.runtime = Some(runtime);
        while TcpStream::connect(self.address).await.is_err() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Kills the replica while it processes its second calls.
    async fn kill_during_calls(&mut self) {
        while self.calls() < CALLERS {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        self.kill();
    }

    /// Closes all connections at once, in the middle of calls.
    fn kill(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }

    /// Finishes calls in progress, as at SIGTERM.
    async fn stop(&mut self) {
        self.process.shutdown.cancel();
        self.process.tasks.wait().await;
        self.kill();
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "blocks the thread of the server on purpose"
    )]
    fn freeze(&self, time: Duration) {
        drop(
            self.runtime
                .as_ref()
                .unwrap()
                .spawn(async move { std::thread::sleep(time) }),
        );
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.kill();
    }
}

fn client(replicas: &[&Replica]) -> GrpcClient {
    let addresses: Vec<_> = replicas.iter().map(|replica| replica.address).collect();
    client_of(&addresses)
}

fn client_of(addresses: &[SocketAddr]) -> GrpcClient {
    let addresses: Vec<String> = addresses
        .iter()
        .map(|address| format!("http://{address}"))
        .collect();
    GrpcClient::new("tester".to_owned(), "greeter", &addresses.join(","), key()).unwrap()
}

/// Starts a TCP proxy and returns its address. It accepts connections while the server is down, and resets them.
async fn start_proxy(server: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut client, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                // Closing a connection with unread bytes resets it.
                client.readable().await.unwrap();
                if let Ok(mut server) = TcpStream::connect(server).await {
                    let _closed = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                }
            });
        }
    });
    address
}

/// Calls from several callers, each of them repeatedly, and returns all responses.
async fn call_repeatedly(client: &GrpcClient, times: usize) -> Vec<Result<String, ServiceError>> {
    let callers = (0..CALLERS).map(|_| async {
        let mut responses = Vec::new();
        for _ in 0..times {
            responses.push(greet(client.as_service()).await);
        }
        responses
    });
    join_all(callers).await.into_iter().flatten().collect()
}

fn failures(responses: &[Result<String, ServiceError>]) -> usize {
    responses.iter().filter(|response| response.is_err()).count()
}

#[tokio::test]
async fn replicas_share_the_calls() {
    let (a, b) = (Replica::start("a").await, Replica::start("b").await);
    let client = client(&[&a, &b]);
    for round in 1..=10 {
        assert_eq!(failures(&call_repeatedly(&client, 1).await), 0);
        assert_eq!((a.calls(), b.calls()), (CALLERS / 2 * round, CALLERS / 2 * round));
    }
}

async fn start_slow_replicas() -> (Replica, Replica) {
    let start = |name| Replica::start_with(name, LONG_RESPONSE_TIME);
    (start("a").await, start("b").await)
}

#[tokio::test]
async fn an_idempotent_call_to_a_killed_replica_succeeds() {
    let (mut a, b) = start_slow_replicas().await;
    let client = client(&[&a, &b]).with_idempotent_methods(|_| true);
    let (responses, ()) = futures::join!(call_repeatedly(&client, 3), a.kill_during_calls());
    assert_eq!(failures(&responses), 0, "{responses:?}");
    assert!(a.calls() + b.calls() > responses.len(), "no call was repeated");
}

#[tokio::test]
async fn a_call_that_may_have_been_processed_is_not_repeated() {
    let (mut a, b) = start_slow_replicas().await;
    let client = client(&[&a, &b]);
    let (responses, ()) = futures::join!(call_repeatedly(&client, 3), a.kill_during_calls());
    let failed = failures(&responses);
    assert!((1..=CALLERS).contains(&failed), "{failed} calls failed");
    assert_eq!(a.calls() + b.calls(), responses.len());
    let errors = responses.into_iter().filter_map(Result::err);
    for error in errors {
        assert_eq!(error.code, ErrorCode::Unavailable);
    }
}

#[tokio::test]
async fn restarting_one_replica_after_the_other_fails_no_call() {
    let (mut a, mut b) = (Replica::start("a").await, Replica::start("b").await);
    let client = client(&[&a, &b]);
    let restart = async {
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            a.stop().await;
            tokio::time::sleep(Duration::from_millis(100)).await;
            a.restart().await;
            b.stop().await;
            b.restart().await;
        }
    };
    let (responses, ()) = futures::join!(call_repeatedly(&client, 60), restart);
    assert_eq!(failures(&responses), 0, "{responses:?}");
    assert_eq!(
        a.calls() + b.calls(),
        responses.len(),
        "each call is processed once"
    );
}

#[tokio::test]
async fn restarting_replicas_behind_proxies_fails_no_idempotent_call() {
    let (mut a, mut b) = (Replica::start("a").await, Replica::start("b").await);
    let addresses = [start_proxy(a.address).await, start_proxy(b.address).await];
    let client = client_of(&addresses).with_idempotent_methods(|_| true);
    let restart = async {
        for _ in 0..3 {
            for replica in [&mut a, &mut b] {
                replica.stop().await;
                tokio::time::sleep(Duration::from_millis(300)).await;
                replica.restart().await;
            }
        }
    };
    let (responses, ()) = futures::join!(call_repeatedly(&client, 120), restart);
    assert_eq!(failures(&responses), 0, "{responses:?}");
}

#[tokio::test]
async fn a_draining_replica_is_not_ready_but_serves_calls() {
    let a = Replica::start("a").await;
    let client = client(&[&a]);
    wait_for_status(&a, ServingStatus::Serving).await;
    a.process.draining.cancel();
    wait_for_status(&a, ServingStatus::NotServing).await;
    assert_eq!(failures(&call_repeatedly(&client, 3).await), 0);
}

async fn wait_for_status(replica: &Replica, expected: ServingStatus) {
    let channel = Channel::from_shared(format!("http://{}", replica.address)).unwrap();
    let mut health = HealthClient::new(channel.connect().await.unwrap());
    let request = HealthCheckRequest::default();
    while health.check(request.clone()).await.unwrap().into_inner().status() != expected {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_restarted_replica_gets_calls_again() {
    let (mut a, b) = (Replica::start("a").await, Replica::start("b").await);
    let client = client(&[&a, &b]);
    assert_eq!(failures(&call_repeatedly(&client, 1).await), 0);
    a.stop().await;
    assert_eq!(failures(&call_repeatedly(&client, 1).await), 0);
    a.restart().await;
    let calls = a.calls();
    while a.calls() == calls {
        assert_eq!(failures(&call_repeatedly(&client, 1).await), 0);
    }
}

#[tokio::test]
async fn a_read_of_a_frozen_replica_succeeds() {
    let (a, b) = (Replica::start("a").await, Replica::start("b").await);
    let client = client(&[&a, &b])
        .with_idempotent_methods(|_| true)
        .with_reads(|_| true);
    assert_eq!(failures(&call_repeatedly(&client, 1).await), 0);
    a.freeze(Duration::from_secs(8));
    let responses = call_repeatedly(&client, 3).await;
    assert_eq!(failures(&responses), 0, "{responses:?}");
    // The runtime cannot stop before its thread wakes up.
    drop(b);
}

#[tokio::test]
async fn a_frozen_replica_fails_one_call_and_gets_calls_again_when_it_responds() {
    const FROZEN: Duration = Duration::from_secs(4);
    const CALLING: Duration = Duration::from_secs(3);
    let (a, b) = (Replica::start("a").await, Replica::start("b").await);
    let client = client(&[&a, &b]);
    for replica in [&a, &b] {
        wait_for_status(replica, ServingStatus::Serving).await;
    }
    assert_eq!(failures(&call_repeatedly(&client, 1).await), 0);

    a.freeze(FROZEN);
    let frozen_at = Instant::now();
    let mut responses = Vec::new();
    while frozen_at.elapsed() < CALLING {
        let call = deadline::within(Duration::from_millis(300), greet(client.as_service()));
        responses.push(call.await);
    }
    assert_eq!(failures(&responses), 1, "{responses:?}");

    let calls = a.calls();
    while a.calls() <= calls + 1 {
        assert_eq!(failures(&call_repeatedly(&client, 1).await), 0);
    }
}

/// Without a health check, the call would wait for half of its timeout, and the frozen replica would respond by then.
#[tokio::test]
async fn a_long_idempotent_call_does_not_wait_for_a_frozen_replica() {
    let (a, b) = (Replica::start("a").await, Replica::start("b").await);
    let client = client(&[&a, &b]).with_idempotent_methods(|_| true);
    for replica in [&a, &b] {
        wait_for_status(replica, ServingStatus::Serving).await;
    }
    assert_eq!(failures(&call_repeatedly(&client, 1).await), 0);
    a.freeze(Duration::from_secs(20));
    for _ in 0..4 {
        let name = greet_within(Duration::from_mins(2), client.as_service()).await;
        assert_eq!(name.unwrap(), "b");
    }
}

/// Longer than a slow call and the health check after it.
const VERY_LONG_RESPONSE_TIME: Duration = Duration::from_secs(4);

/// Calls two replicas at the same time, and runs `stop` with the first one while it processes its call. No call is repeated.
async fn assert_not_repeated(stop: impl AsyncFnOnce(&mut Replica)) {
    let start = |name| Replica::start_with(name, VERY_LONG_RESPONSE_TIME);
    let (mut a, b) = (start("a").await, start("b").await);
    for replica in [&a, &b] {
        wait_for_status(replica, ServingStatus::Serving).await;
    }
    let client = client(&[&a, &b]).with_idempotent_methods(|_| true);
    let call = || greet_within(Duration::from_secs(20), client.as_service());
    let (first, second, ()) = futures::join!(call(), call(), async {
        while a.calls() + b.calls() < 2 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        stop(&mut a).await;
    });
    let mut names = [first.unwrap(), second.unwrap()];
    names.sort();
    assert_eq!(names, ["a", "b"]);
    assert_eq!((a.calls(), b.calls()), (1, 1));
}

#[tokio::test]
async fn a_call_that_a_draining_replica_processes_is_not_repeated() {
    assert_not_repeated(async |replica| replica.process.draining.cancel()).await;
}

#[tokio::test]
async fn a_call_that_a_replica_finishes_during_its_shutdown_is_not_repeated() {
    assert_not_repeated(async |replica| replica.stop().await).await;
}
