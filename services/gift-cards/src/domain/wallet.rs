//! A consumer's balance and its transactions.

use jiff::Timestamp;
use types::{BalanceId, EntryId, Money, OrderId};

use super::hold::HoldState;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    pub id: BalanceId,
    pub available: Money,
    /// Held for orders that no store has accepted yet.
    pub held: Money,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    pub id: EntryId,
    /// Type of the posting: `order_held`, `gift`.
    pub kind: String,
    /// Signed.
    pub amount: Money,
    pub balance_after: Money,
    pub at: Timestamp,
    pub title: String,
    pub order_id: Option<OrderId>,
    /// Current state of the order's hold; `None` if the transaction is not about an order.
    pub hold_state: Option<HoldState>,
}
