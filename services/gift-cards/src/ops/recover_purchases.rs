//! Closes purchases with an interrupted saga or an expired authentication.

use std::time::Duration;

use kit::{InternalError, grpc::deadline};

use super::purchase::fail::{authentication_expired, fail_in, not_completed};
use crate::{
    GiftCards,
    db::{
        purchase_leases::{self, ExpiredLease},
        purchases,
    },
};

const BATCH_SIZE: i64 = 20;
/// Timeout for closing one purchase.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Time after which a purchase that could not be closed is retried.
const LEASE: Duration = Duration::from_secs(5);

/// Acquires expired leases and closes their purchases concurrently. Returns the number of leases.
///
/// Closing the charge comes first: it voids or refunds what was charged and prevents a later charge. A saga that
/// was only slow can write nothing more, because acquiring the lease increments the epoch.
pub async fn recover_purchases(cx: &GiftCards) -> Result<usize, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let leases = purchase_leases::acquire_expired(&mut conn, LEASE, BATCH_SIZE).await?;
    drop(conn);
    let count = leases.len();
    let tasks: Vec<_> = leases
        .into_iter()
        .map(|lease| {
            let task_cx = cx.clone();
            cx.process
                .spawn(async move { recover_within_timeout(&task_cx, lease).await })
        })
        .collect();
    for task in tasks {
        task.await.map_err(InternalError::invariant_violated)?;
    }
    Ok(count)
}

async fn recover_within_timeout(cx: &GiftCards, lease: ExpiredLease) {
    let recovery = tokio::time::timeout(TIMEOUT, recover(cx, lease));
    match deadline::within(TIMEOUT, recovery).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(purchase_id = %lease.id, %error, "recovery failed; will retry"),
        Err(_) => tracing::warn!(purchase_id = %lease.id, "recovery timed out; will retry"),
    }
}

async fn recover(cx: &GiftCards, lease: ExpiredLease) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let purchase = purchases::find(&mut conn, lease.id)
        .await?
        .filter(|purchase| purchase.epoch == lease.epoch);
    drop(conn);
    let Some(purchase) = purchase else {
        return Ok(());
    };
    cx.clients.payments.close_charge(&purchase).await?;
    kit::fault_point::reach("purchase.closed");
    let failure = if lease.awaited_authentication {
        authentication_expired()
    } else {
        not_completed(purchase.tender)
    };
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    fail_in(cx, &mut tx, purchase, failure, cx.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}
