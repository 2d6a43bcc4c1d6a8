//! Logs, traces and metrics. Logs are text in development and JSON elsewhere. Traces and metrics are exported only if
//! an OTLP endpoint is configured, and disabled otherwise; see [`crate::metrics`] for Prometheus.

use std::io::IsTerminal;

use opentelemetry::{propagation::TextMapPropagator, trace::TracerProvider as _};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource, error::OTelSdkResult, metrics::SdkMeterProvider, propagation::TraceContextPropagator,
    trace::SdkTracerProvider,
};
use serde::Deserialize;
use tracing::Dispatch;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{
    EnvFilter, Layer, Registry,
    filter::{LevelFilter, Targets, dynamic_filter_fn},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use crate::{config::Source, metrics};

#[derive(Debug, Deserialize)]
struct Config {
    #[serde(default = "default_log_format")]
    log_format: LogFormat,
    #[serde(default = "default_filter")]
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

const fn default_log_format() -> LogFormat {
    LogFormat::Pretty
}

fn default_filter() -> String {
    "info,lapin=warn,sqlx=warn,hyper=warn,h2=warn,tower=warn".to_owned()
}

/// Filter for traces, independent of `RUST_LOG`: spans, and SQL statements, which do not contain their parameters.
const TRACE_FILTER: &str = "info,sqlx=warn,sqlx::query=debug,lapin=warn,hyper=warn,h2=warn,tower=warn";

/// Owns the exporters.
#[derive(Debug)]
pub struct Telemetry {
    traces: Option<SdkTracerProvider>,
    metrics: Option<SdkMeterProvider>,
}

impl Telemetry {
    /// Exports buffered spans and metrics. Must be called before the process ends.
    pub fn flush(&self) {
        let log_failure = |what: &str, result: OTelSdkResult| {
            if let Err(error) = result {
                tracing::warn!(%error, "{what} flush failed");
            }
        };
        if let Some(traces) = &self.traces {
            log_failure("trace", traces.shutdown());
        }
        if let Some(metrics) = &self.metrics {
            log_failure("metrics", metrics.shutdown());
        }
    }
}

/// Starts logging to standard error, so that the output of a command can be read by other programs, and traces and metrics if they are configured.
///
/// # Errors
/// A setting is invalid.
pub fn start(name: &'static str, source: &Source) -> anyhow::Result<Telemetry> {
    let config: Config = source.read()?;
    let filter = EnvFilter::try_new(&config.rust_log)
        .map_err(|error| anyhow::anyhow!("bad configuration: RUST_LOG: {error}"))?;
    let log = match config.log_format {
        LogFormat::Json => tracing_subscriber::fmt::layer()
            .with_writer(std::io::stderr)
            .json()
            .flatten_event(true)
            .boxed(),
        LogFormat::Pretty => tracing_subscriber::fmt::layer()
            .with_writer(std::io::stderr)
            .compact()
            .with_target(false)
            .with_ansi(is_colored())
            .boxed(),
    };
    let metrics = metrics::start(name, source)?;
    let provider = config
        .otel_exporter_otlp_endpoint
        .filter(|endpoint| !endpoint.is_empty())
        .map(|endpoint| provider(name, &endpoint))
        .transpose()?;
    let traces = provider
        .as_ref()
        .map(|provider| traces(name, provider))
        .transpose()?;
    dispatch(log, filter, traces).try_init()?;
    Ok(Telemetry {
        traces: provider,
        metrics,
    })
}

type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

fn dispatch(log: BoxedLayer, filter: EnvFilter, traces: Option<BoxedLayer>) -> Dispatch {
    match traces {
        Some(traces) => {
            let layers = vec![log.with_filter(filter).boxed(), traces];
            tracing_subscriber::registry().with(layers).into()
        }
        None => tracing_subscriber::registry().with(log).with(filter).into(),
    }
}

/// Returns whether to use colors: only on a terminal, and not if `NO_COLOR` is set. <https://no-color.org>
fn is_colored() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

fn traces(name: &'static str, provider: &SdkTracerProvider) -> anyhow::Result<BoxedLayer> {
    let targets: Targets = TRACE_FILTER.parse()?;
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer(name));
    // Evaluated for each span and event. A cached filter would also apply the result of `enabled!`, which sqlx calls
    // before every statement, to the next event, which is then lost.
    let filter =
        dynamic_filter_fn(move |metadata, _| targets.would_enable(metadata.target(), metadata.level()));
    Ok(layer
        .with_filter(filter.with_max_level_hint(LevelFilter::DEBUG))
        .boxed())
}

fn provider(name: &'static str, endpoint: &str) -> anyhow::Result<SdkTracerProvider> {
    let exporter = SpanExporter::builder()
        .with_tonic()
        .with_endpoint(endpoint)
        .build()
        .map_err(|_| {
            anyhow::anyhow!(
                "bad configuration: OTEL_EXPORTER_OTLP_ENDPOINT: expected an address like http://host:4317"
            )
        })?;
    let resource = Resource::builder().with_service_name(name).build();
    Ok(SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource)
        .build())
}

/// Returns the W3C `traceparent` of the current span, or `None` if tracing is off.
#[must_use]
pub fn trace_parent() -> Option<String> {
    let mut carrier = std::collections::HashMap::new();
    let context = tracing::Span::current().context();
    TraceContextPropagator::new().inject_context(&context, &mut carrier);
    carrier.remove("traceparent")
}

/// Makes a span the child of a remote `traceparent`.
pub fn set_parent(span: &tracing::Span, trace_parent: Option<&str>) {
    if let Some(context) = trace_parent.and_then(remote_context) {
        // Fails only if tracing is off.
        let _ = span.set_parent(context);
    }
}

/// Links a span to the remote `traceparent` that caused it.
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

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    };

    use tracing_subscriber::layer::Context;

    use super::*;

    /// Counts events.
    struct EventCounter(Arc<AtomicUsize>);

    impl<S: tracing::Subscriber> Layer<S> for EventCounter {
        fn on_event(&self, _: &tracing::Event<'_>, _: Context<'_, S>) {
            self.0.fetch_add(1, Relaxed);
        }
    }

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const TRACE_ID: &str = "0af7651916cd43dd8448eb211c80319c";

    fn with_tracing(work: impl FnOnce()) {
        let provider = SdkTracerProvider::builder().build();
        let traces = traces("test", &provider).unwrap();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(traces), work);
    }

    #[test]
    fn a_span_continues_the_remote_trace() {
        with_tracing(|| {
            let span = tracing::info_span!("call");
            set_parent(&span, Some(PARENT));
            let current = span.in_scope(trace_parent).unwrap();
            assert!(current.contains(TRACE_ID) && current != PARENT, "{current}");
        });
    }

    #[test]
    fn no_event_is_lost_after_a_check_whether_another_is_enabled() {
        let provider = SdkTracerProvider::builder().build();
        for traces in [None, Some(traces("test", &provider).unwrap())] {
            let count = Arc::new(AtomicUsize::new(0));
            let layer = EventCounter(count.clone()).boxed();
            let dispatch = dispatch(layer, EnvFilter::new("info,kit=debug"), traces);
            tracing::dispatcher::with_default(&dispatch, || {
                let _ = tracing::enabled!(target: "sqlx::other", tracing::Level::DEBUG);
                tracing::info!("an event");
            });
            assert_eq!(count.load(Relaxed), 1);
        }
    }

    #[test]
    fn a_linked_trace_is_not_continued() {
        with_tracing(|| {
            let span = tracing::info_span!("consume");
            link(&span, Some(PARENT));
            let current = span.in_scope(trace_parent).unwrap();
            assert!(!current.contains(TRACE_ID), "{current}");
        });
    }

    #[test]
    fn a_malformed_trace_parent_starts_a_new_trace() {
        with_tracing(|| {
            for malformed in [
                "",
                "00",
                "00-0-0-01",
                "00-00000000000000000000000000000000-0000000000000000-01",
            ] {
                let span = tracing::info_span!("call");
                set_parent(&span, Some(malformed));
                assert!(span.in_scope(trace_parent).is_some(), "{malformed:?}");
            }
        });
    }

    #[test]
    fn without_tracing_there_is_no_trace_parent() {
        let span = tracing::info_span!("call");
        set_parent(&span, Some(PARENT));
        assert_eq!(span.in_scope(trace_parent), None);
        let logged = tracing_subscriber::registry().with(tracing_subscriber::fmt::layer());
        tracing::subscriber::with_default(logged, || {
            let span = tracing::info_span!("call");
            set_parent(&span, Some(PARENT));
            link(&span, Some(PARENT));
            assert_eq!(span.in_scope(trace_parent), None);
        });
    }
}
