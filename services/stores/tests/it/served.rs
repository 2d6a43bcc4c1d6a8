//! The service over the wire, as the other processes see it.

use std::net::{Ipv4Addr, SocketAddr};

use callers::Caller;
use kit::{
    caller::CallerKey,
    grpc::{GrpcClient, Server},
    lifecycle::Process,
};
use proto::stores::v1::{self, stores_client::StoresClient, stores_server::StoresServer};
use secrecy::SecretString;

use crate::harness::{Harness, reason};

fn key(secret: &str) -> CallerKey {
    CallerKey::new(&SecretString::from(secret)).unwrap()
}

#[tokio::test]
async fn nobody_is_answered_without_saying_who_they_are() {
    let harness = Harness::seeded().await;
    let port = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let process = Process::detached("stores");
    let ours = key("0123456789abcdef0123456789abcdef");
    let server = Server::<Caller>::new(
        &process,
        ours.clone(),
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
    let asked = || v1::ListStoresRequest::default();
    let gateway = GrpcClient::new(Caller::from_service("gateway"), &address, ours).unwrap();
    let mut client = StoresClient::new(gateway.as_service());
    let mut answer = client.list_stores(asked()).await;
    while answer
        .as_ref()
        .is_err_and(|status| status.code() == tonic::Code::Unavailable)
    {
        answer = client.list_stores(asked()).await;
    }
    assert_eq!(answer.unwrap().into_inner().stores.len(), 20);

    let forger = GrpcClient::new(Caller::from_service("gateway"), &address, key("fedcba9876543210fedcba9876543210")).unwrap();
    let forged = StoresClient::new(forger.as_service()).list_stores(asked()).await;
    assert_eq!(
        reason(forged),
        "INTERNAL",
        "our mistake: nobody is into_result to sign in"
    );
    let mut nobody = StoresClient::connect(address).await.unwrap();
    assert_eq!(reason(nobody.list_stores(asked()).await), "INTERNAL");

    process.shutdown.cancel();
    drop((client, nobody));
    serving.await.unwrap().unwrap();
    harness.close().await;
}
