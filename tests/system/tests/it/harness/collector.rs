//! A trace collector that stores the received spans.

use std::{
    net::SocketAddr,
    ops::Deref,
    sync::{Arc, Mutex},
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::{
        ExportTraceServiceRequest, ExportTraceServiceResponse,
        trace_service_server::{TraceService, TraceServiceServer},
    },
    common::v1::{AnyValue, KeyValue, any_value::Value},
    trace::v1::{self as otlp, ResourceSpans, span::SpanKind},
};
use tokio::net::TcpListener;
use tonic::{Request, Response, Status, transport::Server, transport::server::TcpIncoming};

/// Listens until the test that started it ends.
#[derive(Clone)]
pub struct Collector {
    pub address: SocketAddr,
    spans: Spans,
}

#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Vec<Span>>>);

/// A finished span and its service.
#[derive(Debug, Clone)]
pub struct Span {
    pub service: String,
    span: otlp::Span,
}

impl Deref for Span {
    type Target = otlp::Span;

    fn deref(&self) -> &otlp::Span {
        &self.span
    }
}

impl Collector {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let spans = Spans::default();
        let server = Server::builder().add_service(TraceServiceServer::new(spans.clone()));
        tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        Self { address, spans }
    }

    /// Returns the spans received so far.
    pub fn spans(&self) -> Vec<Span> {
        self.spans.0.lock().unwrap().clone()
    }
}

#[tonic::async_trait]
impl TraceService for Spans {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let sent = request
            .into_inner()
            .resource_spans
            .into_iter()
            .flat_map(of_one_process);
        self.0.lock().unwrap().extend(sent);
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

fn of_one_process(sent: ResourceSpans) -> impl Iterator<Item = Span> {
    let about = sent.resource.unwrap_or_default().attributes;
    let service = text(&about, "service.name").expect("service.name");
    let spans = sent.scope_spans.into_iter().flat_map(|scope| scope.spans);
    spans.map(move |span| Span {
        service: service.clone(),
        span,
    })
}

fn text(attributes: &[KeyValue], key: &str) -> Option<String> {
    let attribute = attributes.iter().find(|attribute| attribute.key == key)?;
    match attribute.value.clone()? {
        AnyValue {
            value: Some(Value::StringValue(text)),
        } => Some(text),
        other => panic!("{key} is not a string: {other:?}"),
    }
}

impl Span {
    pub fn attribute(&self, key: &str) -> Option<String> {
        text(&self.span.attributes, key)
    }

    /// Order id of the span.
    pub fn order(&self) -> Option<String> {
        self.attribute("order_id")
            .or_else(|| self.attribute("aggregate_id"))
    }

    pub fn is_of_consumer(&self) -> bool {
        self.span.kind() == SpanKind::Consumer
    }

    /// Returns whether `other` is the parent span.
    pub fn is_part_of(&self, other: &Span) -> bool {
        self.trace_id == other.trace_id && self.parent_span_id == other.span_id
    }

    /// Returns whether the span is the root of a trace that links to `other`.
    pub fn is_caused_by(&self, other: &Span) -> bool {
        let cause =
            |link: &otlp::span::Link| link.trace_id == other.trace_id && link.span_id == other.span_id;
        self.trace_id != other.trace_id && self.parent_span_id.is_empty() && self.links.iter().any(cause)
    }

    /// Database statements of the span.
    pub fn statements(&self) -> Vec<String> {
        self.events
            .iter()
            .filter_map(|event| text(&event.attributes, "summary"))
            .collect()
    }
}
