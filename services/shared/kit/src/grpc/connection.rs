//! A connection to another process that logs rejected caller tokens.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use http::HeaderMap;
use tonic::{Status, body::Body, transport::Channel};
use tower::Service;

use crate::service_error;

/// A connection to one address.
#[derive(Debug, Clone)]
pub struct Connection {
    channel: Channel,
    address: Arc<str>,
}

impl Connection {
    pub(super) fn new(channel: Channel, address: &str) -> Self {
        Self {
            channel,
            address: address.into(),
        }
    }
}

impl Service<http::Request<Body>> for Connection {
    type Response = http::Response<Body>;
    type Error = tonic::transport::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Service::poll_ready(&mut self.channel, context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let (address, uri) = (Arc::clone(&self.address), request.uri().clone());
        let response = self.channel.call(request);
        Box::pin(async move {
            let response = response.await?;
            log_rejected_token(&address, uri.path(), response.headers());
            Ok(response)
        })
    }
}

/// Logs the rejection here, where the address is known: some callers ignore the error, and the internal error that the
/// others get does not contain the address. A rejected call has no body, so its status is in the headers.
fn log_rejected_token(address: &str, method: &str, headers: &HeaderMap) {
    let error = Status::from_header_map(headers)
        .as_ref()
        .and_then(service_error::rejected_token)
        .map(str::to_owned);
    if let Some(error) = error {
        tracing::error!(
            address,
            method,
            error,
            "caller token rejected by the callee; CALLER_SECRET must be the same in all processes"
        );
    }
}
