//! Webhooks: the events of orders that companies subscribe to, and when a delivery is sent again.

use std::{str::FromStr, time::Duration};

use jiff::{SignedDuration, Timestamp};
use kit::backoff::Backoff;
use rand::{Rng, RngExt};
use types::{CompanyId, EventId, StoreId, WebhookDeliveryId, WebhookSubscriptionId};

use super::webhook_keys::SealedSecret;

/// Time during which failed deliveries are sent again.
pub const RETRY_WINDOW: SignedDuration = SignedDuration::from_hours(72);
/// After 3 days with these intervals a delivery was sent about 23 times.
const BACKOFF: Backoff = Backoff::new(Duration::from_secs(5), Duration::from_hours(6));
/// Time during which the previous secret signs as well.
pub const DEFAULT_OVERLAP: SignedDuration = SignedDuration::from_hours(24);

macro_rules! event_kinds {
    ($($kind:ident = $name:literal;)*) => {
        /// A kind of event that a subscription can contain.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum EventKind { $($kind,)* }

        impl EventKind {
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }
        }
    };
}

event_kinds! {
    Placed = "order.placed";
    Accepted = "order.accepted";
    Preparing = "order.preparing";
    Ready = "order.ready";
    Completed = "order.completed";
    Cancelled = "order.cancelled";
    Rejected = "order.rejected";
    Delayed = "order.delayed";
    Arrived = "order.arrived";
    PaymentFailed = "order.payment_failed";
}

impl FromStr for EventKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().find(|kind| kind.as_str() == name);
        known.copied().ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|kind| kind.as_str()).collect();
            format!("unknown event; expected one of {}", names.join(", "))
        })
    }
}

/// An event of an order for the subscriptions of the store's company.
#[derive(Debug, Clone)]
pub(crate) struct WebhookEvent {
    pub(crate) event_id: EventId,
    pub(crate) kind: EventKind,
    pub(crate) store_id: StoreId,
    /// The body of the request.
    pub(crate) payload: String,
}

#[derive(Debug, Clone)]
pub struct Subscription {
    pub id: WebhookSubscriptionId,
    pub company_id: CompanyId,
    pub url: String,
    pub event_kinds: Vec<String>,
    pub paused: bool,
    pub created_at: Timestamp,
    pub pending: i64,
    pub failed: i64,
}

/// A delivery that the caller has leased.
#[derive(Debug)]
pub struct LeasedDelivery {
    pub id: WebhookDeliveryId,
    pub subscription_id: WebhookSubscriptionId,
    pub url: String,
    pub payload: String,
    /// Number of attempts, including this one.
    pub attempts: i32,
    pub retry_until: Timestamp,
    /// The newest secret first.
    pub secrets: Vec<SealedSecret>,
}

/// Returns when a delivery is sent again after a failed attempt, or `None` after the last one. The delays double, with
/// jitter of a fifth, so that a receiver that was down does not get all deliveries at once.
pub(crate) fn next_attempt(
    attempts: i32,
    retry_until: Timestamp,
    now: Timestamp,
    rng: &mut impl Rng,
) -> Option<Timestamp> {
    let delay = BACKOFF.delay_after(u32::try_from(attempts).unwrap_or(1));
    let next = now + delay.mul_f64(rng.random_range(0.8..=1.2));
    (next <= retry_until).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-11-20T17:00:00Z".parse().unwrap()
    }

    #[test]
    fn deliveries_are_sent_again_with_growing_delays_for_three_days() {
        let mut rng = rand::rng();
        let retry_until = now() + RETRY_WINDOW;
        let (mut at, mut attempts, mut delays) = (now(), 1, Vec::new());
        while let Some(next) = next_attempt(attempts, retry_until, at, &mut rng) {
            delays.push(next.duration_since(at).as_secs());
            (at, attempts) = (next, attempts + 1);
        }
        assert!((4..=6).contains(&delays[0]), "{delays:?}");
        assert!((16..=24).contains(&delays[2]), "{delays:?}");
        assert!(
            delays.iter().all(|delay| *delay <= 6 * 3600 * 12 / 10),
            "{delays:?}"
        );
        assert!(at > retry_until - SignedDuration::from_hours(8), "{at}");
        assert!((20..30).contains(&attempts), "{attempts}");
    }

    #[test]
    fn the_names_of_all_kinds_are_parsed() {
        for kind in EventKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(*kind));
        }
        let error = "order.teleported".parse::<EventKind>().unwrap_err();
        assert!(error.contains("order.payment_failed"), "{error}");
    }
}
