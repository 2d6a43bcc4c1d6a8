//! Moves of scheduled orders.

use jiff::Timestamp;
use types::OrderId;

use super::{order::Order, status::Status};

/// A move of a scheduled order to another ready time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderMove {
    pub order_id: OrderId,
    pub ready_at: Timestamp,
    /// Shown to the consumer. May be empty.
    pub reason: String,
    /// Changes when another task acquires the move.
    pub epoch: i64,
}

impl OrderMove {
    /// Returns the time that the reservation must have: the promised one if the order is no longer scheduled. `None` if the order
    /// is closed, which releases the reservation.
    #[must_use]
    pub fn reserved_time(&self, order: &Order) -> Option<Timestamp> {
        match order.status {
            Status::Scheduled => Some(self.ready_at),
            status if status.is_final() => None,
            _ => Some(order.ready_at),
        }
    }
}
