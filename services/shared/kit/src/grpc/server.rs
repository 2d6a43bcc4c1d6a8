//! gRPC server with health checks, reflection, authenticated services and graceful shutdown.

use std::{convert::Infallible, net::SocketAddr, time::Duration};

use serde::{Deserialize, de::DeserializeOwned};
use sqlx::PgPool;
use tokio::net::TcpListener;
use tonic::{
    body::Body,
    server::NamedService,
    service::{Routes, interceptor::InterceptedService},
};
use tonic_health::ServingStatus;
use tower::Service;

use super::{
    auth::AuthInterceptor, call_metrics::CallMetricsLayer, incoming::Incoming, middleware::CallContextLayer,
};
use crate::{caller::CallerKey, config::between, lifecycle::Process, metrics, postgres};

/// Time for open calls to finish during shutdown.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(20);

/// Number of calls that may be reset before they are accepted. Callers reset a call at its deadline, so a server that
/// was frozen or busy receives hundreds of resets. The default limit of 20 would then close the connections of all
/// callers.
const MAX_PENDING_RESETS: usize = 10_000;

const READINESS_INTERVAL: Duration = Duration::from_secs(2);

#[derive(Debug, Deserialize)]
struct Config {
    /// Maximum number of open connections. Further connections are closed at once.
    #[serde(
        default = "default_connections",
        deserialize_with = "between::<1, 1_000_000, _, _>"
    )]
    max_connections: usize,
}

const fn default_connections() -> usize {
    512
}

/// A gRPC server for callers of type `C`.
#[derive(Debug)]
pub struct Server<C> {
    process: Process,
    auth: AuthInterceptor<C>,
    routes: Routes,
    call_metrics: CallMetricsLayer,
    max_connections: usize,
}

impl<C: DeserializeOwned + Clone + Send + Sync + 'static> Server<C> {
    /// Creates a server with health checks and reflection, which need no caller token. The health status of the service
    /// `""` is readiness: the database responds, no worker keeps panicking, and the process is not draining. Any
    /// response means that the process is live. Caller tokens contain the name of the process.
    ///
    /// `descriptors` is the encoded file descriptor set for reflection.
    ///
    /// # Errors
    /// The descriptors cannot be decoded, or a setting is invalid.
    pub fn new(
        process: &Process,
        key: &CallerKey,
        pool: PgPool,
        descriptors: &'static [u8],
    ) -> anyhow::Result<Self> {
        let config: Config = process.source.read()?;
        let (health, health_service) = tonic_health::server::health_reporter();
        let reflection = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(descriptors)
            .build_v1()?;
        let context = process.clone();
        process.spawn_worker("readiness", move || {
            report_readiness(context.clone(), health.clone(), pool.clone())
        });
        let routes = Routes::new(health_service).add_service(reflection);
        Ok(Self {
            process: process.clone(),
            auth: AuthInterceptor::new(key.verifier(process.name)),
            routes,
            call_metrics: CallMetricsLayer::new(descriptors)?,
            max_connections: config.max_connections,
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
        metrics::serve(&self.process.source).await?;
        tracing::info!(%listen, "serving");
        let shutdown = self.process.shutdown.clone();
        let incoming = Incoming::new(listener, self.max_connections);
        let server = tonic::transport::Server::builder()
            .layer(self.call_metrics)
            .layer(CallContextLayer)
            .http2_keepalive_interval(Some(Duration::from_secs(20)))
            .http2_keepalive_timeout(Some(Duration::from_secs(10)))
            .http2_max_pending_accept_reset_streams(Some(MAX_PENDING_RESETS))
            // Late frames of reset calls count as errors for the lifetime of a connection. The callers are trusted.
            .http2_max_local_error_reset_streams(None)
            .timeout(Duration::from_secs(30))
            .add_routes(self.routes)
            .serve_with_incoming_shutdown(incoming, shutdown.clone().cancelled_owned());
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

async fn report_readiness(process: Process, health: tonic_health::server::HealthReporter, pool: PgPool) {
    loop {
        let ping = tokio::time::timeout(Duration::from_secs(2), postgres::ping(&pool)).await;
        let status = if process.is_ready() && matches!(ping, Ok(Ok(()))) {
            ServingStatus::Serving
        } else {
            ServingStatus::NotServing
        };
        health.set_service_status("", status).await;
        tokio::select! {
            () = tokio::time::sleep(READINESS_INTERVAL) => {}
            () = process.draining.cancelled() => break,
            () = process.shutdown.cancelled() => break,
        }
    }
    health.set_service_status("", ServingStatus::NotServing).await;
}
