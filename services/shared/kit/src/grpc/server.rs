//! A gRPC server as all our services run it: health, reflection, guarded calls, orderly end.

use std::{convert::Infallible, net::SocketAddr, time::Duration};

use sqlx::PgPool;
use tonic::{
    body::Body,
    server::NamedService,
    service::{Routes, interceptor::InterceptedService},
};
use tonic_health::ServingStatus;
use tower::Service;

use super::calls::{AuthInterceptor, Calls};
use crate::{caller::CallerKey, lifecycle::Process};

/// How long an orderly end waits for open calls before it drops them.
const DRAIN: Duration = Duration::from_secs(10);

/// A server in the making.
#[derive(Debug)]
pub struct Server {
    process: Process,
    guard: AuthInterceptor,
    routes: Routes,
    health: tonic_health::server::HealthReporter,
}

impl Server {
    /// A server with health and reflection, which need no caller. Ready (`""` in the health service) means: its own
    /// database answers. Live means: the process answers at all.
    ///
    /// # Errors
    /// Descriptors that cannot be read.
    pub fn new(process: &Process, key: CallerKey, pool: PgPool) -> anyhow::Result<Self> {
        let (health, health_service) = tonic_health::server::health_reporter();
        let reflection = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(proto::DESCRIPTORS)
            .build_v1()?;
        process.spawn(report_readiness(process.clone(), health.clone(), pool));
        let routes = Routes::new(health_service).add_service(reflection);
        Ok(Self {
            process: process.clone(),
            guard: AuthInterceptor(key),
            routes,
            health,
        })
    }

    /// Adds a service whose calls all need a caller.
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
            .add_service(InterceptedService::new(service, self.guard.clone()));
        self
    }

    /// Serves until the process is told to stop, then finishes the open calls.
    ///
    /// # Errors
    /// An address that cannot be listened on.
    pub async fn serve(self, listen: SocketAddr) -> anyhow::Result<()> {
        let listener = tokio::net::TcpListener::bind(listen)
            .await
            .map_err(|error| anyhow::anyhow!("cannot listen on {listen} (LISTEN): {error}"))?;
        tracing::info!(%listen, "serving");
        let shutdown = self.process.shutdown.clone();
        let health = self.health.clone();
        let told = shutdown.clone();
        let serving = tonic::transport::Server::builder()
            .layer(Calls)
            .http2_keepalive_interval(Some(Duration::from_secs(20)))
            .http2_keepalive_timeout(Some(Duration::from_secs(10)))
            .tcp_nodelay(true)
            .timeout(Duration::from_secs(30))
            .add_routes(self.routes)
            .serve_with_incoming_shutdown(
                tokio_stream::wrappers::TcpListenerStream::new(listener),
                async move {
                    told.cancelled().await;
                    health.set_service_status("", ServingStatus::NotServing).await;
                },
            );
        let mut serving = std::pin::pin!(serving);
        tokio::select! {
            ended = &mut serving => return Ok(ended?),
            () = shutdown.cancelled() => {}
        }
        match tokio::time::timeout(DRAIN, serving).await {
            Ok(ended) => Ok(ended?),
            Err(_) => {
                tracing::warn!("open calls were dropped at the end");
                Ok(())
            }
        }
    }
}

async fn report_readiness(process: Process, health: tonic_health::server::HealthReporter, pool: PgPool) {
    loop {
        let question =
            tokio::time::timeout(Duration::from_secs(2), sqlx::query("SELECT 1").execute(&pool)).await;
        let status = if matches!(question, Ok(Ok(_))) {
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
