//! Fakes of the services that ordering calls, all at one address. A method without a configured reply is unavailable.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{self, Request},
    http::{HeaderMap, HeaderValue},
    response::Response,
};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use kit::ServiceError;
use prost::Message;
use proto::{
    giftcards::v1 as gift_cards,
    payments::v1::{Charge, ChargeState, CheckDebtsResponse, PaymentMethod},
    rewards::v1 as rewards,
    stores::v1 as stores,
    values::v1::Money,
};
use tokio::sync::{Semaphore, watch};
use tonic::Status;
use types::StoreId;

/// The company of the store.
pub const COMPANY_ID: &str = "cmp_01h455vb4pex5vsknk084sn02q";

/// The secret of each charge.
pub const CLIENT_SECRET: &str = "pi_1_secret_1";

type Reply = Arc<dyn Fn(&[u8]) -> Result<Vec<u8>, Status> + Send + Sync>;

/// Calls of the blocked method wait until this is dropped.
pub struct Held {
    gate: Arc<Semaphore>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.gate.add_permits(Semaphore::MAX_PERMITS / 2);
    }
}

#[derive(Clone)]
pub struct FakeServices {
    pub address: SocketAddr,
    replies: Arc<Mutex<HashMap<String, Reply>>>,
    gates: Arc<Mutex<HashMap<String, Arc<Semaphore>>>>,
    /// Names of the called methods, in the order of arrival.
    calls: watch::Sender<Vec<String>>,
}

impl FakeServices {
    /// Starts services that accept every order: a line costs 950 cents, and the order is ready in ten minutes.
    pub async fn start(store_id: StoreId, ready_at: jiff::Timestamp) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let services = Self {
            address: listener.local_addr().unwrap(),
            replies: Arc::default(),
            gates: Arc::default(),
            calls: watch::Sender::new(Vec::new()),
        };
        let router = Router::new().fallback(reply).with_state(services.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        services.on_price(store_id, ready_at, 950);
        services.on("GetPaymentMethod", || PaymentMethod {
            r#type: "card".into(),
            ..PaymentMethod::default()
        });
        services.on("ClaimDiscount", || rewards::Discount {
            amount: Some(usd(0)),
            ..rewards::Discount::default()
        });
        services.on("PriceDiscount", || rewards::Discount {
            amount: Some(usd(0)),
            ..rewards::Discount::default()
        });
        services.on("ReserveCapacity", move || stores::Reservation {
            ready_at: ready_at.to_string(),
            start_at: ready_at.to_string(),
            ..stores::Reservation::default()
        });
        services.on("HoldValue", gift_cards::Hold::default);
        services.on("CloseHold", gift_cards::Hold::default);
        services.on("CloseClaim", rewards::CloseClaimResponse::default);
        services.on("ReleaseCapacity", stores::ReleaseCapacityResponse::default);
        services.on("CheckDebts", CheckDebtsResponse::default);
        services.on_charge("AuthorizeCharge", ChargeState::Authorized);
        services.on_charge("RefreshCharge", ChargeState::Authorized);
        services.on_charge("CloseCharge", ChargeState::Closed);
        services
    }

    /// Sets the price of every line.
    pub fn on_price(&self, store_id: StoreId, ready_at: jiff::Timestamp, cents: i64) {
        self.on("ResolveLines", move || {
            let mut store = stores::Store {
                store_id: store_id.to_string(),
                company_id: COMPANY_ID.into(),
                time_zone: "America/Los_Angeles".into(),
                ..stores::Store::default()
            };
            store.set_open_state(stores::OpenState::Open);
            stores::ResolveLinesResponse {
                store: Some(store),
                lines: vec![stores::ResolvedLine {
                    line_id: "1".into(),
                    kind: "drink".into(),
                    art: "{}".into(),
                    quantity: 1,
                    unit_price: Some(usd(cents)),
                    ..stores::ResolvedLine::default()
                }],
                make_seconds: 120,
                ready_at: ready_at.to_string(),
                ..stores::ResolveLinesResponse::default()
            }
        });
    }

    pub fn on_charge(&self, method: &str, state: ChargeState) {
        self.on(method, move || Charge {
            state: state.into(),
            client_secret: CLIENT_SECRET.into(),
            decline_reason: "CARD_DECLINED".into(),
            decline_message: "Your card was declined.".into(),
            ..Charge::default()
        });
    }

    /// Sets the reply of a method, replacing the previous one.
    pub fn on<R: Message>(&self, method: &str, reply: impl Fn() -> R + Send + Sync + 'static) {
        let reply: Reply = Arc::new(move |_| Ok(reply().encode_to_vec()));
        self.replies.lock().unwrap().insert(method.to_owned(), reply);
    }

    /// Sets the reply of a method, which depends on the request.
    pub fn on_request<Q: Message + Default, R: Message>(
        &self,
        method: &str,
        reply: impl Fn(Q) -> R + Send + Sync + 'static,
    ) {
        let reply: Reply = Arc::new(move |request| {
            let request = Q::decode(request).map_err(|error| Status::internal(error.to_string()))?;
            Ok(reply(request).encode_to_vec())
        });
        self.replies.lock().unwrap().insert(method.to_owned(), reply);
    }

    /// Lets a method fail.
    pub fn on_error(&self, method: &str, error: impl Fn() -> ServiceError + Send + Sync + 'static) {
        let reply: Reply = Arc::new(move |_| Err(error().into()));
        self.replies.lock().unwrap().insert(method.to_owned(), reply);
    }

    /// Blocks calls of a method.
    pub fn hold(&self, method: &str) -> Held {
        let gate = Arc::new(Semaphore::new(0));
        self.gates.lock().unwrap().insert(method.to_owned(), gate.clone());
        Held { gate }
    }

    pub fn count(&self, method: &str) -> usize {
        self.calls.borrow().iter().filter(|call| *call == method).count()
    }

    /// Waits until a method has been called this many times.
    pub async fn wait_for_calls(&self, method: &str, count: usize) {
        let mut calls = self.calls.subscribe();
        let reached = calls.wait_for(|calls| calls.iter().filter(|call| *call == method).count() >= count);
        tokio::time::timeout(Duration::from_secs(20), reached)
            .await
            .unwrap_or_else(|_| panic!("{method} was not called {count} times"))
            .unwrap();
    }
}

pub fn usd(cents: i64) -> Money {
    Money {
        minor_units: cents,
        currency: "usd".into(),
    }
}

async fn reply(extract::State(services): extract::State<FakeServices>, request: Request) -> Response {
    let method = request.uri().path().rsplit('/').next().unwrap().to_owned();
    let body = axum::body::to_bytes(request.into_body(), 10_000_000)
        .await
        .unwrap();
    services.calls.send_modify(|calls| calls.push(method.clone()));
    let gate = services.gates.lock().unwrap().get(&method).cloned();
    if let Some(gate) = gate {
        drop(gate.acquire().await.unwrap());
    }
    let reply = services.replies.lock().unwrap().get(&method).cloned();
    match reply.map_or_else(
        || Err(Status::unavailable("no reply set")),
        |reply| reply(&body[5..]),
    ) {
        Ok(message) => grpc_response(&message),
        Err(status) => status.into_http(),
    }
}

fn grpc_response(message: &[u8]) -> Response {
    let mut framed = vec![0];
    framed.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    framed.extend(message);
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from_static("0"));
    let body = Full::new(Bytes::from(framed)).with_trailers(async move { Some(Ok(trailers)) });
    let mut response = Response::new(Body::new(body));
    response
        .headers_mut()
        .insert("content-type", HeaderValue::from_static("application/grpc"));
    response
}
