//! Two processes that were given different `CALLER_SECRET`s: our own mistake, which no consumer is told to sign in for.

use std::net::SocketAddr;

use kit::{
    ErrorCode, InternalError, ServiceError,
    caller::{Caller, CallerKey},
    grpc::{ClientChannel, GrpcClient, Server},
    lifecycle::Process,
};
use proto::giftcards::v1::{
    CloseHoldRequest, GetWalletRequest, Hold, HoldValueRequest, ListTransactionsRequest,
    ListTransactionsResponse, Wallet,
    gift_cards_client::GiftCardsClient,
    gift_cards_server::{GiftCards, GiftCardsServer},
};
use secrecy::SecretString;
use testing::{Database, Log};
use tonic::{Request, Response, Status};
use tracing::subscriber::DefaultGuard;

const OURS: &str = "the-secret-that-all-of-us-should-have";
const OTHER: &str = "the-secret-of-a-forgotten-environment";

/// A service that answers with an empty wallet, or with what another one says.
struct Wallets {
    next: Option<GiftCardsClient<ClientChannel>>,
    signed_in: bool,
}

#[tonic::async_trait]
impl GiftCards for Wallets {
    async fn get_wallet(&self, _: Request<GetWalletRequest>) -> Result<Response<Wallet>, Status> {
        if !self.signed_in {
            let refusal = ServiceError::new(ErrorCode::Unauthenticated, "UNAUTHENTICATED", "Please sign in.");
            return Err(refusal.into());
        }
        match self.next.clone() {
            None => Ok(Response::new(Wallet::default())),
            Some(mut next) => next
                .get_wallet(GetWalletRequest {})
                .await
                .map_err(|status| ServiceError::from(InternalError::from(status)).into()),
        }
    }

    async fn list_transactions(
        &self,
        _: Request<ListTransactionsRequest>,
    ) -> Result<Response<ListTransactionsResponse>, Status> {
        Err(Status::unimplemented("not asked here"))
    }

    async fn hold_value(&self, _: Request<HoldValueRequest>) -> Result<Response<Hold>, Status> {
        Err(Status::unimplemented("not asked here"))
    }

    async fn close_hold(&self, _: Request<CloseHoldRequest>) -> Result<Response<Hold>, Status> {
        Err(Status::unimplemented("not asked here"))
    }
}

/// Processes of ours, which are heard.
struct Stage {
    log: Log,
    _listening: DefaultGuard,
    database: Database,
    process: Process,
}

impl Stage {
    async fn open() -> Self {
        let log = Log::default();
        Self {
            _listening: log.listen(),
            log,
            database: Database::create(&[]).await,
            process: Process::detached("gift-cards"),
        }
    }

    /// Serves under a secret until the end; answers where.
    async fn serve(&self, secret: &str, wallets: Wallets) -> SocketAddr {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let server = Server::new(&self.process, key(secret), self.database.pool.clone()).unwrap();
        let serving = server.add_service(GiftCardsServer::new(wallets)).serve(address);
        self.process.spawn(async move { serving.await.unwrap() });
        while tokio::net::TcpStream::connect(address).await.is_err() {
            tokio::task::yield_now().await;
        }
        address
    }

    /// What was logged as an error; never a secret.
    fn errors(&self) -> Vec<String> {
        let text = self.log.text();
        assert!(!text.contains(OURS) && !text.contains(OTHER), "{text}");
        self.log.errors()
    }

    async fn end(self) {
        self.process.shutdown.cancel();
        self.process.tasks.close();
        self.process.tasks.wait().await;
        self.database.drop().await;
    }
}

fn key(secret: &str) -> CallerKey {
    CallerKey::new(&SecretString::from(secret)).unwrap()
}

fn client(own_name: &str, address: SocketAddr, secret: &str) -> GiftCardsClient<ClientChannel> {
    let peer = GrpcClient::new(own_name, &format!("http://{address}"), key(secret)).unwrap();
    GiftCardsClient::new(peer.as_service())
}

async fn ask(mut client: GiftCardsClient<ClientChannel>) -> Result<Wallet, ServiceError> {
    let answer = client.get_wallet(GetWalletRequest {}).await;
    answer
        .map(Response::into_inner)
        .map_err(|status| InternalError::from(status).into())
}

const ANSWERS: Wallets = Wallets {
    next: None,
    signed_in: true,
};

#[tokio::test]
async fn another_secret_is_an_error_of_ours_that_both_sides_log() {
    let stage = Stage::open().await;
    let address = stage.serve(OURS, ANSWERS).await;
    assert_eq!(ask(client("gateway", address, OURS)).await, Ok(Wallet::default()));
    assert_eq!(stage.errors(), [""; 0]);

    let refused = ask(client("gateway", address, OTHER)).await;
    assert_eq!(refused, Err(ServiceError::internal()));
    let errors = stage.errors();
    let said = |by: &str, what: &[&str]| {
        let line = errors.iter().find(|line| line.contains(by));
        let line = line.unwrap_or_else(|| panic!("no {by:?} in {errors:#?}"));
        assert!(what.iter().all(|part| line.contains(part)), "{line}");
    };
    said("call refused", &["CALLER_SECRET", "127.0.0.1:"]);
    said(
        "does not take our caller token",
        &["CALLER_SECRET", &address.to_string(), "GiftCards/GetWallet"],
    );
    stage.end().await;
}

#[tokio::test]
async fn another_secret_between_two_services_is_no_question_of_signing_in_either() {
    let stage = Stage::open().await;
    let inner = stage.serve(OTHER, ANSWERS).await;
    let next = Some(client("ordering", inner, OURS));
    let outer = stage.serve(OURS, Wallets { next, ..ANSWERS }).await;
    let refused = ask(client("gateway", outer, OURS)).await;
    assert_eq!(refused, Err(ServiceError::internal()));
    let blamed = |address: SocketAddr| {
        let peer = format!("http://{address}");
        stage.errors().iter().any(|line| line.contains(&peer))
    };
    assert!(blamed(inner) && !blamed(outer), "{:#?}", stage.errors());
    stage.end().await;
}

#[tokio::test]
async fn a_call_without_a_token_is_an_error_of_ours_too() {
    let stage = Stage::open().await;
    let address = stage.serve(OURS, ANSWERS).await;
    let mut nobody = GiftCardsClient::connect(format!("http://{address}"))
        .await
        .unwrap();
    let status = nobody.get_wallet(GetWalletRequest {}).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unauthenticated);
    assert_eq!(ServiceError::from_status(&status), ServiceError::internal());
    assert!(stage.errors()[0].contains("there is no caller token"));
    drop(nobody);
    stage.end().await;
}

#[tokio::test]
async fn who_is_not_signed_in_is_still_told_so() {
    let stage = Stage::open().await;
    let nobody = Wallets {
        signed_in: false,
        ..ANSWERS
    };
    let address = stage.serve(OURS, nobody).await;
    let refusal = ask(client("gateway", address, OURS)).await.unwrap_err();
    assert_eq!(
        (refusal.code, &*refusal.reason),
        (ErrorCode::Unauthenticated, "UNAUTHENTICATED")
    );
    assert_eq!(stage.errors(), [""; 0]);
    stage.end().await;
}

#[test]
fn a_call_that_no_guard_let_in_is_an_error_of_ours() {
    let status = Caller::of(&Request::new(())).unwrap_err();
    assert_eq!(ServiceError::from_status(&status), ServiceError::internal());
}
