//! Postings of held amounts.

use jiff::Timestamp;
use ledger::{Overdraft, PostError, Posted, Posting, Unit};
use sqlx::PgConnection;
use types::OrderId;

use super::accounts::{IN_FLIGHT, SALES, account_id};
use crate::domain::hold::{HeldAmount, Movement};

/// Posts a movement of the order's held amount. Idempotent by order and movement. An amount of 0 has no posting.
pub async fn post_movement(
    conn: &mut PgConnection,
    order_id: OrderId,
    held: &HeldAmount,
    movement: Movement,
    at: Timestamp,
) -> Result<Option<Posted>, PostError> {
    if !held.amount.is_positive() {
        return Ok(None);
    }
    let balance = account_id(held.balance_id);
    let (step, kind, from, to) = match movement {
        Movement::Hold => ("hold", "order_held", balance, IN_FLIGHT),
        Movement::Capture => ("capture", "order_captured", IN_FLIGHT, SALES),
        Movement::Release => ("release", "order_released", IN_FLIGHT, balance),
        Movement::Refund => ("refund", "order_refunded", SALES, balance),
    };
    let posting = Posting {
        reference: &format!("order:{order_id}:{step}"),
        from,
        to,
        unit: Unit::Usd,
        amount: held.amount.minor_units(),
        overdraft: Overdraft::Refused,
        kind,
        explanation: &movement.title(held),
        subject: Some(order_id.uuid()),
        at,
    };
    ledger::post(conn, posting).await.map(Some)
}
