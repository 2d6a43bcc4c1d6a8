//! Orders.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use types::{ConsumerId, Money, OrderId, StoreId};

use super::{
    cart::Pickup,
    charge::is_charged_in,
    end::OrderEnd,
    journey_step::JourneyStep,
    line::OrderLine,
    pricing::Totals,
    quote::Reservation,
    status::{Actor, Status},
    tender::{StoredValuePart, Tender, TenderPart},
};

/// An order as its consumer and its store see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub id: OrderId,
    pub consumer_id: ConsumerId,
    /// A cart has at most one order that has not failed.
    pub cart_id: String,
    pub store_id: StoreId,
    pub store_name: String,
    pub store_address: String,
    /// IANA name of the store's time zone.
    pub time_zone: String,
    pub status: Status,
    /// Increases with each change.
    pub version: i64,
    pub lines: Vec<OrderLine>,
    pub totals: Totals,
    pub tax_rate_ppm: i64,
    pub promo_code: String,
    pub tender: Tender,
    /// Id of the payment method or, for stored value, of the balance; empty for JoePass.
    pub payment_method_id: String,
    /// Stored value that pays a part of the total, before the tender pays the rest.
    pub stored_value: Option<StoredValuePart>,
    /// Name of the balance that pays the order or a part of it; empty without stored value.
    pub stored_value_name: String,
    pub pickup: Pickup,
    pub vehicle: String,
    /// Name called out at the counter.
    pub pickup_name: String,
    pub journey_step: JourneyStep,
    /// Whether the consumer requested a time.
    pub is_scheduled: bool,
    /// The promised time.
    pub ready_at: Timestamp,
    /// The ready time that was promised first, if the store delayed the order.
    pub first_ready_at: Option<Timestamp>,
    /// The store's reason for a delay, shown to the consumer; may be empty.
    pub delay_reason: String,
    /// When the store marked the order as ready.
    pub made_at: Option<Timestamp>,
    /// When the store has to start making the order.
    pub start_at: Timestamp,
    pub created_at: Timestamp,
    pub placed_at: Option<Timestamp>,
    pub arrived_at: Option<Timestamp>,
    /// Reason code of a rejected, canceled or failed order, or of a prepared order that is unpaid; otherwise empty.
    pub reason: String,
    /// A sentence for the consumer that explains the reason.
    pub message: String,
    /// Set in responses while the order waits for the consumer to authenticate the payment. Not stored.
    pub client_secret: String,
    /// Whether money was captured. If the order ended without being completed, the money is refunded.
    pub is_charged: bool,
    /// Whether the consumer sent feedback.
    pub is_rated: bool,
}

impl Order {
    /// Returns a number that is short enough to call out, 100 to 999, from the random end of the id.
    #[must_use]
    pub fn pickup_number(&self) -> u32 {
        let number = self.id.uuid().as_u128() % 900 + 100;
        u32::try_from(number).unwrap_or_default()
    }

    /// Returns the ready time that was promised first. A delay does not change it.
    #[must_use]
    pub fn first_ready_at(&self) -> Timestamp {
        self.first_ready_at.unwrap_or(self.ready_at)
    }

    /// Promises the times of another reservation, with a reason that may be empty.
    pub fn move_to(&mut self, reservation: Reservation, reason: &str) {
        self.version += 1;
        self.first_ready_at = Some(self.first_ready_at());
        self.ready_at = reservation.ready_at;
        self.start_at = reservation.start_at;
        reason.clone_into(&mut self.delay_reason);
    }

    /// Returns whether the order is promised for this day in the store's time zone.
    #[must_use]
    pub fn is_promised_on(&self, day: Date) -> bool {
        let zone = TimeZone::get(&self.time_zone).unwrap_or(TimeZone::UTC);
        self.ready_at.to_zoned(zone).date() == day
    }

    /// Returns the amount that stored value pays.
    #[must_use]
    pub fn stored_value_amount(&self) -> Money {
        match &self.stored_value {
            Some(part) => part.amount,
            None if self.tender == Tender::JoePass => self.totals.total,
            None => Money::new(0, self.totals.total.currency()),
        }
    }

    /// Returns the amount that payments charges.
    #[must_use]
    pub fn charge_amount(&self) -> Money {
        let total = self.totals.total;
        Money::new(
            total.minor_units() - self.stored_value_amount().minor_units(),
            total.currency(),
        )
    }

    /// Returns the amount that the store has to collect because the charge of an order that was made failed.
    #[must_use]
    pub fn unpaid_amount(&self) -> Option<Money> {
        let is_unpaid = matches!(self.status, Status::Ready | Status::Completed) && !self.reason.is_empty();
        is_unpaid.then(|| self.charge_amount())
    }

    /// Returns the balance of the stored value; empty for JoePass.
    #[must_use]
    pub fn stored_value_balance_id(&self) -> &str {
        match &self.stored_value {
            Some(part) => &part.balance_id,
            None => &self.payment_method_id,
        }
    }

    /// Returns what pays the order: stored value first. Empty if the order costs nothing.
    #[must_use]
    pub fn tender_parts(&self) -> Vec<TenderPart> {
        let stored_value = self.may_have_hold().then(|| TenderPart {
            tender: Tender::JoePass,
            payment_method_id: self.stored_value_balance_id().to_owned(),
            name: self.stored_value_name.clone(),
            amount: self.stored_value_amount(),
        });
        let charge = self.may_have_charge().then(|| TenderPart {
            tender: self.tender,
            payment_method_id: self.payment_method_id.clone(),
            name: String::new(),
            amount: self.charge_amount(),
        });
        stored_value.into_iter().chain(charge).collect()
    }

    /// Returns whether payments may have a charge for the order.
    #[must_use]
    pub fn may_have_charge(&self) -> bool {
        self.tender.is_charged() && self.charge_amount().is_positive()
    }

    /// Returns whether gift-cards may hold stored value for the order.
    #[must_use]
    pub fn may_have_hold(&self) -> bool {
        self.stored_value_amount().is_positive()
    }

    /// Returns whether rewards may have a claim on a promo code for the order.
    #[must_use]
    pub const fn may_have_claim(&self) -> bool {
        !self.promo_code.is_empty()
    }
}

/// A scheduled order as its store sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduledOrder {
    pub details: OrderDetails,
    /// Whether the store is closed at the promised time, because its hours changed.
    pub is_outside_hours: bool,
}

/// How an order is placed: data that only its saga needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    pub idempotency_key: String,
    /// Make time in seconds.
    pub make_seconds: u32,
    /// Requested ready time; as soon as possible if absent.
    pub pickup_at: Option<Timestamp>,
    /// Latest ready time that the consumer agreed to.
    pub not_after: Timestamp,
    /// Fencing token: incremented whenever another task acquires the saga's lease.
    pub epoch: i64,
    /// Whether the order waits for the consumer to authenticate the payment, and no task works on it.
    pub awaits_authentication: bool,
}

/// An order as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderRecord {
    pub order: Order,
    pub placement: Placement,
}

impl OrderRecord {
    /// Returns whether an order whose capacity is reserved can be ready in time if it is placed now. Several baristas share
    /// the make time, and the reservation may begin later than it has to.
    #[must_use]
    pub fn can_meet_eta(&self, now: Timestamp) -> bool {
        let work = SignedDuration::from_secs(self.placement.make_seconds.into());
        let reserved = self.order.ready_at.duration_since(self.order.start_at);
        now + work.min(reserved) <= self.placement.not_after
    }

    /// Returns the order as it is stored after a transition at `at`.
    #[must_use]
    pub fn after(&self, transition: &Transition, at: Timestamp) -> Self {
        let order = &self.order;
        let end = transition.end.as_ref();
        Self {
            order: Order {
                status: transition.status,
                version: order.version + 1,
                // A prepared order that is unpaid keeps the reason.
                reason: end.map_or_else(|| order.reason.clone(), |end| end.reason.as_str().to_owned()),
                message: end.map_or_else(|| order.message.clone(), |end| end.message.to_string()),
                placed_at: transition.placed_at.or(order.placed_at),
                made_at: match transition.status {
                    Status::Ready => Some(at),
                    _ => order.made_at,
                },
                client_secret: String::new(),
                is_charged: end.map_or_else(
                    || {
                        order.reason.is_empty()
                            && is_charged_in(transition.status, order.tender, order.totals.total)
                    },
                    |end| end.is_charged,
                ),
                ..order.clone()
            },
            placement: Placement {
                awaits_authentication: false,
                ..self.placement.clone()
            },
        }
    }
}

/// A change of an order's status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    pub status: Status,
    /// Set if the order ends without being completed.
    pub end: Option<OrderEnd>,
    /// Set when the order is placed.
    pub placed_at: Option<Timestamp>,
    /// Set when the order waits for the store: the system cancels the order if no store accepts it within this time.
    pub accept_within: Option<Duration>,
}

impl Transition {
    #[must_use]
    pub const fn to(status: Status) -> Self {
        Self {
            status,
            end: None,
            placed_at: None,
            accept_within: None,
        }
    }
}

/// An entry of an order's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusChange {
    pub status: Status,
    pub at: Timestamp,
    pub actor: Actor,
    /// The new promised time, if the store delayed the order and the status stayed.
    pub ready_at: Option<Timestamp>,
}

/// An order with its history, oldest entry first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderDetails {
    pub order: Order,
    pub history: Vec<StatusChange>,
}
