//! Injected faults: delays, errors, and connection resets before or after the effect.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A delay before the effect. The effect happens even if the caller closes the connection.
    Slow,
    /// An error response without the effect.
    Error,
    /// An error response after the effect.
    ErrorAfter,
    /// A connection reset without the effect.
    ResetBefore,
    /// A connection reset after the effect.
    ResetAfter,
}

/// One fault, as `/sandbox/faults` accepts and returns it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The path that it applies to. `*` matches any text.
    pub path: String,
    /// The method that it applies to, or `None` for all.
    #[serde(default)]
    pub method: Option<String>,
    pub kind: FaultKind,
    /// The delay in milliseconds, for [`FaultKind::Slow`].
    #[serde(default)]
    pub ms: u64,
    /// The response status, for [`FaultKind::Error`] and [`FaultKind::ErrorAfter`].
    #[serde(default = "internal_server_error")]
    pub status: u16,
    /// The error code of the response, for [`FaultKind::Error`] and [`FaultKind::ErrorAfter`].
    #[serde(default)]
    pub code: Option<String>,
    /// The number of matching requests that succeed first.
    #[serde(default)]
    pub after: u32,
    /// The number of requests that it applies to.
    #[serde(default = "once")]
    pub times: u32,
}

fn internal_server_error() -> u16 {
    500
}

fn once() -> u32 {
    1
}

/// A failed request.
#[derive(Debug, Clone)]
pub struct Failure {
    pub kind: FaultKind,
    pub status: StatusCode,
    pub code: Option<String>,
}

/// The faults that apply to one request.
#[derive(Debug, Default, Clone)]
pub struct RequestFaults {
    pub delay: Option<Duration>,
    pub failure: Option<Failure>,
}

impl RequestFaults {
    /// Returns the failure of the request if it is of this kind.
    pub fn failure(&self, kind: FaultKind) -> Option<&Failure> {
        self.failure.as_ref().filter(|failure| failure.kind == kind)
    }
}

/// The active faults.
#[derive(Debug, Default)]
pub struct Faults(Mutex<Vec<Fault>>);

impl Faults {
    pub fn add(&self, fault: Fault) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
    }

    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub fn list(&self) -> Vec<Fault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the faults of a request and counts them as used. Delays add up; only the first failure applies.
    pub fn apply(&self, method: &str, path: &str) -> RequestFaults {
        let mut faults = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut applied = RequestFaults::default();
        for fault in faults.iter_mut().filter(|fault| fault.matches(method, path)) {
            if fault.kind != FaultKind::Slow && applied.failure.is_some() {
                continue;
            }
            if fault.after > 0 {
                fault.after -= 1;
                continue;
            }
            fault.times = fault.times.saturating_sub(1);
            if fault.kind == FaultKind::Slow {
                let delay = Duration::from_millis(fault.ms);
                applied.delay = Some(applied.delay.map_or(delay, |sum| sum + delay));
            } else {
                let status = StatusCode::from_u16(fault.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                applied.failure = Some(Failure {
                    kind: fault.kind,
                    status,
                    code: fault.code.clone(),
                });
            }
        }
        faults.retain(|fault| fault.times > 0);
        applied
    }
}

impl Fault {
    fn matches(&self, method: &str, path: &str) -> bool {
        self.method
            .as_deref()
            .is_none_or(|expected| expected.eq_ignore_ascii_case(method))
            && matches_pattern(&self.path, path)
    }
}

/// Returns whether the text matches the pattern, in which `*` matches any text.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, end)) => text.strip_prefix(start).is_some_and(|tail| {
            end.is_empty()
                || matches_pattern(end, "")
                || tail
                    .char_indices()
                    .any(|(index, _)| matches_pattern(end, &tail[index..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_any_text() {
        assert!(matches_pattern(
            "/v1/payment_intents*",
            "/v1/payment_intents/pi_1/capture"
        ));
        assert!(matches_pattern(
            "/v1/*/capture",
            "/v1/payment_intents/pi_1/capture"
        ));
        assert!(!matches_pattern(
            "/v1/*/capture",
            "/v1/payment_intents/pi_1/cancel"
        ));
        assert!(!matches_pattern("/v1/refunds", "/v1/refunds/re_1"));
    }

    #[test]
    fn a_fault_starts_after_the_given_number_of_requests_and_then_ends() {
        let faults = Faults::default();
        let fault = r#"{"path": "/v1/refunds", "kind": "error", "after": 1, "times": 1}"#;
        faults.add(serde_json::from_str(fault).expect("a fault"));
        let fails = |_| faults.apply("POST", "/v1/refunds").failure.is_some();
        assert_eq!((0..3).map(fails).collect::<Vec<_>>(), [false, true, false]);
    }
}
