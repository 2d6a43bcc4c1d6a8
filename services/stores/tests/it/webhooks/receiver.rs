//! An HTTP server that receives webhooks as a company's server does.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{Router, body::Bytes, extract::State, http::HeaderMap, http::StatusCode, routing::post};
use standardwebhooks::Webhook;
use tokio::{
    net::TcpListener,
    sync::{OwnedRwLockWriteGuard, RwLock},
};

#[derive(Debug, Clone)]
pub struct Received {
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Received {
    pub fn id(&self) -> &str {
        self.headers["webhook-id"].to_str().unwrap()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Returns whether the library accepts the signature. The clock of the service must be the present time.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        Webhook::new(secret)
            .unwrap()
            .verify(&self.body, &self.headers)
            .is_ok()
    }
}

#[derive(Debug, Default)]
struct Inner {
    received: Mutex<Vec<Received>>,
    /// Responses of the next requests; then 204.
    responses: Mutex<VecDeque<(StatusCode, Duration)>>,
    /// Each response reads it.
    gate: Arc<RwLock<()>>,
}

#[derive(Debug, Clone)]
pub struct Receiver {
    pub url: String,
    inner: Arc<Inner>,
}

async fn receive(
    State(inner): State<Arc<Inner>>,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, HeaderMap) {
    inner.received.lock().unwrap().push(Received { headers, body });
    let next = inner.responses.lock().unwrap().pop_front();
    let (status, delay) = next.unwrap_or((StatusCode::NO_CONTENT, Duration::ZERO));
    tokio::time::sleep(delay).await;
    let _open = inner.gate.read().await;
    let location = HeaderMap::from_iter([("location".parse().unwrap(), "/hook".parse().unwrap())]);
    (status, location)
}

impl Receiver {
    pub async fn start() -> Self {
        let inner = Arc::new(Inner::default());
        let router = Router::new()
            .route("/hook", post(receive))
            .with_state(Arc::clone(&inner));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, inner }
    }

    pub fn respond_next(&self, status: StatusCode, delay: Duration) {
        self.inner.responses.lock().unwrap().push_back((status, delay));
    }

    /// Responds to no request until the guard is dropped.
    pub async fn hold(&self) -> OwnedRwLockWriteGuard<()> {
        Arc::clone(&self.inner.gate).write_owned().await
    }

    /// Returns the requests so far.
    pub fn received(&self) -> Vec<Received> {
        self.inner.received.lock().unwrap().clone()
    }
}
