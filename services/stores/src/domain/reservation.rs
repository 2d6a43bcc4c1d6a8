//! Reservations of capacity for orders.

use jiff::Timestamp;
use types::{OrderId, StoreId};

use super::pickup::RequestedPickup;

#[derive(Debug, Clone, Copy)]
pub struct ReserveCapacity {
    /// The idempotency key: a second request for the order returns the first reservation.
    pub order_id: OrderId,
    pub store_id: StoreId,
    pub make_seconds: u32,
    pub pickup: RequestedPickup,
    /// The latest acceptable ready time.
    pub not_after: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reservation {
    pub order_id: OrderId,
    /// When the store has to start making the order.
    pub start_at: Timestamp,
    pub ready_at: Timestamp,
}
