//! The store accepted: what the order holds is ours.

use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::OrderId;

use super::books;
use crate::db;

/// Captures what an order holds. Nothing to do for an order that holds nothing here, and none for one whose end was
/// heard of before its acceptance.
pub(crate) async fn capture(
    conn: &mut PgConnection,
    order: OrderId,
    at: Timestamp,
) -> Result<(), InternalError> {
    let Some(hold) = db::holds::lock(conn, order).await? else {
        return Ok(());
    };
    let before = hold.state();
    let (hold, movement) = match hold.capture() {
        Ok(change) => change,
        Err(given_back) => {
            tracing::info!(%order, reason = %given_back, "not captured");
            return Ok(());
        }
    };
    let (Some(movement), Some(stake)) = (movement, hold.stake()) else {
        return Ok(());
    };
    db::holds::change(conn, order, before, &hold, at).await?;
    books::carry_out(conn, order, stake, movement, at)
        .await
        .map_err(books::fault)?;
    Ok(())
}
