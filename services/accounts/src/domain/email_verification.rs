//! Links with which consumers prove that an email address is theirs.

use std::time::Duration;

use jiff::Timestamp;

/// Lifetime of a link.
pub const LIFETIME: Duration = Duration::from_hours(24);

pub const RESEND_INTERVAL: Duration = Duration::from_mins(1);
pub const HOUR: Duration = Duration::from_hours(1);
const MAX_EMAILS_PER_HOUR: i64 = 5;
/// By all consumers, within the lifetime of the links. Consumers choose the address, which may be another person's.
pub const MAX_EMAILS_PER_ADDRESS: u8 = 5;

/// Emails that were requested before.
#[derive(Debug, Clone, Copy, Default)]
pub struct EarlierEmails {
    /// To the consumer in the last hour.
    pub count: i64,
    pub first_at: Option<Timestamp>,
    /// To the same address.
    pub last_at: Option<Timestamp>,
    /// When the address can get another email, if it has reached its limit.
    pub address_free_at: Option<Timestamp>,
}

impl EarlierEmails {
    /// Returns whether the last email to the same address is so recent that no further one is sent.
    #[must_use]
    pub fn is_just_sent(&self, now: Timestamp) -> bool {
        self.last_at.is_some_and(|last| last + RESEND_INTERVAL > now)
    }

    /// Returns how long the consumer waits for the next email, or `None` if it can be sent now.
    #[must_use]
    pub fn wait(&self, now: Timestamp) -> Option<Duration> {
        let after_limit = self.first_at.filter(|_| self.count >= MAX_EMAILS_PER_HOUR);
        let next_at = [after_limit.map(|first| first + HOUR), self.address_free_at];
        let next_at = next_at.into_iter().flatten().max()?;
        (next_at > now).then(|| next_at.duration_since(now).unsigned_abs())
    }
}

/// Formats a wait for the consumer, rounded up: "in 5 minutes".
#[must_use]
pub fn format_wait(wait: Duration) -> String {
    match wait.as_secs().div_ceil(60) {
        0 | 1 => "in a minute".to_owned(),
        minutes @ 2..60 => format!("in {minutes} minutes"),
        60 => "in an hour".to_owned(),
        minutes => format!("in {} hours", minutes.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_further_email_to_an_address_is_sent_after_a_minute() {
        let now: Timestamp = "2026-11-20T16:00:00Z".parse().unwrap();
        let is_just_sent = |last: Option<Duration>| {
            let earlier = EarlierEmails {
                last_at: last.map(|last| now - last),
                ..EarlierEmails::default()
            };
            earlier.is_just_sent(now)
        };
        assert!(!is_just_sent(None));
        assert!(is_just_sent(Some(Duration::from_secs(59))));
        assert!(!is_just_sent(Some(Duration::from_mins(1))));
    }

    #[test]
    fn emails_are_limited_by_hour_and_address() {
        let now: Timestamp = "2026-11-20T16:00:00Z".parse().unwrap();
        let minutes = |minutes| Duration::from_mins(minutes);
        let wait = |count, first, address_free_after: Option<Duration>| {
            let earlier = EarlierEmails {
                count,
                first_at: Some(now - first),
                last_at: None,
                address_free_at: address_free_after.map(|after| now + after),
            };
            earlier.wait(now)
        };
        assert_eq!(EarlierEmails::default().wait(now), None);
        assert_eq!(wait(4, Duration::ZERO, None), None);
        assert_eq!(wait(5, minutes(50), None), Some(minutes(10)));
        assert_eq!(wait(0, minutes(90), Some(minutes(7))), Some(minutes(7)));
        assert_eq!(wait(0, minutes(90), Some(Duration::ZERO)), None);
    }

    #[test]
    fn waiting_times_are_rounded_up_to_minutes_or_hours() {
        for (seconds, expected) in [
            (0, "in a minute"),
            (60, "in a minute"),
            (61, "in 2 minutes"),
            (59 * 60, "in 59 minutes"),
            (59 * 60 + 1, "in an hour"),
            (3_601, "in 2 hours"),
            (86_400, "in 24 hours"),
        ] {
            assert_eq!(format_wait(Duration::from_secs(seconds)), expected, "{seconds}");
        }
    }
}
