//! What events report about orders and refunds.

use jiff::{Timestamp, Zoned};
use types::{ConsumerId, Money, OrderId, StoreId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tender {
    Card,
    Bank,
    JoePass,
    GiftCard,
    ApplePay,
    GooglePay,
}

/// Why an order ended without being completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndReason {
    PlacementFailed,
    PlacementInterrupted,
    CancelledByConsumer,
    NotAcceptedInTime,
    /// The bank released the hold before the money was captured.
    PaymentHoldExpired,
    /// The bank returned a debit.
    PaymentReturned,
    /// The held amount can no longer be captured.
    PaymentCaptureFailed,
    RejectedByStore,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndStatus {
    Cancelled,
    Rejected,
}

/// An order that was placed and then canceled or rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedOrder {
    pub order_id: OrderId,
    pub consumer_id: ConsumerId,
    pub status: EndStatus,
    pub reason: EndReason,
    /// Whether money was captured; it is then refunded.
    pub is_charged: bool,
    /// The store's message for the consumer, if the store rejected the order.
    pub message: String,
    /// May be empty.
    pub store_name: String,
    pub total: Money,
    pub tender: Tender,
    /// The part of the total that stored value paid. `None` if the tender paid all of it, and for events of earlier releases.
    pub stored_value: Option<StoredValue>,
    /// The promised time.
    pub ready_at: Option<Timestamp>,
    pub ended_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredValue {
    pub amount: Money,
    /// Name of the balance: "JoePass", "Gift card".
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletedOrder {
    pub order_id: OrderId,
    pub consumer_id: ConsumerId,
    /// `None` if the event has no valid store.
    pub store_id: Option<StoreId>,
    /// Subtotal less discounts.
    pub earning: Money,
    /// What was paid, with tax and tip.
    pub total: Money,
    /// Whether it was placed in the native app, where it earns more.
    pub is_in_app: bool,
    /// May be empty.
    pub store_name: String,
    pub completed_at: Timestamp,
}

/// An order that was prepared, but its payment was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpaidOrder {
    pub order_id: OrderId,
    pub consumer_id: ConsumerId,
    /// May be empty.
    pub store_name: String,
    /// What could not be charged: the total without the part that stored value paid.
    pub amount: Money,
    pub failed_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyOrder {
    pub order_id: OrderId,
    pub consumer_id: ConsumerId,
    /// May be empty.
    pub store_name: String,
    /// May be empty.
    pub pickup_number: String,
    pub made_at: Timestamp,
}

/// An order for which the store promised another time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DelayedOrder {
    pub order_id: OrderId,
    pub consumer_id: ConsumerId,
    /// Increases with each change of the order.
    pub version: i64,
    /// The new time, in the store's zone.
    pub ready_at: Zoned,
    pub delayed_at: Timestamp,
    /// May be empty.
    pub store_name: String,
    /// The store's message for the consumer; may be empty.
    pub reason: String,
    /// Whether the store moved a scheduled order, to an earlier or a later time.
    pub is_moved: bool,
}

/// Where a refund goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundDestination {
    /// The card or the bank account.
    PaymentMethod,
    /// The balance with this name: "JoePass", "Gift card".
    StoredValue(String),
}

/// A refund of a part of what a consumer paid by one payment method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    /// Of the message. Unique per refund.
    pub reference: String,
    /// Unique for the order.
    pub refund_id: String,
    pub consumer_id: ConsumerId,
    /// `None` if the charge did not pay for an order.
    pub order_id: Option<OrderId>,
    pub amount: Money,
    pub destination: RefundDestination,
    pub refunded_at: Timestamp,
}

/// A refund that revokes points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundedOrder {
    pub order_id: OrderId,
    /// Unique for the order.
    pub refund_id: String,
    pub consumer_id: ConsumerId,
    pub amount: Money,
    pub refunded_at: Timestamp,
}

impl EndStatus {
    /// Returns the part of a message reference that names the status.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Rejected => "rejected",
        }
    }
}
