//! Sign-in works again soon after a fault between the gateway and Redis.

use std::net::SocketAddr;
use std::time::Duration;

use proto::accounts::v1::{LoginRequest, LoginResponse};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, redis_url};

/// Enough that the gateway also tries to connect during the fault.
const CALLS_DURING_FAULT: usize = 3;
/// Sign-in calls after a fault of which one must succeed.
const CALLS_AFTER_FAULT: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    Delay(Duration),
    /// Closes all connections and each new one.
    Cut,
    /// Inserts bytes that Redis' protocol does not allow.
    Garble,
    /// Connections remain open but forward nothing, even after the fault, as if the server had lost power.
    Silence,
}

/// A TCP proxy in front of Redis.
struct Proxy {
    address: SocketAddr,
    fault: watch::Sender<Fault>,
}

impl Proxy {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (fault, state) = watch::channel(Fault::None);
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                tokio::spawn(forward(client, state.clone()));
            }
        });
        Self { address, fault }
    }
}

async fn forward(client: TcpStream, mut fault: watch::Receiver<Fault>) {
    if *fault.borrow() == Fault::Cut {
        return;
    }
    let redis = redis_url();
    let redis = redis.trim_start_matches("redis://").trim_end_matches('/');
    let server = TcpStream::connect(redis).await.unwrap();
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let (requests, responses) = (fault.clone(), fault.clone());
    tokio::select! {
        _ = async { tokio::join!(copy(from_client, to_server, requests), copy(from_server, to_client, responses)) } => {}
        _ = fault.wait_for(|fault| *fault == Fault::Cut) => {}
    }
}

async fn copy(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, fault: watch::Receiver<Fault>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let current = *fault.borrow();
        match current {
            Fault::Delay(time) => tokio::time::sleep(time).await,
            Fault::Silence => std::future::pending().await,
            Fault::Garble if to.write_all(&[0xff; 64]).await.is_err() => return,
            Fault::None | Fault::Cut | Fault::Garble => {}
        }
        if to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}

async fn sign_in(gateway: &Gateway) -> u16 {
    let body = json!({"phone": "+12135550100"});
    let login = gateway.post("/api/consumer/authentication/login", &body);
    login.send().await.unwrap().status().as_u16()
}

async fn assert_recovers_from(faults: &[Fault]) {
    let (services, proxy) = (FakeServices::start().await, Proxy::start().await);
    services.on("Login", |_: LoginRequest| Ok(LoginResponse::default()));
    let url = format!("redis://{}", proxy.address);
    let settings = [("REDIS_URL", &*url), ("SIGN_IN_LIMIT_PER_ADDRESS", "1000")];
    let gateway = Gateway::start_with(&services, &settings).await;
    assert_eq!(sign_in(&gateway).await, 200);
    for &fault in faults {
        proxy.fault.send_replace(fault);
        for _ in 0..CALLS_DURING_FAULT {
            assert_eq!(sign_in(&gateway).await, 503, "{fault:?}");
        }
        proxy.fault.send_replace(Fault::None);
        let mut calls = 0;
        while sign_in(&gateway).await != 200 {
            calls += 1;
            assert!(calls < CALLS_AFTER_FAULT, "no sign-in after {fault:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_recovers_from_slow_responses() {
    assert_recovers_from(&[Fault::Delay(Duration::from_secs(1))]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_recovers_from_closed_connections() {
    assert_recovers_from(&[Fault::Cut]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_recovers_from_invalid_responses() {
    assert_recovers_from(&[Fault::Garble]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_recovers_from_connections_that_stay_silent() {
    assert_recovers_from(&[Fault::Silence]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_recovers_from_one_fault_after_the_other() {
    let slow = Fault::Delay(Duration::from_secs(1));
    assert_recovers_from(&[slow, Fault::Cut, Fault::Garble, Fault::Silence, Fault::Cut]).await;
}
