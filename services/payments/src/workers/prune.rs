//! Deletes rows that are no longer needed, in batches.

use std::time::Duration;

use sqlx::PgConnection;

use crate::Payments;
use crate::db::{charge_phone_hashes, effects, provider_events};

const INTERVAL: Duration = Duration::from_mins(1);
/// Pause between batches, so that pruning does not delay other statements.
const PAUSE: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, Copy)]
enum Table {
    ProviderEvents,
    Effects,
    ChargePhoneHashes,
}

/// Runs until shutdown.
pub async fn run(cx: Payments) {
    loop {
        if let Err(error) = prune(&cx).await {
            tracing::warn!(%error, "prune failed; will retry");
        }
        if !cx.process.sleep(INTERVAL).await {
            return;
        }
    }
}

/// Deletes received events and finished effects that are older than their retention, and hashes of phone numbers that have expired.
/// Effects that are planned or failed are kept. Returns the number of deleted rows.
pub async fn prune(cx: &Payments) -> Result<u64, kit::InternalError> {
    let mut total = 0;
    for table in [Table::ProviderEvents, Table::Effects, Table::ChargePhoneHashes] {
        let mut rows = 0;
        loop {
            let mut conn = cx.pool.acquire().await?;
            let deleted = delete_batch(cx, table, &mut conn).await?;
            drop(conn);
            rows += deleted;
            if deleted < u64::from(cx.retention.batch_size) || !cx.process.sleep(PAUSE).await {
                break;
            }
        }
        if rows > 0 {
            tracing::info!(rows, ?table, "pruned");
        }
        total += rows;
    }
    Ok(total)
}

async fn delete_batch(cx: &Payments, table: Table, conn: &mut PgConnection) -> Result<u64, sqlx::Error> {
    let (now, limit) = (cx.clock.now(), i64::from(cx.retention.batch_size));
    match table {
        Table::ProviderEvents => {
            provider_events::delete_received(conn, now - cx.retention.provider_events, limit).await
        }
        Table::Effects => effects::delete_done(conn, now - cx.retention.effects, limit).await,
        Table::ChargePhoneHashes => charge_phone_hashes::delete_expired(conn, now, limit).await,
    }
}
