//! Event types of the event envelopes. The event type is also the routing key.

use crate::{accounts, giftcards, ordering, payments, rewards, stores};

/// An event envelope: one message per aggregate, with a `oneof` for the change.
pub trait Event: prost::Message + Default {
    /// Returns the event type, for example `ordering.OrderPlaced`, or an empty string if the change is missing or was added
    /// by a newer version of the contract.
    fn event_type(&self) -> &'static str;
}

macro_rules! events {
    ($($envelope:path { $($variant:path => $event_type:literal,)* })*) => {
        $(impl Event for $envelope {
            fn event_type(&self) -> &'static str {
                match &self.change {
                    $(Some($variant(_)) => $event_type,)*
                    None => "",
                }
            }
        })*

        pub const EVENT_TYPES: &[&str] = &[$($($event_type,)*)*];
    };
}

events! {
    accounts::v1::ConsumerEvent {
        accounts::v1::consumer_event::Change::Registered => "accounts.ConsumerRegistered",
        accounts::v1::consumer_event::Change::Removed => "accounts.ConsumerRemoved",
    }
    stores::v1::StoreEvent {
        stores::v1::store_event::Change::StatusChanged => "stores.StoreStatusChanged",
        stores::v1::store_event::Change::AvailabilityChanged => "stores.AvailabilityChanged",
    }
    stores::v1::CompanyEvent {
        stores::v1::company_event::Change::MenuChanged => "stores.MenuChanged",
    }
    ordering::v1::OrderEvent {
        ordering::v1::order_event::Change::Placed => "ordering.OrderPlaced",
        ordering::v1::order_event::Change::Accepted => "ordering.OrderAccepted",
        ordering::v1::order_event::Change::Preparing => "ordering.OrderPreparing",
        ordering::v1::order_event::Change::Ready => "ordering.OrderReady",
        ordering::v1::order_event::Change::Completed => "ordering.OrderCompleted",
        ordering::v1::order_event::Change::Abandoned => "ordering.OrderAbandoned",
        ordering::v1::order_event::Change::Cancelled => "ordering.OrderCancelled",
        ordering::v1::order_event::Change::Rejected => "ordering.OrderRejected",
        ordering::v1::order_event::Change::Arrived => "ordering.OrderArrived",
        ordering::v1::order_event::Change::PaymentFailed => "ordering.OrderPaymentFailed",
        ordering::v1::order_event::Change::Delayed => "ordering.OrderDelayed",
        ordering::v1::order_event::Change::Rated => "ordering.OrderRated",
    }
    payments::v1::ChargeEvent {
        payments::v1::charge_event::Change::Authorized => "payments.PaymentAuthorized",
        payments::v1::charge_event::Change::Declined => "payments.PaymentDeclined",
        payments::v1::charge_event::Change::Settled => "payments.PaymentSettled",
        payments::v1::charge_event::Change::Returned => "payments.PaymentReturned",
        payments::v1::charge_event::Change::Refunded => "payments.RefundDone",
        payments::v1::charge_event::Change::CaptureFailed => "payments.CaptureFailed",
        payments::v1::charge_event::Change::RefundFailed => "payments.RefundFailed",
        payments::v1::charge_event::Change::Disputed => "payments.PaymentDisputed",
        payments::v1::charge_event::Change::DebtRecovered => "payments.DebtRecovered",
        payments::v1::charge_event::Change::DebtCreated => "payments.DebtCreated",
    }
    payments::v1::PaymentMethodEvent {
        payments::v1::payment_method_event::Change::MethodChanged => "payments.MethodChanged",
    }
    giftcards::v1::BalanceEvent {
        giftcards::v1::balance_event::Change::BalanceChanged => "gift-cards.BalanceChanged",
        giftcards::v1::balance_event::Change::RefundCredited => "gift-cards.RefundCredited",
        giftcards::v1::balance_event::Change::HoldRefunded => "gift-cards.HoldRefunded",
    }
    giftcards::v1::PurchaseEvent {
        giftcards::v1::purchase_event::Change::GiftCardIssued => "gift-cards.GiftCardIssued",
        giftcards::v1::purchase_event::Change::GiftCardDelivered => "gift-cards.GiftCardDelivered",
        giftcards::v1::purchase_event::Change::AutoReloaded => "gift-cards.AutoReloaded",
        giftcards::v1::purchase_event::Change::AutoReloadFailed => "gift-cards.AutoReloadFailed",
        giftcards::v1::purchase_event::Change::PurchaseReturned => "gift-cards.PurchaseReturned",
        giftcards::v1::purchase_event::Change::PurchaseConfirmed => "gift-cards.PurchaseConfirmed",
    }
    rewards::v1::PointsEvent {
        rewards::v1::points_event::Change::PointsEarned => "rewards.PointsEarned",
    }
    rewards::v1::InboxEvent {
        rewards::v1::inbox_event::Change::MessageAdded => "rewards.InboxMessageAdded",
    }
    rewards::v1::NotificationEvent {
        rewards::v1::notification_event::Change::Requested => "rewards.NotificationRequested",
    }
}
