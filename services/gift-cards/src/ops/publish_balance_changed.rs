use jiff::Timestamp;
use kit::outbox;
use ledger::BalanceAfter;
use sqlx::PgConnection;
use types::{BalanceId, ConsumerId, limits::MAX_AUTO_RELOAD_THRESHOLD_CENTS};

use crate::{convert, db::auto_reload};

/// Writes `BalanceChanged` to the outbox, and lets the rule for automatic reloads be checked if the balance is JoePass and
/// below its threshold. Not for reloads themselves: one that is smaller than the threshold is not followed by another one.
pub(super) async fn publish_balance_changed(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    balance_id: BalanceId,
    after: BalanceAfter,
    at: Timestamp,
) -> sqlx::Result<()> {
    let entry = convert::balance_changed(consumer_id, balance_id, after, at);
    outbox::append(conn, entry).await?;
    // Thresholds are not higher than that.
    if after.balance < MAX_AUTO_RELOAD_THRESHOLD_CENTS {
        auto_reload::mark_due(conn, consumer_id, balance_id, after.balance).await?;
    }
    Ok(())
}
