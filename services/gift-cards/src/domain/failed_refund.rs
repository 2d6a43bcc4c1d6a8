use types::{ConsumerId, Money, OrderId};

/// A refund that the consumer's bank did not accept.
#[derive(Debug, Clone)]
pub struct FailedRefund {
    /// Unique in payments.
    pub id: String,
    /// `None` once the consumer was removed.
    pub consumer_id: Option<ConsumerId>,
    pub amount: Money,
    /// `None` if a purchase was refunded.
    pub order_id: Option<OrderId>,
}
