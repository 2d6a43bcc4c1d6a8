//! Closes orders with an interrupted saga or an expired authentication. See `docs/decisions/0001-recovery-closes.md`.

use kit::{ErrorCode, InternalError, ServiceError};

use super::place_order::{
    fail::{close_resources, write_failure},
    not_placed,
};
use crate::{
    Ordering,
    db::{
        leases::{self, Lease},
        orders,
    },
    domain::end::EndReason,
};

/// Orders per run.
const BATCH_SIZE: i64 = 20;

/// Acquires expired leases and closes their orders. Returns the number of leases.
///
/// Acquiring a lease increments the epoch: a saga that was only slow can write nothing more, and its calls fail on the
/// tombstones. If an order cannot be closed now, it is tried again when this lease expires.
pub async fn recover_orders(cx: &Ordering) -> Result<usize, InternalError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let leases = leases::acquire_expired(&mut conn, now, now + cx.rules.saga_lease(), BATCH_SIZE).await?;
    drop(conn);
    for lease in &leases {
        if let Err(error) = recover_order(cx, lease).await {
            tracing::warn!(order_id = %lease.order_id, %error, "recovery failed; will retry");
        }
    }
    Ok(leases.len())
}

async fn recover_order(cx: &Ordering, lease: &Lease) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let record = orders::find(&mut conn, lease.order_id)
        .await?
        .filter(|record| record.placement.epoch == lease.epoch);
    drop(conn);
    let Some(record) = record else {
        tracing::debug!(order_id = %lease.order_id, "another task recovers the order");
        return Ok(());
    };
    close_resources(cx, lease.order_id).await?;
    kit::fault_point::reach("recover.closed");
    let (reason, error) = if lease.client_secret.is_empty() {
        (EndReason::PlacementInterrupted, not_placed())
    } else {
        let error = authentication_expired();
        (EndReason::PlacementFailed(error.reason.clone()), error)
    };
    write_failure(cx, &record, reason, &error).await?;
    Ok(())
}

fn authentication_expired() -> ServiceError {
    ServiceError::new(
        ErrorCode::Conflict,
        "AUTHENTICATION_EXPIRED",
        "The payment wasn't confirmed in time. You weren't charged.",
    )
}
