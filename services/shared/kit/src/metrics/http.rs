//! Requests to an HTTP server.

use http::{Method, StatusCode};
use opentelemetry::KeyValue;

use super::{DurationHistogram, Timer};

static DURATION: DurationHistogram = DurationHistogram::new(
    "http.server.request.duration",
    "Duration of HTTP requests until the response begins",
);

/// Status recorded if the client closes the connection before the response.
const CLIENT_CLOSED_REQUEST: &str = "499";

/// Records the duration and the status of an HTTP request.
#[derive(Debug)]
pub struct HttpRequestTimer(Option<Timer>);

impl HttpRequestTimer {
    /// `route` is the pattern that the path matched, never the path itself; `None` if there is no such route.
    #[must_use]
    pub fn start(method: &Method, route: Option<&str>) -> Self {
        let labels = || {
            vec![
                KeyValue::new("http.request.method", method_label(method)),
                KeyValue::new("http.route", route.unwrap_or("unmatched").to_owned()),
            ]
        };
        let outcome = ("http.response.status_code", CLIENT_CLOSED_REQUEST);
        Self(Timer::start(&DURATION, labels, outcome))
    }

    pub fn finish(self, status: StatusCode) {
        if let Some(timer) = self.0 {
            timer.finish(status.as_str().to_owned());
        }
    }
}

/// Clients can send any method.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "_OTHER",
    }
}
