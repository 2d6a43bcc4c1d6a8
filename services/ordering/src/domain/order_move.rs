//! Moves of scheduled orders.

use jiff::Timestamp;
use types::OrderId;

use super::{order::Order, status::Status};

/// A move of a scheduled order to another ready time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderMove {
    pub order_id: OrderId,
    /// `None` if only the reservation is to be moved to the promised time.
    pub ready_at: Option<Timestamp>,
    /// Shown to the consumer. May be empty.
    pub reason: String,
    /// Changes when another task acquires the move.
    pub epoch: i64,
}

impl OrderMove {
    /// Returns the time that the reservation must have: the new time if the order is still scheduled, otherwise the
    /// promised time. `None` if the order is closed, which releases the reservation.
    #[must_use]
    pub fn reserved_time(&self, order: &Order) -> Option<Timestamp> {
        match order.status {
            status if status.is_final() => None,
            Status::Scheduled => Some(self.ready_at.unwrap_or(order.ready_at)),
            _ => Some(order.ready_at),
        }
    }
}
