//! Which services consume which events. Every process declares all exchanges and queues before it publishes
//! (`kit::messaging::Broker`, where the reason for each queue argument is given). Each gateway also binds an exclusive queue
//! to the order events, for live updates.

/// Prefix of the names of exchanges and queues.
pub const PREFIX: &str = "orderahead";

/// Each consuming service with the event types that its queue is bound to.
pub const CONSUMERS: &[(&str, &[&str])] = &[
    (
        "accounts",
        &["rewards.NotificationRequested", "ordering.OrderCancelled"],
    ),
    (
        "stores",
        &[
            "ordering.OrderPlaced",
            "ordering.OrderAccepted",
            "ordering.OrderPreparing",
            "ordering.OrderArrived",
            "ordering.OrderDelayed",
            "ordering.OrderPaymentFailed",
            "ordering.OrderAbandoned",
            "ordering.OrderCancelled",
            "ordering.OrderRejected",
            "ordering.OrderReady",
            "ordering.OrderCompleted",
            "ordering.OrderRated",
            "accounts.ConsumerRemoved",
        ],
    ),
    (
        "ordering",
        &[
            "payments.PaymentAuthorized",
            "payments.PaymentDeclined",
            "payments.PaymentReturned",
            "payments.CaptureFailed",
            "payments.DebtCreated",
            "accounts.ConsumerRemoved",
        ],
    ),
    (
        "payments",
        &[
            "ordering.OrderAccepted",
            "ordering.OrderReady",
            "ordering.OrderCompleted",
            "ordering.OrderAbandoned",
            "ordering.OrderCancelled",
            "ordering.OrderRejected",
            "gift-cards.PurchaseReturned",
            "accounts.ConsumerRegistered",
            "accounts.ConsumerRemoved",
        ],
    ),
    (
        "gift-cards",
        &[
            "ordering.OrderAccepted",
            "ordering.OrderAbandoned",
            "ordering.OrderCancelled",
            "ordering.OrderRejected",
            "payments.PaymentSettled",
            "payments.PaymentDeclined",
            "payments.PaymentReturned",
            "payments.RefundFailed",
            "payments.MethodChanged",
            "accounts.ConsumerRemoved",
        ],
    ),
    (
        "rewards",
        &[
            "ordering.OrderReady",
            "ordering.OrderDelayed",
            "ordering.OrderCompleted",
            "ordering.OrderAbandoned",
            "ordering.OrderCancelled",
            "ordering.OrderRejected",
            "ordering.OrderPaymentFailed",
            "payments.PaymentReturned",
            "payments.RefundDone",
            "payments.DebtCreated",
            "gift-cards.AutoReloaded",
            "gift-cards.AutoReloadFailed",
            "gift-cards.GiftCardDelivered",
            "gift-cards.PurchaseReturned",
            "gift-cards.PurchaseConfirmed",
            "gift-cards.RefundCredited",
            "gift-cards.HoldRefunded",
            "accounts.ConsumerRegistered",
            "accounts.ConsumerRemoved",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::EVENT_TYPES;

    #[test]
    fn services_consume_only_event_types_that_exist() {
        for (service, event_types) in CONSUMERS {
            for event_type in *event_types {
                assert!(EVENT_TYPES.contains(event_type), "{service}: {event_type}");
            }
        }
    }
}
