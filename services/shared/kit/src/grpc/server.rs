//! gRPC server with health checks, reflection, authenticated services and graceful shutdown.

use std::{convert::Infallible, net::SocketAddr, time::Duration};

use serde::de::DeserializeOwned;
use sqlx::PgPool;
use tokio::net::TcpListener;
use tonic::{
    body::Body,
    server::NamedService,
    service::{Routes, interceptor::InterceptedService},
    transport::server::TcpIncoming,
};
use tonic_health::ServingStatus;
use tower::Service;

use super::{auth::AuthInterceptor, middleware::CallContextLayer};
use crate::{caller::CallerKey, lifecycle::Process, postgres};

/// Time for open calls to finish during shutdown.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);

/// Number of calls that may be reset before they are accepted. A caller resets a call at its deadline, so that a server
/// that was frozen or busy finds hundreds of them; the default of 20 would close the connection of all callers.
const MAX_PENDING_RESETS: usize = 10_000;

/// A gRPC server for callers of type `C`.
#[derive(Debug)]
pub struct Server<C> {
    process: Process,
    auth: AuthInterceptor<C>,
    routes: Routes,
    health: tonic_health::server::HealthReporter,
}

impl<C: DeserializeOwned + Clone + Send + Sync + 'static> Server<C> {
    /// Creates a server with health checks and reflection, which need no caller token. The health status of the service
    /// `""` is readiness: the database responds. Any response at all means that the process is live.
    ///
    /// `descriptors` is the encoded file descriptor set for reflection.
    ///
    /// # Errors
    /// The descriptors cannot be decoded.
    pub fn new(
        process: &Process,
        key: CallerKey,
        pool: PgPool,
        descriptors: &'static [u8],
    ) -> anyhow::Result<Self> {
        let (health, health_service) = tonic_health::server::health_reporter();
        let reflection = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(descriptors)
            .build_v1()?;
        let (context, reporter) = (process.clone(), health.clone());
        process.spawn_worker("readiness", move || {
            report_readiness(context.clone(), reporter.clone(), pool.clone())
        });
        let routes = Routes::new(health_service).add_service(reflection);
        Ok(Self {
            process: process.clone(),
            auth: AuthInterceptor::new(key),
            routes,
            health,
        })
    }

    /// Adds a service. All its methods require a caller token.
    #[must_use]
    pub fn add_service<S>(mut self, service: S) -> Self
    where
        S: Service<http::Request<Body>, Error = Infallible, Response = http::Response<Body>>
            + NamedService
            + Clone
            + Send
            + Sync
            + 'static,
        S::Future: Send + 'static,
    {
        self.routes = self
            .routes
            .add_service(InterceptedService::new(service, self.auth.clone()));
        self
    }

    /// Serves until shutdown, then waits for open calls.
    ///
    /// # Errors
    /// The address cannot be bound.
    pub async fn serve(self, listen: SocketAddr) -> anyhow::Result<()> {
        let listener = TcpListener::bind(listen)
            .await
            .map_err(|error| anyhow::anyhow!("cannot listen on {listen} (LISTEN): {error}"))?;
        tracing::info!(%listen, "serving");
        let shutdown = self.process.shutdown.clone();
        let health = self.health.clone();
        let stop = shutdown.clone();
        let server = tonic::transport::Server::builder()
            .layer(CallContextLayer)
            .http2_keepalive_interval(Some(Duration::from_secs(20)))
            .http2_keepalive_timeout(Some(Duration::from_secs(10)))
            .http2_max_pending_accept_reset_streams(Some(MAX_PENDING_RESETS))
            // Late frames of reset calls count as errors for the lifetime of a connection. The callers are trusted.
            .http2_max_local_error_reset_streams(None)
            .timeout(Duration::from_secs(30))
            .add_routes(self.routes)
            .serve_with_incoming_shutdown(incoming(listener), async move {
                stop.cancelled().await;
                health.set_service_status("", ServingStatus::NotServing).await;
            });
        let mut server = std::pin::pin!(server);
        tokio::select! {
            result = &mut server => return Ok(result?),
            () = shutdown.cancelled() => {}
        }
        match tokio::time::timeout(DRAIN_TIMEOUT, server).await {
            Ok(result) => Ok(result?),
            Err(_) => {
                tracing::warn!("open calls dropped at shutdown");
                Ok(())
            }
        }
    }
}

/// Accepts connections that send responses at once. The builder's `tcp_nodelay` applies only to listeners that tonic
/// binds itself; without the option, a response of several segments waits up to 40 ms for a delayed acknowledgment.
fn incoming(listener: TcpListener) -> TcpIncoming {
    TcpIncoming::from(listener).with_nodelay(Some(true))
}

async fn report_readiness(process: Process, health: tonic_health::server::HealthReporter, pool: PgPool) {
    loop {
        let ping = tokio::time::timeout(Duration::from_secs(2), postgres::ping(&pool)).await;
        let status = if matches!(ping, Ok(Ok(()))) {
            ServingStatus::Serving
        } else {
            ServingStatus::NotServing
        };
        health.set_service_status("", status).await;
        if !process.sleep(Duration::from_secs(2)).await {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpStream;
    use tokio_stream::StreamExt;

    use super::*;

    #[tokio::test]
    async fn accepted_connections_send_small_segments_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let accepted = incoming(listener).next().await.unwrap().unwrap();
        assert!(accepted.nodelay().unwrap());
    }
}
