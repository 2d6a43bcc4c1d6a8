//! Whether a connection is in use: its open requests, and since when it has none.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::Instant;

/// The requests of a connection.
#[derive(Debug)]
pub(crate) struct Activity(Mutex<State>);

#[derive(Debug)]
struct State {
    open_requests: usize,
    had_request: bool,
    /// When the connection was opened, or its last response was sent.
    idle_since: Instant,
}

/// What a connection is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Usage {
    /// At least one request is open.
    Busy,
    /// No request arrived yet.
    New { opened_at: Instant },
    /// All requests have ended.
    Idle { since: Instant },
}

impl Activity {
    pub(crate) const fn new(opened_at: Instant) -> Self {
        Self(Mutex::new(State {
            open_requests: 0,
            had_request: false,
            idle_since: opened_at,
        }))
    }

    pub(crate) fn usage(&self) -> Usage {
        let state = self.state();
        match (state.open_requests, state.had_request) {
            (0, false) => Usage::New {
                opened_at: state.idle_since,
            },
            (0, true) => Usage::Idle {
                since: state.idle_since,
            },
            _ => Usage::Busy,
        }
    }

    /// Returns since when the connection has no open request, or `None` if it has one.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        let state = self.state();
        (state.open_requests == 0).then_some(state.idle_since)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request in progress, until its response is sent completely. Ends when it is dropped.
#[derive(Debug)]
pub(crate) struct OpenRequest(Arc<Activity>);

impl OpenRequest {
    pub(crate) fn begin(activity: &Arc<Activity>) -> Self {
        let mut state = activity.state();
        state.open_requests += 1;
        state.had_request = true;
        drop(state);
        Self(Arc::clone(activity))
    }

    /// Keeps the request open until the body of its response was sent.
    pub(crate) const fn until_sent(self, body: Body) -> ResponseBody {
        ResponseBody { body, _request: self }
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.open_requests -= 1;
        state.idle_since = Instant::now();
    }
}

/// A response body that keeps its request in progress.
#[derive(Debug)]
pub(crate) struct ResponseBody {
    body: Body,
    _request: OpenRequest,
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_busy_until_the_last_response_was_sent() {
        let opened_at = Instant::now();
        let activity = Arc::new(Activity::new(opened_at));
        assert_eq!(activity.usage(), Usage::New { opened_at });
        let first = OpenRequest::begin(&activity);
        let second = OpenRequest::begin(&activity).until_sent(Body::from("text"));
        drop(first);
        assert_eq!((activity.usage(), activity.idle_since()), (Usage::Busy, None));
        let sent_at = Instant::now();
        drop(second);
        assert!(matches!(activity.usage(), Usage::Idle { since } if since >= sent_at));
        assert!(activity.idle_since() >= Some(sent_at));
    }
}
