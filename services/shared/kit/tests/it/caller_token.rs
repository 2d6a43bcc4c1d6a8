//! Processes with different `CALLER_SECRET`s: calls fail with an internal error that both sides log, and no consumer is
//! signed out.

use std::net::SocketAddr;

use kit::{
    ErrorCode, ServiceError,
    caller::CallerKey,
    grpc::{ClientChannel, GrpcClient, Server},
    lifecycle::Process,
};
use secrecy::SecretString;
use testing::{Database, Log};
use tonic::transport::Channel;
use tracing::subscriber::DefaultGuard;

use crate::greeter::{Greeter, METHOD, call, greet};

const SECRET: &str = "the-secret-of-this-deployment-32-bytes";
const OTHER_SECRET: &str = "the-secret-of-another-deployment-32-b";

struct Harness {
    log: Log,
    _capture: DefaultGuard,
    database: Database,
    process: Process,
}

impl Harness {
    async fn new() -> Self {
        let log = Log::default();
        Self {
            _capture: log.capture(),
            log,
            database: Database::create(&[]).await,
            process: Process::detached("greeter"),
        }
    }

    /// Serves in the background and returns the address.
    async fn serve(&self, secret: &str, greeter: Greeter) -> SocketAddr {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let server =
            Server::<String>::new(&self.process, &key(secret), self.database.pool.clone(), &[]).unwrap();
        let serving = server.add_service(greeter).serve(address);
        self.process.spawn(async move { serving.await.unwrap() });
        while tokio::net::TcpStream::connect(address).await.is_err() {
            tokio::task::yield_now().await;
        }
        address
    }

    /// Returns the logged errors, and checks that the log contains no secret.
    fn errors(&self) -> Vec<String> {
        let text = self.log.text();
        assert!(!text.contains(SECRET) && !text.contains(OTHER_SECRET), "{text}");
        self.log.errors()
    }

    async fn stop(self) {
        self.process.shutdown.cancel();
        self.process.tasks.close();
        self.process.tasks.wait().await;
        self.database.drop().await;
    }
}

fn key(secret: &str) -> CallerKey {
    CallerKey::new(&SecretString::from(secret)).unwrap()
}

fn channel(caller: &str, address: SocketAddr, secret: &str) -> ClientChannel {
    GrpcClient::new(
        caller.to_owned(),
        "greeter",
        &format!("http://{address}"),
        key(secret),
    )
    .unwrap()
    .as_service()
}

fn hello() -> Greeter {
    Greeter::responding(Ok("hello".to_owned()))
}

#[tokio::test]
async fn a_different_secret_is_an_internal_error_that_both_sides_log() {
    let harness = Harness::new().await;
    let address = harness.serve(SECRET, hello()).await;
    let response = greet(channel("gateway", address, SECRET)).await;
    assert_eq!(response, Ok("hello".to_owned()));
    assert_eq!(harness.errors(), [""; 0]);

    let response = greet(channel("gateway", address, OTHER_SECRET)).await;
    assert_eq!(response, Err(ServiceError::internal()));
    let errors = harness.errors();
    let is_logged = |message: &str, parts: &[&str]| {
        errors
            .iter()
            .any(|line| line.contains(message) && parts.iter().all(|part| line.contains(part)))
    };
    assert!(
        is_logged("call rejected", &["CALLER_SECRET", "127.0.0.1:"]),
        "{errors:#?}"
    );
    assert!(
        is_logged(
            "caller token rejected",
            &["CALLER_SECRET", &address.to_string(), METHOD]
        ),
        "{errors:#?}"
    );
    harness.stop().await;
}

#[tokio::test]
async fn a_different_secret_between_two_services_is_an_internal_error_for_their_caller() {
    let harness = Harness::new().await;
    let inner = harness.serve(OTHER_SECRET, hello()).await;
    let forward = Greeter::forwarding_to(channel("ordering", inner, SECRET));
    let outer = harness.serve(SECRET, forward).await;
    let response = greet(channel("gateway", outer, SECRET)).await;
    assert_eq!(response, Err(ServiceError::internal()));
    let is_named = |address: SocketAddr| {
        let address = format!("http://{address}");
        harness.errors().iter().any(|line| line.contains(&address))
    };
    assert!(is_named(inner) && !is_named(outer), "{:#?}", harness.errors());
    harness.stop().await;
}

#[tokio::test]
async fn a_call_without_token_is_an_internal_error() {
    let harness = Harness::new().await;
    let address = harness.serve(SECRET, hello()).await;
    let channel = Channel::from_shared(format!("http://{address}"))
        .unwrap()
        .connect()
        .await
        .unwrap();
    let status = call(tonic::client::Grpc::new(channel)).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unauthenticated);
    assert_eq!(ServiceError::from_status(&status), ServiceError::internal());
    assert!(harness.errors()[0].contains("missing caller token"));
    harness.stop().await;
}

#[tokio::test]
async fn an_unauthenticated_error_of_the_service_reaches_the_caller() {
    let harness = Harness::new().await;
    let signed_out = ServiceError::new(ErrorCode::Unauthenticated, "UNAUTHENTICATED", "Please sign in.");
    let address = harness
        .serve(SECRET, Greeter::responding(Err(signed_out.clone())))
        .await;
    let response = greet(channel("gateway", address, SECRET)).await;
    assert_eq!(response, Err(signed_out));
    assert_eq!(harness.errors(), [""; 0]);
    harness.stop().await;
}
