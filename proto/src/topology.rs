//! Who consumes which facts. One file, declared whole by every process; a gateway binds a queue of its own besides.

/// Each consuming service with the kinds that its queue is bound to.
pub const CONSUMERS: &[(&str, &[&str])] = &[
    (
        "stores",
        &[
            "ordering.OrderAbandoned",
            "ordering.OrderCancelled",
            "ordering.OrderRejected",
            "ordering.OrderCompleted",
            "accounts.ConsumerRemoved",
        ],
    ),
    ("ordering", &["payments.PaymentAuthorized", "payments.PaymentDeclined", "accounts.ConsumerRemoved"]),
    (
        "payments",
        &[
            "ordering.OrderAccepted",
            "ordering.OrderAbandoned",
            "ordering.OrderCancelled",
            "ordering.OrderRejected",
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
            "accounts.ConsumerRemoved",
        ],
    ),
    (
        "rewards",
        &[
            "ordering.OrderReady",
            "ordering.OrderCompleted",
            "ordering.OrderAbandoned",
            "ordering.OrderCancelled",
            "ordering.OrderRejected",
            "payments.RefundDone",
            "accounts.ConsumerRegistered",
            "accounts.ConsumerRemoved",
        ],
    ),
];
