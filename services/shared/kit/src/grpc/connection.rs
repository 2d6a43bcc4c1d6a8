//! The connection to a peer, which says so where the peer does not take our word for who calls.

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
        let answering = self.channel.call(request);
        Box::pin(async move {
            let response = answering.await?;
            report(&address, uri.path(), response.headers());
            Ok(response)
        })
    }
}

/// Said here, where it is known whom we called: some callers go on without what they asked for, and what it becomes for
/// the others names nobody. A refused call has its status in the headers, as it has no body.
fn report(peer: &str, method: &str, headers: &HeaderMap) {
    let why = Status::from_header_map(headers)
        .as_ref()
        .and_then(service_error::caller_refused)
        .map(str::to_owned);
    if let Some(why) = why {
        tracing::error!(
            peer,
            method,
            why,
            "peer does not take our caller token; CALLER_SECRET has to be the same in all processes"
        );
    }
}
