//! Exports metrics with OTLP, and serves them in the text format of Prometheus.

use std::{net::SocketAddr, sync::OnceLock};

use anyhow::Context;
use axum::{Router, http::header::CONTENT_TYPE, routing::get};
use opentelemetry::metrics::MeterProvider;
use opentelemetry_otlp::{MetricExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    metrics::{PeriodicReader, SdkMeterProvider},
};
use prometheus::{Registry, TextEncoder};
use serde::Deserialize;
use tokio::net::TcpListener;

use super::METER;
use crate::config::Source;

/// Set if metrics are served for Prometheus.
static REGISTRY: OnceLock<Registry> = OnceLock::new();

#[derive(Debug, Deserialize)]
struct Config {
    #[serde(default)]
    otel_exporter_otlp_endpoint: String,
    #[serde(default)]
    otel_metrics_exporter: OtlpExport,
    /// Address of the HTTP server for Prometheus. No server if empty.
    #[serde(default)]
    metrics_listen: String,
}

impl Config {
    fn endpoint(&self) -> Option<&str> {
        let is_exported =
            self.otel_metrics_exporter == OtlpExport::Otlp && !self.otel_exporter_otlp_endpoint.is_empty();
        is_exported.then_some(self.otel_exporter_otlp_endpoint.as_str())
    }

    fn listen(&self) -> anyhow::Result<Option<SocketAddr>> {
        if self.metrics_listen.is_empty() {
            return Ok(None);
        }
        let listen = self.metrics_listen.parse().with_context(|| {
            let value = &self.metrics_listen;
            format!("bad configuration: METRICS_LISTEN: {value}: expected an address like 127.0.0.1:9464")
        })?;
        Ok(Some(listen))
    }
}

/// For collectors that accept traces only.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum OtlpExport {
    #[default]
    Otlp,
    None,
}

/// Creates the exporters that are configured. Returns `None` if there are none: metrics are then disabled.
///
/// # Errors
/// A setting is invalid.
pub(crate) fn start(name: &'static str, source: &Source) -> anyhow::Result<Option<SdkMeterProvider>> {
    let config: Config = source.read()?;
    let (endpoint, listen) = (config.endpoint(), config.listen()?);
    if endpoint.is_none() && listen.is_none() {
        return Ok(None);
    }
    let resource = Resource::builder().with_service_name(name).build();
    let mut provider = SdkMeterProvider::builder().with_resource(resource);
    if let Some(endpoint) = endpoint {
        let exporter = MetricExporter::builder()
            .with_tonic()
            .with_endpoint(endpoint)
            .build()
            .context(
                "bad configuration: OTEL_EXPORTER_OTLP_ENDPOINT: expected an address like http://host:4317",
            )?;
        provider = provider.with_reader(PeriodicReader::builder(exporter).build());
    }
    if listen.is_some() {
        let registry = Registry::new();
        let exporter = opentelemetry_prometheus::exporter()
            .with_registry(registry.clone())
            .scope_info_enabled(false)
            .build()?;
        provider = provider.with_reader(exporter);
        REGISTRY.get_or_init(|| registry);
    }
    let provider = provider.build();
    METER.get_or_init(|| provider.meter("kit"));
    Ok(Some(provider))
}

/// Serves `/metrics` at `METRICS_LISTEN` until the process ends. Does nothing without that setting. Only `serve` calls
/// it, because other commands of the program would use the same address.
///
/// # Errors
/// The setting is invalid, or the address cannot be bound.
pub async fn serve(source: &Source) -> anyhow::Result<()> {
    let Some(listen) = source.read::<Config>()?.listen()? else {
        return Ok(());
    };
    let listener = TcpListener::bind(listen)
        .await
        .with_context(|| format!("cannot listen on {listen} (METRICS_LISTEN)"))?;
    tracing::info!(listen = %listener.local_addr()?, "serving metrics");
    let router = Router::new().route(
        "/metrics",
        get(|| async { ([(CONTENT_TYPE, prometheus::TEXT_FORMAT)], metrics_text()) }),
    );
    // Not tracked: shutdown does not wait for it, so that metrics can be read while the process drains.
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(%error, "serving metrics failed");
        }
    });
    Ok(())
}

fn metrics_text() -> String {
    let families = REGISTRY.get().map(Registry::gather).unwrap_or_default();
    TextEncoder::new()
        .encode_to_string(&families)
        .unwrap_or_else(|error| {
            tracing::error!(%error, "cannot encode metrics");
            String::new()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(settings: &[(&str, &str)]) -> Config {
        let source = Source::from_environment();
        let source = settings
            .iter()
            .fold(source, |source, (name, value)| source.with(name, value));
        source.read().unwrap()
    }

    #[test]
    fn empty_settings_turn_metrics_off() {
        let config = config(&[("otel_exporter_otlp_endpoint", ""), ("metrics_listen", "")]);
        assert_eq!(config.endpoint(), None);
        assert_eq!(config.listen().unwrap(), None);
    }

    #[test]
    fn metrics_are_not_sent_to_a_collector_for_traces_only() {
        let endpoint = ("otel_exporter_otlp_endpoint", "http://127.0.0.1:4317");
        assert_eq!(config(&[endpoint]).endpoint(), Some(endpoint.1));
        assert_eq!(
            config(&[endpoint, ("otel_metrics_exporter", "none")]).endpoint(),
            None
        );
    }

    #[test]
    fn an_invalid_address_is_named() {
        let error = config(&[("metrics_listen", "9464")]).listen().unwrap_err();
        assert!(error.to_string().contains("METRICS_LISTEN"), "{error}");
    }
}
