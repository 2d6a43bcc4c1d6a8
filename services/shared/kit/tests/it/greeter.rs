//! A minimal gRPC service with one unary method, written by hand because this crate has no contracts.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use futures::{FutureExt, future::BoxFuture};
use http::uri::PathAndQuery;
use kit::{InternalError, ServiceError, grpc::ClientChannel};
use tonic::{
    Request, Response, Status,
    body::Body,
    server::{NamedService, UnaryService},
};
use tonic_prost::ProstCodec;
use tower::Service;

pub const METHOD: &str = "/test.Greeter/Greet";

type Greet = Arc<dyn Fn() -> BoxFuture<'static, Result<String, Status>> + Send + Sync>;

#[derive(Clone)]
pub struct Greeter(Greet);

impl Greeter {
    pub fn responding(result: Result<String, ServiceError>) -> Self {
        Self(Arc::new(move || {
            let result = result.clone().map_err(Status::from);
            async move { result }.boxed()
        }))
    }

    /// Creates a service that responds after a delay.
    pub fn delayed(delay: Duration) -> Self {
        Self(Arc::new(move || {
            async move {
                tokio::time::sleep(delay).await;
                Ok("hello".to_owned())
            }
            .boxed()
        }))
    }

    /// Creates a service that responds with its name after a delay, and counts its calls.
    pub fn named(name: &'static str, delay: Duration, calls: Arc<AtomicUsize>) -> Self {
        Self(Arc::new(move || {
            calls.fetch_add(1, Ordering::SeqCst);
            async move {
                tokio::time::sleep(delay).await;
                Ok(name.to_owned())
            }
            .boxed()
        }))
    }

    /// Creates a service that calls another greeter and returns its response.
    pub fn forwarding_to(channel: ClientChannel) -> Self {
        Self(Arc::new(move || {
            let call = greet(channel.clone());
            async move { call.await.map_err(Status::from) }.boxed()
        }))
    }
}

impl NamedService for Greeter {
    const NAME: &'static str = "test.Greeter";
}

impl UnaryService<String> for Greeter {
    type Response = String;
    type Future = BoxFuture<'static, Result<Response<String>, Status>>;

    fn call(&mut self, _: Request<String>) -> Self::Future {
        (self.0)().map(|result| result.map(Response::new)).boxed()
    }
}

impl Service<http::Request<Body>> for Greeter {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let greeter = self.clone();
        async move {
            let codec = ProstCodec::<String, String>::default();
            Ok(tonic::server::Grpc::new(codec).unary(greeter, request).await)
        }
        .boxed()
    }
}

/// Calls a greeter as this crate's clients do.
pub async fn greet(channel: ClientChannel) -> Result<String, ServiceError> {
    call(tonic::client::Grpc::new(channel))
        .await
        .map_err(|status| InternalError::from(status).into())
}

/// As [`greet`], with a timeout other than the default one.
pub async fn greet_within(timeout: Duration, channel: ClientChannel) -> Result<String, ServiceError> {
    let mut request = Request::new(String::new());
    request.set_timeout(timeout);
    send(tonic::client::Grpc::new(channel), request)
        .await
        .map_err(|status| InternalError::from(status).into())
}

pub async fn call<C>(client: tonic::client::Grpc<C>) -> Result<String, Status>
where
    C: tonic::client::GrpcService<Body>,
    C::ResponseBody: tonic::codegen::Body<Data = tonic::codegen::Bytes> + Send + 'static,
    <C::ResponseBody as tonic::codegen::Body>::Error: Into<tonic::codegen::StdError> + Send,
{
    send(client, Request::new(String::new())).await
}

async fn send<C>(mut client: tonic::client::Grpc<C>, request: Request<String>) -> Result<String, Status>
where
    C: tonic::client::GrpcService<Body>,
    C::ResponseBody: tonic::codegen::Body<Data = tonic::codegen::Bytes> + Send + 'static,
    <C::ResponseBody as tonic::codegen::Body>::Error: Into<tonic::codegen::StdError> + Send,
{
    client
        .ready()
        .await
        .map_err(|_| Status::unavailable("not ready"))?;
    let codec = ProstCodec::<String, String>::default();
    client
        .unary(request, PathAndQuery::from_static(METHOD), codec)
        .await
        .map(Response::into_inner)
}
