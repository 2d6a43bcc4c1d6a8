//! Closes orders with an interrupted saga or an expired authentication. See `docs/decisions/0001-recovery-closes.md`.

use std::time::Duration;

use kit::{ErrorCode, InternalError, ServiceError, grpc::deadline};

use super::place_order::{
    fail::{Failure, close_resources, write_failure},
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

/// Maximum number of orders per run that hold resources of the same services.
const BATCH_SIZE: i64 = 20;

/// Time to close one order, which passes if a service does not respond.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Time after which an order that could not be closed is retried.
const LEASE: Duration = Duration::from_secs(5);

/// Acquires expired leases and closes their orders concurrently. Returns the number of leases.
///
/// Acquiring a lease increments the epoch: writes of a slow saga have no effect from then on, and its calls fail
/// because of the tombstones. If an order cannot be closed, it is retried when this lease expires.
pub async fn recover_orders(cx: &Ordering) -> Result<usize, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let leases = leases::acquire_expired(&mut conn, LEASE, BATCH_SIZE).await?;
    drop(conn);
    let count = leases.len();
    let tasks: Vec<_> = leases
        .into_iter()
        .map(|lease| {
            let task_cx = cx.clone();
            cx.process
                .spawn(async move { recover_within_timeout(&task_cx, &lease).await })
        })
        .collect();
    for task in tasks {
        task.await.map_err(InternalError::invariant_violated)?;
    }
    Ok(count)
}

async fn recover_within_timeout(cx: &Ordering, lease: &Lease) {
    let recovery = tokio::time::timeout(TIMEOUT, Box::pin(recover_order(cx, lease)));
    match deadline::within(TIMEOUT, recovery).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(order_id = %lease.order_id, %error, "recovery failed; will retry");
        }
        Err(_) => tracing::warn!(order_id = %lease.order_id, "recovery timed out; will retry"),
    }
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
    close_resources(cx, &record.order).await?;
    kit::fault_point::reach("recover.closed");
    let (reason, error) = if lease.awaited_authentication {
        let error = authentication_expired();
        (EndReason::PlacementFailed(error.reason.clone()), error)
    } else {
        (EndReason::PlacementInterrupted, not_placed(record.order.tender))
    };
    write_failure(cx, &record, Failure::by_system(reason, &error)).await?;
    Ok(())
}

fn authentication_expired() -> ServiceError {
    ServiceError::new(
        ErrorCode::Conflict,
        "AUTHENTICATION_EXPIRED",
        "The payment wasn't confirmed in time. You weren't charged.",
    )
}
