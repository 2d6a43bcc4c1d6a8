//! Logs and traces. JSON outside development; OTLP only when an endpoint is configured, and nothing is slowed when
//! none is.

use opentelemetry::{global, propagation::TextMapPropagator, trace::TracerProvider as _};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::{Resource, propagation::TraceContextPropagator, trace::SdkTracerProvider};
use serde::Deserialize;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{EnvFilter, Layer, layer::SubscriberExt, util::SubscriberInitExt};

use crate::config::Source;

#[derive(Debug, Deserialize)]
struct Config {
    #[serde(default = "pretty")]
    log_format: LogFormat,
    #[serde(default = "usual_filter")]
    rust_log: String,
    #[serde(default)]
    otel_exporter_otlp_endpoint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LogFormat {
    Json,
    Pretty,
}

const fn pretty() -> LogFormat {
    LogFormat::Pretty
}

fn usual_filter() -> String {
    "info,lapin=warn,sqlx=warn,hyper=warn,h2=warn,tower=warn".to_owned()
}

/// Keeps the exporter; flush it before the process ends.
#[derive(Debug)]
pub struct Telemetry(Option<SdkTracerProvider>);

impl Telemetry {
    /// Sends what is still in memory.
    pub fn flush(&self) {
        if let Some(Err(error)) = self.0.as_ref().map(SdkTracerProvider::shutdown) {
            eprintln!("traces not flushed: {error}");
        }
    }
}

/// Starts logging and, where an endpoint is configured, tracing.
///
/// # Errors
/// A bad setting, or an exporter that cannot be built.
pub fn start(name: &'static str, source: &Source) -> anyhow::Result<Telemetry> {
    let config: Config = source.read()?;
    let filter = EnvFilter::try_new(&config.rust_log)
        .map_err(|error| anyhow::anyhow!("bad configuration: RUST_LOG: {error}"))?;
    let log = match config.log_format {
        LogFormat::Json => tracing_subscriber::fmt::layer()
            .json()
            .flatten_event(true)
            .boxed(),
        LogFormat::Pretty => tracing_subscriber::fmt::layer()
            .compact()
            .with_target(false)
            .boxed(),
    };
    let provider = config
        .otel_exporter_otlp_endpoint
        .filter(|endpoint| !endpoint.is_empty())
        .map(|endpoint| provider(name, &endpoint))
        .transpose()?;
    let traces = provider.as_ref().map(|provider| {
        global::set_text_map_propagator(TraceContextPropagator::new());
        tracing_opentelemetry::layer().with_tracer(provider.tracer(name))
    });
    tracing_subscriber::registry()
        .with(filter)
        .with(log)
        .with(traces)
        .init();
    Ok(Telemetry(provider))
}

fn provider(name: &'static str, endpoint: &str) -> anyhow::Result<SdkTracerProvider> {
    let exporter = SpanExporter::builder()
        .with_tonic()
        .with_endpoint(endpoint)
        .build()?;
    let resource = Resource::builder().with_service_name(name).build();
    Ok(SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource)
        .build())
}

/// The W3C `traceparent` of the current span; none while tracing is off.
#[must_use]
pub fn trace_parent() -> Option<String> {
    let mut carrier = std::collections::HashMap::new();
    let context = tracing::Span::current().context();
    TraceContextPropagator::new().inject_context(&context, &mut carrier);
    carrier.remove("traceparent")
}

/// Makes a span a child of a `traceparent` from outside.
pub fn set_parent(span: &tracing::Span, trace_parent: Option<&str>) {
    if let Some(context) = trace_parent.and_then(remote_context) {
        // Fails only where no tracing layer listens: then there is nothing to join.
        let _unheard = span.set_parent(context);
    }
}

/// Links a span to the trace that caused it.
pub fn link(span: &tracing::Span, trace_parent: Option<&str>) {
    use opentelemetry::trace::TraceContextExt;
    if let Some(context) = trace_parent.and_then(remote_context) {
        span.add_link(context.span().span_context().clone());
    }
}

fn remote_context(trace_parent: &str) -> Option<opentelemetry::Context> {
    use opentelemetry::trace::TraceContextExt;
    let carrier = std::collections::HashMap::from([("traceparent".to_owned(), trace_parent.to_owned())]);
    let context = TraceContextPropagator::new().extract(&carrier);
    context.span().span_context().is_valid().then_some(context)
}
