use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::{Money, OrderId};

use super::publish_balance_changed::publish_balance_changed;
use crate::{
    GiftCards,
    db::{
        accounts::{self, account_id},
        holds, order_refunds,
        postings::post_movement,
    },
    domain::hold::{HeldAmount, Hold, HoldSnapshot},
};

/// Releases the order's hold, or prevents a later one. Idempotent.
pub async fn close_hold(cx: &GiftCards, order_id: OrderId) -> Result<HoldSnapshot, InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let hold = close_hold_in(&mut tx, order_id, cx.clock.now()).await?;
    let available = match hold.held_amount() {
        Some(held_amount) => accounts::available(&mut tx, account_id(held_amount.balance_id)).await?,
        None => Money::ZERO,
    };
    tx.commit().await?;
    kit::fault_point::reach("hold.closed");
    Ok(HoldSnapshot {
        order_id,
        hold,
        available,
    })
}

/// Closes the hold in the caller's transaction. If the order holds nothing, writes a tombstone, so that a delayed
/// request to hold fails.
pub(crate) async fn close_hold_in(
    conn: &mut PgConnection,
    order_id: OrderId,
    at: Timestamp,
) -> Result<Hold, InternalError> {
    if holds::insert(conn, order_id, &Hold::Closed, at).await? {
        return Ok(Hold::Closed);
    }
    let hold = holds::lock(conn, order_id)
        .await?
        .ok_or_else(|| InternalError::invariant_violated("existing hold not found"))?;
    release(conn, order_id, hold, at).await
}

async fn release(
    conn: &mut PgConnection,
    order_id: OrderId,
    hold: Hold,
    at: Timestamp,
) -> Result<Hold, InternalError> {
    let from = hold.state();
    let (hold, movement) = hold.release();
    let (Some(movement), Some(held_amount)) = (movement, hold.held_amount()) else {
        return Ok(hold);
    };
    holds::update_state(conn, order_id, from, hold.state(), at).await?;
    let rest = HeldAmount {
        amount: amount_not_refunded(conn, order_id, held_amount).await?,
        ..held_amount.clone()
    };
    let posted = post_movement(conn, order_id, &rest, movement, at).await?;
    if let Some(after) = posted.and_then(|posted| posted.to)
        && let Some(consumer_id) = accounts::consumer_of(conn, held_amount.balance_id).await?
    {
        publish_balance_changed(conn, consumer_id, held_amount.balance_id, after, at).await?;
    }
    Ok(hold)
}

/// Returns the amount of a hold without the parts that were refunded.
pub(crate) async fn amount_not_refunded(
    conn: &mut PgConnection,
    order_id: OrderId,
    held_amount: &HeldAmount,
) -> Result<Money, InternalError> {
    let refunded = order_refunds::total_cents(conn, order_id).await?;
    Ok(Money::usd(held_amount.amount.minor_units() - refunded))
}
