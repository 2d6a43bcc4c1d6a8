//! Notifications by push, SMS and email.

use std::time::Duration;

use jiff::{Timestamp, ToSpan, civil::Time, tz::TimeZone};
use types::{ConsumerId, MessageId};

/// Start and end of the time in which notifications wait, in the consumer's zone.
const QUIET_FROM: Time = jiff::civil::time(21, 0, 0, 0);
const QUIET_UNTIL: Time = jiff::civil::time(8, 0, 0, 0);

/// A consumer who waits for an order needs the notification now or not at all, unless the order is for later.
const ORDER_LIFETIME: Duration = Duration::from_mins(30);
const LIFETIME: Duration = Duration::from_hours(24);

/// Templates about an order that the consumer waits for.
pub const URGENT_TEMPLATES: [&str; 5] = [
    "order_ready",
    "order_delayed",
    "order_cancelled",
    "order_rejected",
    "payment_failed",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channel {
    Push,
    Sms,
    Email,
}

impl Channel {
    pub const ALL: [Self; 3] = [Self::Push, Self::Sms, Self::Email];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::Sms => "sms",
            Self::Email => "email",
        }
    }

    /// Returns `None` if there is no such channel.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.as_str() == text)
    }
}

/// A notification that another service requests.
#[derive(Debug, Clone)]
pub struct RequestedNotification {
    pub consumer_id: ConsumerId,
    /// The inbox message.
    pub message_id: MessageId,
    /// The kind of the message.
    pub template: String,
    pub title: String,
    pub body: String,
    /// Empty if the notification is not about an order.
    pub order_id: String,
    pub requested_at: Timestamp,
    /// When the event that the message reports happened.
    pub occurred_at: Timestamp,
    /// A notification about an order does not expire before this time: the promised time.
    pub useful_until: Option<Timestamp>,
}

/// An order that its consumer canceled. Notifications about its earlier events are outdated.
#[derive(Debug, Clone)]
pub struct CanceledOrder {
    /// As in [`RequestedNotification`].
    pub order_id: String,
    pub consumer_id: ConsumerId,
    pub canceled_at: Timestamp,
}

/// When a notification is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    pub send_after: Timestamp,
    pub expires_at: Timestamp,
}

impl RequestedNotification {
    /// Notifications about an order that the consumer waits for are sent at once, and expire soon after the event, even if it
    /// was received late, but not before `useful_until`. Others wait until the quiet hours end.
    #[must_use]
    pub fn schedule(&self, zone: &TimeZone) -> Schedule {
        if is_urgent(&self.template) {
            let expires_at = self.occurred_at + ORDER_LIFETIME;
            return Schedule {
                send_after: self.requested_at,
                expires_at: self
                    .useful_until
                    .map_or(expires_at, |until| until.max(expires_at)),
            };
        }
        let send_after = after_quiet_hours(self.requested_at, zone);
        Schedule {
            send_after,
            expires_at: send_after + LIFETIME,
        }
    }
}

/// Returns until when a notification that is due waits, or `None` if it can be sent now. An earlier attempt may have failed,
/// or the consumer may be in another zone by now.
#[must_use]
pub fn quiet_until(template: &str, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let end = after_quiet_hours(now, zone);
    (end > now && !is_urgent(template)).then_some(end)
}

/// Returns whether a notification is about an order that the consumer waits for. One about a later event of the order replaces it.
#[must_use]
pub fn is_urgent(template: &str) -> bool {
    URGENT_TEMPLATES.contains(&template)
}

fn after_quiet_hours(at: Timestamp, zone: &TimeZone) -> Timestamp {
    let local = at.to_zoned(zone.clone());
    let (date, time) = (local.date(), local.time());
    let end = if time >= QUIET_FROM {
        date.saturating_add(1.day())
    } else if time < QUIET_UNTIL {
        date
    } else {
        return at;
    };
    let end = end.to_datetime(QUIET_UNTIL).to_zoned(zone.clone());
    end.map_or(at, |end| end.timestamp())
}

/// Template of the notification about a gift card, which was sent by text or email.
const GIFT_CARD_RECEIVED: &str = "gift_card_received";

/// Returns whether a notification is sent on a channel. A gift card was sent to its recipient by text or email, and is not announced
/// there again.
#[must_use]
pub fn is_sent_by(template: &str, channel: Channel) -> bool {
    template != GIFT_CARD_RECEIVED || channel == Channel::Push
}

/// A page of the web app that the notification opens.
#[must_use]
pub fn path(template: &str, order_id: &str) -> String {
    match (template, order_id) {
        (GIFT_CARD_RECEIVED, _) => "/gift-cards".to_owned(),
        (_, "") => "/inbox".to_owned(),
        (_, id) => format!("/orders/{id}"),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn notification(template: &str, at: &str) -> RequestedNotification {
        RequestedNotification {
            consumer_id: ConsumerId::from_uuid(Uuid::nil()),
            message_id: MessageId::from_uuid(Uuid::nil()),
            template: template.to_owned(),
            title: String::new(),
            body: String::new(),
            order_id: String::new(),
            requested_at: at.parse().unwrap(),
            occurred_at: at.parse().unwrap(),
            useful_until: None,
        }
    }

    fn schedule(template: &str, at: &str) -> (String, String) {
        let notification = notification(template, at);
        let zone = TimeZone::get("America/Los_Angeles").unwrap();
        let Schedule {
            send_after,
            expires_at,
        } = notification.schedule(&zone);
        (send_after.to_string(), expires_at.to_string())
    }

    #[test]
    fn notifications_wait_until_the_quiet_hours_of_the_zone_end() {
        for (at, sent_at) in [
            // 8:59 PM and 9:00 PM in Los Angeles.
            ("2026-11-21T04:59:00Z", "2026-11-21T04:59:00Z"),
            ("2026-11-21T05:00:00Z", "2026-11-21T16:00:00Z"),
            // 7:59 AM and 8:00 AM.
            ("2026-11-21T15:59:00Z", "2026-11-21T16:00:00Z"),
            ("2026-11-21T16:00:00Z", "2026-11-21T16:00:00Z"),
            // The night in which daylight saving time starts.
            ("2026-03-08T06:00:00Z", "2026-03-08T15:00:00Z"),
        ] {
            assert_eq!(schedule("refund_done", at).0, sent_at, "{at}");
        }
    }

    #[test]
    fn a_received_gift_card_is_pushed_only_and_opens_the_gift_cards() {
        for (template, channels, page) in [
            ("gift_card_received", [true, false, false], "/gift-cards"),
            ("gift_card_delivered", [true, true, true], "/inbox"),
        ] {
            let sent = [Channel::Push, Channel::Sms, Channel::Email].map(|it| is_sent_by(template, it));
            assert_eq!((sent, &*path(template, "")), (channels, page), "{template}");
        }
        assert_eq!(path("order_ready", "order"), "/orders/order");
    }

    #[test]
    fn notifications_about_an_order_in_progress_are_sent_at_once_or_not_at_all() {
        let night = "2026-11-21T05:00:00Z";
        for template in [
            "order_ready",
            "order_delayed",
            "order_cancelled",
            "order_rejected",
            "payment_failed",
        ] {
            let expected = (night.to_owned(), "2026-11-21T05:30:00Z".to_owned());
            assert_eq!(schedule(template, night), expected, "{template}");
        }
    }

    #[test]
    fn an_order_that_was_ready_earlier_expires_earlier() {
        let requested_at: Timestamp = "2026-11-21T16:20:00Z".parse().unwrap();
        let late = RequestedNotification {
            requested_at,
            occurred_at: requested_at - Duration::from_mins(20),
            ..notification("order_ready", "2026-11-21T16:20:00Z")
        };
        let schedule = late.schedule(&TimeZone::UTC);
        assert_eq!(schedule.send_after, requested_at);
        assert_eq!(schedule.expires_at, requested_at + Duration::from_mins(10));
    }

    #[test]
    fn a_change_of_an_order_for_later_does_not_expire_before_its_promised_time() {
        let at: Timestamp = "2026-11-21T16:00:00Z".parse().unwrap();
        for (minutes_until_pickup, minutes_until_expiry) in [(14 * 60, 14 * 60), (10, 30), (-10, 30)] {
            let moved = RequestedNotification {
                useful_until: Some(at + jiff::SignedDuration::from_mins(minutes_until_pickup)),
                ..notification("order_delayed", "2026-11-21T16:00:00Z")
            };
            let schedule = moved.schedule(&TimeZone::UTC);
            let expires_at = at + jiff::SignedDuration::from_mins(minutes_until_expiry);
            assert_eq!(
                (schedule.send_after, schedule.expires_at),
                (at, expires_at),
                "{minutes_until_pickup}"
            );
        }
    }

    #[test]
    fn only_what_can_wait_waits_in_quiet_hours() {
        let zone = TimeZone::get("America/Los_Angeles").unwrap();
        let (night, morning): (Timestamp, Timestamp) = (
            "2026-11-21T05:05:00Z".parse().unwrap(),
            "2026-11-21T16:00:00Z".parse().unwrap(),
        );
        assert_eq!(quiet_until("refund_done", night, &zone), Some(morning));
        assert_eq!(quiet_until("order_ready", night, &zone), None);
        assert_eq!(quiet_until("refund_done", morning, &zone), None);
    }

    #[test]
    fn other_notifications_wait_for_the_morning_and_expire_a_day_later() {
        let expected = (
            "2026-11-21T16:00:00Z".to_owned(),
            "2026-11-22T16:00:00Z".to_owned(),
        );
        for template in [
            "refund_done",
            "refund_credited",
            "payment_returned",
            "debt_created",
            "gift_card_delivered",
            "gift_card_received",
            "auto_reloaded",
            "auto_reload_failed",
            "purchase_returned",
            "purchase_confirmed",
            "invitation_rewarded",
        ] {
            assert_eq!(schedule(template, "2026-11-21T05:00:00Z"), expected, "{template}");
        }
    }
}
