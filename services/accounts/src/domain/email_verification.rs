//! Links with which consumers prove that an email address is theirs.

use std::time::Duration;

use jiff::Timestamp;

/// Lifetime of a link.
pub const LIFETIME: Duration = Duration::from_hours(24);

pub const RESEND_INTERVAL: Duration = Duration::from_mins(1);
pub const HOUR: Duration = Duration::from_hours(1);
const MAX_EMAILS_PER_HOUR: i64 = 5;
/// By all consumers, within the lifetime of the links. Consumers choose the address, which may be another person's.
const MAX_EMAILS_PER_ADDRESS: i64 = 5;

/// Emails that were requested before.
#[derive(Debug, Clone, Copy, Default)]
pub struct EarlierEmails {
    /// To the consumer in the last hour.
    pub count: i64,
    pub first_at: Option<Timestamp>,
    pub last_at: Option<Timestamp>,
    pub to_address: i64,
}

impl EarlierEmails {
    /// Returns how long the consumer waits for the next email, or `None` if it can be sent now.
    #[must_use]
    pub fn wait(&self, now: Timestamp) -> Option<Duration> {
        if self.to_address >= MAX_EMAILS_PER_ADDRESS {
            return Some(HOUR);
        }
        let after_limit = self.first_at.filter(|_| self.count >= MAX_EMAILS_PER_HOUR);
        let next_at = [
            self.last_at.map(|last| last + RESEND_INTERVAL),
            after_limit.map(|first| first + HOUR),
        ];
        let next_at = next_at.into_iter().flatten().max()?;
        (next_at > now).then(|| next_at.duration_since(now).unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emails_are_limited_by_minute_hour_and_address() {
        let now: Timestamp = "2026-11-20T16:00:00Z".parse().unwrap();
        let minutes = |minutes| Duration::from_mins(minutes);
        let wait = |count, first, last, to_address| {
            let earlier = EarlierEmails {
                count,
                first_at: Some(now - first),
                last_at: Some(now - last),
                to_address,
            };
            earlier.wait(now)
        };
        assert_eq!(EarlierEmails::default().wait(now), None);
        assert_eq!(wait(1, Duration::ZERO, Duration::ZERO, 1), Some(minutes(1)));
        assert_eq!(wait(1, minutes(1), minutes(1), 1), None);
        assert_eq!(wait(5, minutes(50), minutes(1), 4), Some(minutes(10)));
        assert_eq!(wait(0, minutes(90), minutes(90), 5), Some(HOUR));
    }
}
