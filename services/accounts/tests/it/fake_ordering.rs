//! Fake of ordering, which lists the active orders of every consumer.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use accounts::clients::ordering::Ordering;
use axum::{Router, body::Body, extract::State, response::Response};
use kit::caller::CallerKey;
use prost::Message;
use proto::ordering::v1::{ListOrdersResponse, Order};

#[derive(Debug, Clone)]
pub struct FakeOrdering {
    address: String,
    active_orders: Arc<AtomicUsize>,
}

impl FakeOrdering {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let ordering = Self {
            address: format!("http://{}", listener.local_addr().unwrap()),
            active_orders: Arc::default(),
        };
        let router = Router::new().fallback(respond).with_state(ordering.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        ordering
    }

    pub fn client(&self) -> Ordering {
        client_of(&self.address)
    }

    pub fn set_active_orders(&self, count: usize) {
        self.active_orders.store(count, Relaxed);
    }
}

/// Returns a client of a process at an address that may not respond.
pub fn client_of(address: &str) -> Ordering {
    let key = CallerKey::new(&"a-secret-that-only-these-tests-know".into()).unwrap();
    Ordering::new(address, &key).unwrap()
}

async fn respond(State(ordering): State<FakeOrdering>) -> Response {
    let orders = vec![Order::default(); ordering.active_orders.load(Relaxed)];
    let message = ListOrdersResponse {
        orders,
        ..ListOrdersResponse::default()
    }
    .encode_to_vec();
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    Response::builder()
        .header("content-type", "application/grpc")
        .header("grpc-status", "0")
        .body(Body::from([&[0][..], &length, &message].concat()))
        .unwrap()
}
