//! Fake of all six services at one address. A method without a reply is unavailable.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::{self, Request};
use axum::response::Response;
use bytes::Bytes;
use callers::Caller;
use futures::stream;
use http::{HeaderMap, HeaderValue};
use http_body_util::StreamBody;
use hyper::body::Frame;
use kit::ServiceError;
use kit::caller::CallerKey;
use prost::Message;
use secrecy::SecretString;
use tokio::sync::Semaphore;
use tonic::Status;

/// Secret with which the gateway under test signs callers.
pub const CALLER_SECRET: &str = "a-secret-that-only-these-tests-know";

/// Sent while a call is held for longer than a second.
const HEALTH_CHECK: &str = "/grpc.health.v1.Health/Check";
/// The response `HealthCheckResponse { status: SERVING }`.
const SERVING: &[u8] = &[8, 1];

type Reply = Arc<dyn Fn(&[u8]) -> Result<Vec<u8>, Status> + Send + Sync>;

#[derive(Debug, Clone)]
pub struct ReceivedCall {
    pub method: String,
    pub caller: Caller,
    pub correlation_id: String,
    body: Bytes,
}

impl ReceivedCall {
    pub fn decode<Q: Message + Default>(&self) -> Q {
        Q::decode(self.body.clone()).unwrap()
    }
}

#[derive(Default)]
struct State {
    replies: HashMap<String, Reply>,
    held: HashMap<String, Arc<Semaphore>>,
    calls: Vec<ReceivedCall>,
}

#[derive(Clone)]
pub struct FakeServices {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl FakeServices {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let services = Self {
            address: listener.local_addr().unwrap(),
            state: Arc::default(),
        };
        let router = Router::new().fallback(reply).with_state(services.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        services
    }

    /// Sets the reply of a method, replacing the previous one.
    pub fn on<Q, R>(&self, method: &str, reply: impl Fn(Q) -> Result<R, Status> + Send + Sync + 'static)
    where
        Q: Message + Default,
        R: Message,
    {
        let reply: Reply =
            Arc::new(move |body| reply(Q::decode(body).unwrap()).map(|response| response.encode_to_vec()));
        self.state
            .lock()
            .unwrap()
            .replies
            .insert(method.to_owned(), reply);
    }

    /// Makes the replies of a method wait until the semaphore is closed.
    pub fn hold(&self, method: &str) -> Arc<Semaphore> {
        let held = Arc::new(Semaphore::new(0));
        let mut state = self.state.lock().unwrap();
        state.held.insert(method.to_owned(), Arc::clone(&held));
        held
    }

    /// Returns the calls of a method.
    pub fn calls(&self, method: &str) -> Vec<ReceivedCall> {
        self.state
            .lock()
            .unwrap()
            .calls
            .iter()
            .filter(|call| call.method == method)
            .cloned()
            .collect()
    }
}

/// Returns the service of a path such as `/orderahead.giftcards.v1.GiftCards/GetWallet`.
fn service_name(path: &str) -> String {
    match path.split('.').nth(1).unwrap() {
        "giftcards" => "gift-cards".to_owned(),
        name => name.to_owned(),
    }
}

async fn reply(extract::State(services): extract::State<FakeServices>, request: Request) -> Response {
    if request.uri().path() == HEALTH_CHECK {
        return grpc_response(SERVING);
    }
    let method = request.uri().path().rsplit('/').next().unwrap().to_owned();
    let callee = service_name(request.uri().path());
    let (head, body) = request.into_parts();
    let header = |name: &str| {
        head.headers
            .get(name)
            .map(|value| value.to_str().unwrap().to_owned())
            .unwrap_or_default()
    };
    let key = CallerKey::new(&SecretString::from(CALLER_SECRET)).unwrap();
    let token = header("authorization");
    let verifier = key.verifier(&callee);
    let caller = match verifier.verify(token.strip_prefix("Bearer ").unwrap()) {
        Ok(caller) => caller,
        Err(error) => return Status::from(ServiceError::from(error)).into_http(),
    };
    let correlation_id = header("x-correlation-id");
    let body = axum::body::to_bytes(body, 10_000_000).await.unwrap().slice(5..);
    let (reply, held) = {
        let mut state = services.state.lock().unwrap();
        state.calls.push(ReceivedCall {
            method: method.clone(),
            caller,
            correlation_id,
            body: body.clone(),
        });
        (
            state.replies.get(&method).cloned(),
            state.held.get(&method).cloned(),
        )
    };
    if let Some(held) = held {
        // An error means that it is closed.
        let _ = held.acquire().await;
    }
    match reply.map_or_else(|| Err(Status::unavailable("no reply set")), |reply| reply(&body)) {
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
    let frames = [
        Ok::<_, Infallible>(Frame::data(Bytes::from(framed))),
        Ok(Frame::trailers(trailers)),
    ];
    let mut response = Response::new(Body::new(StreamBody::new(stream::iter(frames))));
    response
        .headers_mut()
        .insert("content-type", HeaderValue::from_static("application/grpc"));
    response
}
