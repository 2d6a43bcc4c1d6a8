//! Gives back what an order holds, or makes sure that it never holds any.

use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::{Money, OrderId};

use super::books;
use crate::{GiftCards, db, domain::Hold};

/// Closes an order's hold, in a transaction of its own. Idempotent.
///
/// # Errors
/// [`InternalError`].
pub async fn close_hold(cx: &GiftCards, order: OrderId) -> Result<(Hold, Money), InternalError> {
    let mut tx = cx.pool.begin().await?;
    let hold = close(&mut tx, order, cx.clock.now()).await?;
    let available = match hold.stake() {
        Some(stake) => ledger::account::balance(&mut tx, books::account_id(stake.balance))
            .await?
            .unwrap_or_default(),
        None => 0,
    };
    tx.commit().await?;
    Ok((hold, Money::usd(available)))
}

/// Gives back what the order holds. Where it holds nothing, plants a tombstone, so that a delayed hold is refused.
pub(crate) async fn close(
    conn: &mut PgConnection,
    order: OrderId,
    at: Timestamp,
) -> Result<Hold, InternalError> {
    if db::holds::insert(conn, order, &Hold::Closed, at).await? {
        return Ok(Hold::Closed);
    }
    let standing = db::holds::lock(conn, order).await?;
    give_back(
        conn,
        order,
        standing.ok_or_else(|| InternalError::broken("a hold that was there is gone"))?,
        at,
    )
    .await
}

async fn give_back(
    conn: &mut PgConnection,
    order: OrderId,
    hold: Hold,
    at: Timestamp,
) -> Result<Hold, InternalError> {
    let before = hold.state();
    let (hold, movement) = hold.give_back();
    let (Some(movement), Some(stake)) = (movement, hold.stake()) else {
        return Ok(hold);
    };
    db::holds::change(conn, order, before, &hold, at).await?;
    if let Some(side) = books::carry_out(conn, order, stake, movement, at)
        .await
        .map_err(books::fault)?
        && let Some(owner) = ledger::account::owner(conn, books::account_id(stake.balance)).await?
    {
        books::announce(conn, owner, stake.balance, side, at).await?;
    }
    Ok(hold)
}
