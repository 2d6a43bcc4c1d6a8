use jiff::Timestamp;
use kit::outbox;
use ledger::BalanceAfter;
use sqlx::PgConnection;
use types::{BalanceId, ConsumerId};

use crate::convert;

/// Writes `BalanceChanged` to the outbox.
pub(super) async fn publish_balance_changed(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    balance_id: BalanceId,
    after: BalanceAfter,
    at: Timestamp,
) -> sqlx::Result<()> {
    let entry = convert::balance_changed(consumer_id, balance_id, after, at);
    outbox::append(conn, entry).await
}
