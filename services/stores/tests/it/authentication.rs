//! Caller tokens on calls over the network.

use std::net::{Ipv4Addr, SocketAddr};

use callers::Caller;
use kit::{
    caller::CallerKey,
    grpc::{GrpcClient, Server},
    lifecycle::Process,
};
use proto::stores::v1::{self as pb, stores_client::StoresClient, stores_server::StoresServer};
use secrecy::SecretString;

use crate::harness::{Harness, reason};

fn key(secret: &str) -> CallerKey {
    CallerKey::new(&SecretString::from(secret)).unwrap()
}

#[tokio::test]
async fn calls_without_a_valid_caller_token_fail() {
    let harness = Harness::seeded().await;
    let port = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let process = Process::detached("stores");
    let valid_key = key("0123456789abcdef0123456789abcdef");
    let server = Server::<Caller>::new(
        &process,
        &valid_key,
        harness.database.pool.clone(),
        proto::DESCRIPTORS,
    )
    .unwrap();
    let serving = tokio::spawn(
        server
            .add_service(StoresServer::new(stores::Grpc::new(harness.cx.clone())))
            .serve(listen),
    );

    let address = format!("http://{listen}");
    let request = pb::ListStoresRequest::default;
    let gateway = Caller::from_service("gateway");
    let channel = GrpcClient::new(gateway.clone(), "stores", &address, valid_key.clone()).unwrap();
    let mut client = StoresClient::new(channel.as_service());
    let mut response = client.list_stores(request()).await;
    while response
        .as_ref()
        .is_err_and(|status| status.code() == tonic::Code::Unavailable)
    {
        response = client.list_stores(request()).await;
    }
    assert_eq!(response.unwrap().into_inner().stores.len(), 20);

    let other_key = key("fedcba9876543210fedcba9876543210");
    let channel = GrpcClient::new(gateway.clone(), "stores", &address, other_key).unwrap();
    let response = StoresClient::new(channel.as_service())
        .list_stores(request())
        .await;
    assert_eq!(
        reason(response),
        "INTERNAL",
        "not UNAUTHENTICATED, which would ask the consumer to sign in"
    );
    let mut without_token = StoresClient::connect(address).await.unwrap();
    assert_eq!(reason(without_token.list_stores(request()).await), "INTERNAL");

    process.shutdown.cancel();
    drop((client, without_token));
    serving.await.unwrap().unwrap();
    harness.close().await;
}
