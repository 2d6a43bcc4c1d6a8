//! Faults that can be switched on: slow, an error, or a connection cut before or after the effect.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The answer takes longer; the effect comes after the wait, even when the caller has gone.
    Slow,
    /// An error instead of the effect.
    Error,
    /// The effect happens, and the answer is an error.
    ErrorAfter,
    /// The connection is cut, and nothing happened.
    CutBefore,
    /// The effect happens, then the connection is cut.
    CutAfter,
}

/// One fault, as `/sandbox/faults` takes and shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The path it strikes; `*` stands for any text.
    pub path: String,
    /// The method it strikes; any where it is not given.
    #[serde(default)]
    pub method: Option<String>,
    pub kind: Kind,
    /// For [`Kind::Slow`].
    #[serde(default)]
    pub ms: u64,
    /// For [`Kind::Error`] and [`Kind::ErrorAfter`].
    #[serde(default = "internal_server_error")]
    pub status: u16,
    /// How many matching calls pass unharmed first.
    #[serde(default)]
    pub after: u32,
    /// How many calls it strikes.
    #[serde(default = "once")]
    pub times: u32,
}

fn internal_server_error() -> u16 {
    500
}

fn once() -> u32 {
    1
}

/// What strikes one call.
#[derive(Debug, Default, Clone, Copy)]
pub struct Strike {
    pub delay: Option<Duration>,
    pub failure: Option<(Kind, StatusCode)>,
}

impl Strike {
    /// The status to fail with, if this kind of failure was asked for.
    pub fn of(&self, kind: Kind) -> Option<StatusCode> {
        self.failure
            .filter(|(struck, _)| *struck == kind)
            .map(|(_, status)| status)
    }
}

/// The faults that are switched on.
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

    /// Takes what strikes this call. Delays add up; of the failures the first one counts.
    pub fn strike(&self, method: &str, path: &str) -> Strike {
        let mut faults = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut strike = Strike::default();
        for fault in faults.iter_mut().filter(|fault| fault.matches(method, path)) {
            if fault.kind != Kind::Slow && strike.failure.is_some() {
                continue;
            }
            if fault.after > 0 {
                fault.after -= 1;
                continue;
            }
            fault.times = fault.times.saturating_sub(1);
            if fault.kind == Kind::Slow {
                let delay = Duration::from_millis(fault.ms);
                strike.delay = Some(strike.delay.map_or(delay, |earlier| earlier + delay));
            } else {
                let status = StatusCode::from_u16(fault.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                strike.failure = Some((fault.kind, status));
            }
        }
        faults.retain(|fault| fault.times > 0);
        strike
    }
}

impl Fault {
    fn matches(&self, method: &str, path: &str) -> bool {
        self.method
            .as_deref()
            .is_none_or(|wanted| wanted.eq_ignore_ascii_case(method))
            && glob(&self.path, path)
    }
}

fn glob(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|left| {
            rest.is_empty() || left.char_indices().any(|(at, _)| glob(rest, &left[at..])) || glob(rest, "")
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text() {
        assert!(glob("/v1/payment_intents*", "/v1/payment_intents/pi_1/capture"));
        assert!(glob("/v1/*/capture", "/v1/payment_intents/pi_1/capture"));
        assert!(!glob("/v1/*/capture", "/v1/payment_intents/pi_1/cancel"));
        assert!(!glob("/v1/refunds", "/v1/refunds/re_1"));
    }

    #[test]
    fn a_fault_lets_some_pass_then_strikes_then_is_gone() {
        let faults = Faults::default();
        let fault = r#"{"path": "/v1/refunds", "kind": "error", "after": 1, "times": 1}"#;
        faults.add(serde_json::from_str(fault).expect("a fault"));
        let struck = |_| faults.strike("POST", "/v1/refunds").failure.is_some();
        assert_eq!((0..3).map(struck).collect::<Vec<_>>(), [false, true, false]);
    }
}
