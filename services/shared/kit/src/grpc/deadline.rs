//! Propagates deadlines along a chain of calls: a call made while serving another call ends before that call's
//! deadline.

use std::{future::Future, time::Duration};

use tokio::time::Instant;

/// Timeout of a call without a deadline.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);

/// Subtracted from the caller's deadline, so that the response still arrives in time.
const MARGIN: Duration = Duration::from_millis(20);

tokio::task_local! {
    static DEADLINE: Instant;
}

/// Runs work with a deadline that its calls inherit. Does not cancel the work at the deadline.
pub async fn within<F: Future>(timeout: Duration, work: F) -> F::Output {
    DEADLINE.scope(Instant::now() + timeout, work).await
}

/// As [`within`], but keeps an earlier deadline of the current call.
pub async fn within_at_most<F: Future>(timeout: Duration, work: F) -> F::Output {
    let timeout = time_remaining().map_or(timeout, |time| time.min(timeout));
    within(timeout, work).await
}

/// Returns the timeout for a call made now: the time to the current deadline, at most [`DEFAULT_TIMEOUT`].
#[must_use]
pub fn call_timeout() -> Duration {
    time_remaining().map_or(DEFAULT_TIMEOUT, |time| time.min(DEFAULT_TIMEOUT))
}

/// Returns the time to the current deadline less a margin for the response, or `None` outside a call.
#[must_use]
pub fn time_remaining() -> Option<Duration> {
    DEADLINE
        .try_with(|deadline| {
            deadline
                .saturating_duration_since(Instant::now())
                .saturating_sub(MARGIN)
        })
        .ok()
}

/// Parses a `grpc-timeout` header: up to eight digits and a unit.
pub(super) fn parse(header: &str) -> Option<Duration> {
    let (digits, unit) = header.split_at_checked(header.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(count * 3600),
        "M" => Duration::from_secs(count * 60),
        "S" => Duration::from_secs(count),
        "m" => Duration::from_millis(count),
        "u" => Duration::from_micros(count),
        "n" => Duration::from_nanos(count),
        _ => return None,
    })
}

/// Formats a `grpc-timeout` header in milliseconds.
pub(super) fn format(timeout: Duration) -> String {
    format!("{}m", timeout.as_millis().clamp(1, 99_999_999))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formatted_timeout_parses_to_the_same_value() {
        for time in [
            Duration::from_millis(1),
            Duration::from_millis(4980),
            Duration::from_hours(25),
        ] {
            assert_eq!(parse(&format(time)), Some(time));
        }
    }

    #[test]
    fn malformed_headers_are_ignored() {
        for header in ["", "m", "5", "123456789m", "-1S", "5é"] {
            assert_eq!(parse(header), None, "{header}");
        }
    }

    #[tokio::test]
    async fn an_inner_call_gets_less_time_than_the_outer_call() {
        within(Duration::from_millis(500), async {
            assert!(call_timeout() < Duration::from_millis(500));
        })
        .await;
        assert_eq!(call_timeout(), DEFAULT_TIMEOUT);
    }
}
