//! Logs and traces. JSON outside development; OTLP only when an endpoint is configured, and nothing is slowed when
//! none is.

use std::io::IsTerminal;

use opentelemetry::{propagation::TextMapPropagator, trace::TracerProvider as _};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::{Resource, propagation::TraceContextPropagator, trace::SdkTracerProvider};
use serde::Deserialize;
use tracing::Dispatch;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{
    EnvFilter, Layer, Registry,
    filter::{LevelFilter, Targets, dynamic_filter_fn},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

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

/// What goes into traces, whatever `RUST_LOG` says of logs: our spans, and what the database was asked (statements come
/// without their values).
const TRACED: &str = "info,sqlx=warn,sqlx::query=debug,lapin=warn,hyper=warn,h2=warn,tower=warn";

/// Keeps the exporter; flush it before the process ends.
#[derive(Debug)]
pub struct Telemetry(Option<SdkTracerProvider>);

impl Telemetry {
    /// Sends what is still in memory.
    pub fn flush(&self) {
        if let Some(Err(error)) = self.0.as_ref().map(SdkTracerProvider::shutdown) {
            tracing::warn!(%error, "traces not flushed");
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
            .with_ansi(is_coloured())
            .boxed(),
    };
    let provider = config
        .otel_exporter_otlp_endpoint
        .filter(|endpoint| !endpoint.is_empty())
        .map(|endpoint| provider(name, &endpoint))
        .transpose()?;
    let traces = provider
        .as_ref()
        .map(|provider| traces(name, provider))
        .transpose()?;
    listening(log, filter, traces).try_init()?;
    Ok(Telemetry(provider))
}

/// A part of what hears our spans and events.
type Part = Box<dyn Layer<Registry> + Send + Sync>;

fn listening(log: Part, filter: EnvFilter, traces: Option<Part>) -> Dispatch {
    match traces {
        Some(traces) => {
            let parts = vec![log.with_filter(filter).boxed(), traces];
            tracing_subscriber::registry().with(parts).into()
        }
        None => tracing_subscriber::registry().with(log).with(filter).into(),
    }
}

/// Colours are for people: a file or a pipe keeps the bare words. <https://no-color.org>
fn is_coloured() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|wish| wish.is_empty())
}

fn traces(name: &'static str, provider: &SdkTracerProvider) -> anyhow::Result<Part> {
    let traced: Targets = TRACED.parse()?;
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer(name));
    // Asked each time. A filter that decides once for all lets `enabled!`, which sqlx asks before every statement, leave
    // its answer behind for the next event, and that is lost.
    let filter = dynamic_filter_fn(move |about, _| traced.would_enable(about.target(), about.level()));
    Ok(layer
        .with_filter(filter.with_max_level_hint(LevelFilter::DEBUG))
        .boxed())
}

fn provider(name: &'static str, endpoint: &str) -> anyhow::Result<SdkTracerProvider> {
    let exporter = SpanExporter::builder()
        .with_tonic()
        .with_endpoint(endpoint)
        .build()
        .map_err(|error| {
            anyhow::anyhow!(
                "bad configuration: OTEL_EXPORTER_OTLP_ENDPOINT: expected an address like http://host:4317: {error}"
            )
        })?;
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

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    };

    use tracing_subscriber::layer::Context;

    use super::*;

    /// Counts what it hears.
    struct Log(Arc<AtomicUsize>);

    impl<S: tracing::Subscriber> Layer<S> for Log {
        fn on_event(&self, _: &tracing::Event<'_>, _: Context<'_, S>) {
            self.0.fetch_add(1, Relaxed);
        }
    }

    const CAUSE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

    fn traced(work: impl FnOnce()) {
        let provider = SdkTracerProvider::builder().build();
        let traces = traces("test", &provider).unwrap();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(traces), work);
    }

    #[test]
    fn a_span_carries_on_the_trace_from_outside() {
        traced(|| {
            let span = tracing::info_span!("call");
            set_parent(&span, Some(CAUSE));
            let within = span.in_scope(trace_parent).unwrap();
            assert!(within.contains(TRACE) && within != CAUSE, "{within}");
        });
    }

    #[test]
    fn no_event_is_lost_after_a_question_whether_another_would_be_heard() {
        let provider = SdkTracerProvider::builder().build();
        for traces in [None, Some(traces("test", &provider).unwrap())] {
            let heard = Arc::new(AtomicUsize::new(0));
            let layer = Log(heard.clone()).boxed();
            let dispatch = listening(layer, EnvFilter::new("info,kit=debug"), traces);
            tracing::dispatcher::with_default(&dispatch, || {
                let _answer = tracing::enabled!(target: "sqlx::other", tracing::Level::DEBUG);
                tracing::info!("heard");
            });
            assert_eq!(heard.load(Relaxed), 1);
        }
    }

    #[test]
    fn a_cause_is_linked_to_and_not_carried_on() {
        traced(|| {
            let span = tracing::info_span!("consume");
            link(&span, Some(CAUSE));
            let within = span.in_scope(trace_parent).unwrap();
            assert!(!within.contains(TRACE), "{within}");
        });
    }

    #[test]
    fn rubbish_from_outside_starts_a_trace_of_its_own() {
        traced(|| {
            for rubbish in [
                "",
                "00",
                "00-0-0-01",
                "00-00000000000000000000000000000000-0000000000000000-01",
            ] {
                let span = tracing::info_span!("call");
                set_parent(&span, Some(rubbish));
                assert!(span.in_scope(trace_parent).is_some(), "{rubbish:?}");
            }
        });
    }

    #[test]
    fn there_is_nothing_to_pass_on_while_tracing_is_off() {
        let span = tracing::info_span!("call");
        set_parent(&span, Some(CAUSE));
        assert_eq!(span.in_scope(trace_parent), None);
        let logged = tracing_subscriber::registry().with(tracing_subscriber::fmt::layer());
        tracing::subscriber::with_default(logged, || {
            let span = tracing::info_span!("call");
            set_parent(&span, Some(CAUSE));
            link(&span, Some(CAUSE));
            assert_eq!(span.in_scope(trace_parent), None);
        });
    }
}
