//! All six services at one address, answering each method as a test says; what it does not mention is away.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use bytes::Bytes;
use futures::stream;
use http::{HeaderMap, HeaderValue};
use http_body_util::StreamBody;
use hyper::body::Frame;
use callers::Caller;
use kit::ServiceError;
use kit::caller::CallerKey;
use prost::Message;
use secrecy::SecretString;
use tonic::Status;

/// What signs callers in these tests.
pub const CALLER_SECRET: &str = "a-secret-that-only-these-tests-know";

type Reply = Arc<dyn Fn(&[u8]) -> Result<Vec<u8>, Status> + Send + Sync>;

/// A call that arrived.
#[derive(Debug, Clone)]
pub struct Seen {
    pub method: String,
    pub caller: Caller,
    pub correlation_id: String,
    body: Bytes,
}

impl Seen {
    pub fn decode<Q: Message + Default>(&self) -> Q {
        Q::decode(self.body.clone()).unwrap()
    }
}

#[derive(Default)]
struct Script {
    replies: HashMap<String, Reply>,
    seen: Vec<Seen>,
}

#[derive(Clone)]
pub struct Services {
    pub address: SocketAddr,
    script: Arc<Mutex<Script>>,
}

impl Services {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let services = Self {
            address: listener.local_addr().unwrap(),
            script: Arc::default(),
        };
        let router = Router::new().fallback(reply).with_state(services.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        services
    }

    /// From now on a method answers so.
    pub fn on<Q, A>(&self, method: &str, reply: impl Fn(Q) -> Result<A, Status> + Send + Sync + 'static)
    where
        Q: Message + Default,
        A: Message,
    {
        let reply: Reply =
            Arc::new(move |body| reply(Q::decode(body).unwrap()).map(|answer| answer.encode_to_vec()));
        self.script
            .lock()
            .unwrap()
            .replies
            .insert(method.to_owned(), reply);
    }

    /// The calls of a method that arrived.
    pub fn seen(&self, method: &str) -> Vec<Seen> {
        self.script
            .lock()
            .unwrap()
            .seen
            .iter()
            .filter(|seen| seen.method == method)
            .cloned()
            .collect()
    }
}

async fn reply(State(services): State<Services>, request: Request) -> Response {
    let method = request.uri().path().rsplit('/').next().unwrap().to_owned();
    let (head, body) = request.into_parts();
    let header = |name: &str| {
        head.headers
            .get(name)
            .map(|value| value.to_str().unwrap().to_owned())
            .unwrap_or_default()
    };
    let key = CallerKey::new(&SecretString::from(CALLER_SECRET)).unwrap();
    let token = header("authorization");
    let caller = match key.verify(token.strip_prefix("Bearer ").unwrap()) {
        Ok(caller) => caller,
        Err(why) => return Status::from(ServiceError::from(why)).into_http(),
    };
    let correlation_id = header("x-correlation-id");
    let body = axum::body::to_bytes(body, 10_000_000).await.unwrap().slice(5..);
    let reply = {
        let mut script = services.script.lock().unwrap();
        script.seen.push(Seen {
            method: method.clone(),
            caller,
            correlation_id,
            body: body.clone(),
        });
        script.replies.get(&method).cloned()
    };
    match reply.map_or_else(|| Err(Status::unavailable("away")), |reply| reply(&body)) {
        Ok(message) => succeed(&message),
        Err(status) => status.into_http(),
    }
}

fn succeed(message: &[u8]) -> Response {
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
