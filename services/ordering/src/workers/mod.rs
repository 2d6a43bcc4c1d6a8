//! Background jobs. Every replica runs all of them; leases and guarded updates resolve conflicts.

use std::time::Duration;

use kit::{InternalError, grpc::deadline};

use crate::{
    Ordering,
    db::orders,
    ops::{
        advance_order::{Advance, advance_order},
        cancel_order::cancel_unaccepted_order,
        order_error::OrderError,
        recover::recover_orders,
    },
};

const INTERVAL: Duration = Duration::from_secs(1);

/// Starts each job on a tracked task of its own, so that a recovery that waits for a service delays no other job.
pub(crate) fn start(cx: &Ordering) {
    run_periodically(cx, |cx| async move { recover_orders(&cx).await.map(drop) });
    run_periodically(cx, |cx| async move { cancel_unaccepted_orders(&cx).await });
    run_periodically(cx, |cx| async move { promote_due_orders(&cx).await });
}

fn run_periodically<F>(cx: &Ordering, job: impl Fn(Ordering) -> F + Send + 'static)
where
    F: Future<Output = Result<(), InternalError>> + Send,
{
    let cx = cx.clone();
    drop(cx.process.clone().spawn(async move {
        while cx.process.sleep(INTERVAL).await {
            if let Err(error) = deadline::within(cx.rules.saga_lease(), job(cx.clone())).await {
                tracing::warn!(%error, "worker failed; will retry");
            }
        }
    }));
}

async fn cancel_unaccepted_orders(cx: &Ordering) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let order_ids = orders::list_unaccepted(&mut conn, cx.clock.now()).await?;
    drop(conn);
    for order_id in order_ids {
        ignore_conflict(cancel_unaccepted_order(cx, order_id).await)?;
    }
    Ok(())
}

async fn promote_due_orders(cx: &Ordering) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let order_ids = orders::list_due(&mut conn, cx.clock.now()).await?;
    drop(conn);
    for order_id in order_ids {
        ignore_conflict(advance_order(cx, None, order_id, Advance::Promote).await)?;
    }
    Ok(())
}

/// Another replica, the store or the consumer changed the order first.
fn ignore_conflict<T>(outcome: Result<T, OrderError>) -> Result<(), InternalError> {
    match outcome {
        Ok(_) | Err(OrderError::InvalidTransition(_) | OrderError::NotFound) => Ok(()),
        Err(OrderError::Internal(error)) => Err(error),
    }
}
