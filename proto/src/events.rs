//! The facts that services publish, and what each is called on the wire.

use crate::{accounts, giftcards, ordering, payments, rewards, stores};

/// A fact. Its kind is the routing key that it is published under.
pub trait Event: prost::Message + Default {
    /// `service.Name`.
    const KIND: &'static str;
}

macro_rules! events {
    ($($message:path = $kind:literal;)*) => {$(
        impl Event for $message {
            const KIND: &'static str = $kind;
        }
    )*};
}

events! {
    accounts::v1::ConsumerRegistered = "accounts.ConsumerRegistered";
    accounts::v1::ConsumerRemoved = "accounts.ConsumerRemoved";
    stores::v1::StoreStatusChanged = "stores.StoreStatusChanged";
    stores::v1::MenuChanged = "stores.MenuChanged";
    ordering::v1::OrderPlaced = "ordering.OrderPlaced";
    ordering::v1::OrderAccepted = "ordering.OrderAccepted";
    ordering::v1::OrderPreparing = "ordering.OrderPreparing";
    ordering::v1::OrderReady = "ordering.OrderReady";
    ordering::v1::OrderCompleted = "ordering.OrderCompleted";
    ordering::v1::OrderAbandoned = "ordering.OrderAbandoned";
    ordering::v1::OrderCancelled = "ordering.OrderCancelled";
    ordering::v1::OrderRejected = "ordering.OrderRejected";
    ordering::v1::OrderArrived = "ordering.OrderArrived";
    payments::v1::PaymentAuthorized = "payments.PaymentAuthorized";
    payments::v1::PaymentDeclined = "payments.PaymentDeclined";
    payments::v1::PaymentSettled = "payments.PaymentSettled";
    payments::v1::PaymentReturned = "payments.PaymentReturned";
    payments::v1::RefundDone = "payments.RefundDone";
    payments::v1::MethodChanged = "payments.MethodChanged";
    giftcards::v1::BalanceChanged = "gift-cards.BalanceChanged";
    rewards::v1::PointsEarned = "rewards.PointsEarned";
    rewards::v1::InboxMessageAdded = "rewards.InboxMessageAdded";
}
