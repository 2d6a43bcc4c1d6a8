//! Deadlines that shrink on the way in: a call made while another is served ends before that one does.

use std::{future::Future, time::Duration};

use tokio::time::Instant;

/// How long a call may take where nobody said.
pub const USUAL: Duration = Duration::from_secs(5);

/// Kept back from a caller's deadline, so that our answer still arrives.
const MARGIN: Duration = Duration::from_millis(20);

tokio::task_local! {
    static DEADLINE: Instant;
}

/// Runs work under a deadline, which the calls that it makes inherit. It does not end the work by itself.
pub async fn within<F: Future>(time: Duration, work: F) -> F::Output {
    DEADLINE.scope(Instant::now() + time, work).await
}

/// What is left for a call that is made now: of the deadline in force less a margin, at most [`USUAL`].
#[must_use]
pub fn remaining() -> Duration {
    DEADLINE
        .try_with(|deadline| {
            deadline
                .saturating_duration_since(Instant::now())
                .saturating_sub(MARGIN)
        })
        .map_or(USUAL, |left| left.min(USUAL))
}

/// The whole time left to answer the caller; none where nobody waits.
#[must_use]
pub fn left_to_answer() -> Option<Duration> {
    DEADLINE
        .try_with(|deadline| {
            deadline
                .saturating_duration_since(Instant::now())
                .saturating_sub(MARGIN)
        })
        .ok()
}

/// Reads a `grpc-timeout` header: up to eight digits and a unit.
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

/// Writes one, in milliseconds.
pub(super) fn format(time: Duration) -> String {
    format!("{}m", time.as_millis().clamp(1, 99_999_999))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for time in [
            Duration::from_millis(1),
            Duration::from_millis(4980),
            Duration::from_secs(90_000),
        ] {
            assert_eq!(parse(&format(time)), Some(time));
        }
    }

    #[test]
    fn refuses_rubbish() {
        for header in ["", "m", "5", "123456789m", "-1S", "5é"] {
            assert_eq!(parse(header), None, "{header}");
        }
    }

    #[tokio::test]
    async fn an_inner_call_gets_less_than_the_outer_one() {
        within(Duration::from_millis(500), async {
            assert!(remaining() < Duration::from_millis(500))
        })
        .await;
        assert_eq!(remaining(), USUAL);
    }
}
