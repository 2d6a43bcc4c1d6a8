//! Drops make-minutes that are past, so that the table holds days and not years.

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use kit::lifecycle::Process;

use crate::{Stores, db, domain::capacity::slice_of};

const EVERY: Duration = Duration::from_secs(3600);
/// Slices are of no use once past; a day is left for those who look into a complaint.
const KEEP_SLICES: SignedDuration = SignedDuration::from_hours(24);
/// A call that reserves or releases comes within minutes of its order; a month is for queues that stood still.
const KEEP_RESERVATIONS: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Prunes every hour until the process is told to stop.
pub async fn run(process: Process, cx: Arc<Stores>) {
    loop {
        match prune(&cx, cx.clock.now()).await {
            Ok(0) => {}
            Ok(rows) => tracing::info!(rows, "dropped make-minutes that are past"),
            Err(error) => tracing::warn!(%error, "make-minutes that are past were not dropped"),
        }
        if !process.sleep(EVERY).await {
            return;
        }
    }
}

async fn prune(cx: &Stores, now: Timestamp) -> Result<u64, sqlx::Error> {
    let mut conn = cx.pool.acquire().await?;
    db::capacity::prune(&mut conn, slice_of(now - KEEP_SLICES), now - KEEP_RESERVATIONS).await
}
