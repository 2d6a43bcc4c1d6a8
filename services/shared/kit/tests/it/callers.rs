//! Two processes that were given different `CALLER_SECRET`s: our own mistake, which no consumer is told to sign in for.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use kit::{
    Code, Fault, Refusal,
    caller::{Caller, CallerKey},
    grpc::{Link, Peer, Server},
    lifecycle::Process,
};
use proto::giftcards::v1::{
    CloseHoldRequest, GetWalletRequest, Hold, HoldValueRequest, ListTransactionsRequest,
    ListTransactionsResponse, Wallet,
    gift_cards_client::GiftCardsClient,
    gift_cards_server::{GiftCards, GiftCardsServer},
};
use secrecy::SecretString;
use testing::Database;
use tonic::{Request, Response, Status};
use tracing::subscriber::DefaultGuard;

const OURS: &str = "the-secret-that-all-of-us-should-have";
const OTHER: &str = "the-secret-of-a-forgotten-environment";

/// A service that answers with an empty wallet, or with what another one says.
struct Wallets {
    next: Option<GiftCardsClient<Link>>,
    signed_in: bool,
}

#[tonic::async_trait]
impl GiftCards for Wallets {
    async fn get_wallet(&self, _: Request<GetWalletRequest>) -> Result<Response<Wallet>, Status> {
        if !self.signed_in {
            let refusal = Refusal::new(Code::Unauthenticated, "UNAUTHENTICATED", "Please sign in.");
            return Err(refusal.into());
        }
        match self.next.clone() {
            None => Ok(Response::new(Wallet::default())),
            Some(mut next) => next
                .get_wallet(GetWalletRequest {})
                .await
                .map_err(|status| Refusal::from(Fault::from(status)).into()),
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

/// Everything that is logged on this thread, where a test's server runs too.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn listen(&self) -> DefaultGuard {
        let own = self.clone();
        let written = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_writer(move || own.clone())
            .finish();
        tracing::subscriber::set_default(written)
    }

    /// The lines of level error, in order.
    fn errors(&self) -> Vec<String> {
        let written = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let text = String::from_utf8(written).unwrap();
        assert!(!text.contains(OURS) && !text.contains(OTHER), "{text}");
        text.lines()
            .filter(|line| line.contains("ERROR"))
            .map(str::to_owned)
            .collect()
    }
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn key(secret: &str) -> CallerKey {
    CallerKey::new(&SecretString::from(secret)).unwrap()
}

fn client(own_name: &str, address: SocketAddr, secret: &str) -> GiftCardsClient<Link> {
    let peer = Peer::new(own_name, &format!("http://{address}"), key(secret)).unwrap();
    GiftCardsClient::new(peer.as_service())
}

/// Serves under a secret until the test ends.
async fn serve(database: &Database, process: &Process, secret: &str, wallets: Wallets) -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let server = Server::new(process, key(secret), database.pool.clone()).unwrap();
    let serving = server.add_service(GiftCardsServer::new(wallets)).serve(address);
    process.spawn(async move { serving.await.unwrap() });
    while tokio::net::TcpStream::connect(address).await.is_err() {
        tokio::task::yield_now().await;
    }
    address
}

async fn ask(mut client: GiftCardsClient<Link>) -> Result<Wallet, Refusal> {
    let answer = client.get_wallet(GetWalletRequest {}).await;
    answer
        .map(Response::into_inner)
        .map_err(|status| Fault::from(status).into())
}

const ANSWERS: Wallets = Wallets {
    next: None,
    signed_in: true,
};

async fn stop(process: Process, database: Database) {
    process.shutdown.cancel();
    process.tasks.close();
    process.tasks.wait().await;
    database.drop().await;
}

#[tokio::test]
async fn another_secret_is_an_error_of_ours_that_both_sides_log() {
    let (log, database, process) = (
        Log::default(),
        Database::create(&[]).await,
        Process::detached("gift-cards"),
    );
    let _listening = log.listen();
    let address = serve(&database, &process, OURS, ANSWERS).await;
    assert_eq!(ask(client("gateway", address, OURS)).await, Ok(Wallet::default()));
    assert_eq!(log.errors(), [""; 0]);

    assert_eq!(
        ask(client("gateway", address, OTHER)).await,
        Err(Refusal::internal())
    );
    let errors = log.errors();
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
    stop(process, database).await;
}

#[tokio::test]
async fn another_secret_between_two_services_is_no_question_of_signing_in_either() {
    let (log, database, process) = (
        Log::default(),
        Database::create(&[]).await,
        Process::detached("ordering"),
    );
    let _listening = log.listen();
    let inner = serve(&database, &process, OTHER, ANSWERS).await;
    let next = Some(client("ordering", inner, OURS));
    let outer = serve(&database, &process, OURS, Wallets { next, ..ANSWERS }).await;
    assert_eq!(
        ask(client("gateway", outer, OURS)).await,
        Err(Refusal::internal())
    );
    let of_inner = format!("http://{inner}");
    assert!(log.errors().iter().any(|line| line.contains(&of_inner)));
    let of_outer = format!("http://{outer}");
    assert!(!log.errors().iter().any(|line| line.contains(&of_outer)));
    stop(process, database).await;
}

#[tokio::test]
async fn a_call_without_a_token_is_an_error_of_ours_too() {
    let (log, database, process) = (
        Log::default(),
        Database::create(&[]).await,
        Process::detached("gift-cards"),
    );
    let _listening = log.listen();
    let address = serve(&database, &process, OURS, ANSWERS).await;
    let mut nobody = GiftCardsClient::connect(format!("http://{address}"))
        .await
        .unwrap();
    let status = nobody.get_wallet(GetWalletRequest {}).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unauthenticated);
    assert_eq!(Refusal::from_status(&status), Refusal::internal());
    assert!(log.errors()[0].contains("there is no caller token"));
    drop(nobody);
    stop(process, database).await;
}

#[tokio::test]
async fn who_is_not_signed_in_is_still_told_so() {
    let (log, database, process) = (
        Log::default(),
        Database::create(&[]).await,
        Process::detached("gift-cards"),
    );
    let _listening = log.listen();
    let nobody = Wallets {
        signed_in: false,
        ..ANSWERS
    };
    let address = serve(&database, &process, OURS, nobody).await;
    let refusal = ask(client("gateway", address, OURS)).await.unwrap_err();
    assert_eq!(
        (refusal.code, &*refusal.reason),
        (Code::Unauthenticated, "UNAUTHENTICATED")
    );
    assert_eq!(log.errors(), [""; 0]);
    stop(process, database).await;
}

#[test]
fn a_call_that_no_guard_let_in_is_an_error_of_ours() {
    let status = Caller::of(&Request::new(())).unwrap_err();
    assert_eq!(Refusal::from_status(&status), Refusal::internal());
}
