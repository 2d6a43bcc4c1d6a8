/// The state of an order's charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Charge {
    /// The provider has not reported an outcome yet.
    Pending,
    /// Waits for the consumer to authenticate with the provider.
    RequiresAction {
        client_secret: String,
    },
    Authorized,
    /// A bank debit was started.
    Processing,
    Succeeded,
    Declined {
        reason: String,
        message: String,
    },
    /// Voided, or closed by a tombstone before it was created.
    Closed,
    Returned,
    Disputed,
    Refunded,
}
