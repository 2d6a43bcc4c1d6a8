//! Background jobs. Every replica runs all of them; leases and guarded updates resolve conflicts. What is due is decided by the
//! database's clock, because replicas can have different ones.

use std::time::Duration;

use kit::{InternalError, grpc::deadline};
use tokio::task::JoinHandle;

use crate::{
    Ordering,
    db::{self, orders},
    ops::{
        advance_order::{Advance, advance_order},
        audit_money::MoneyAudit,
        cancel_order::cancel_unaccepted_order,
        cancel_unpaid_order::cancel_orders_without_payment,
        forget_consumer::erase_late_data,
        order_error::OrderError,
        order_moves::recover_moves,
        recover::recover_orders,
        refund_order::execute_open_refunds,
    },
};

const INTERVAL: Duration = Duration::from_secs(1);

/// Maximum number of concurrent recoveries: while one waits for a service that is down, others close other orders.
const MAX_RECOVERIES: usize = 4;

/// Starts each job on a task of its own, so that one that waits for a service delays no other job.
pub(crate) fn start(cx: &Ordering) {
    let recovery_cx = cx.clone();
    cx.process
        .spawn_worker("recovery", move || run_recoveries(recovery_cx.clone()));
    run_periodically(cx, "moves", |cx| async move { recover_moves(&cx).await });
    run_periodically(cx, "cancel_unaccepted", |cx| async move {
        cancel_unaccepted_orders(&cx).await
    });
    run_periodically(cx, "promote", |cx| async move { promote_due_orders(&cx).await });
    run_periodically(cx, "complete_uncollected", |cx| async move {
        complete_uncollected_orders(&cx).await
    });
    run_periodically(cx, "complete_unmarked", |cx| async move {
        complete_unmarked_orders(&cx).await
    });
    run_periodically(cx, "payment_losses", |cx| async move {
        cancel_orders_without_payment(&cx).await
    });
    run_periodically(cx, "refunds", |cx| async move {
        execute_open_refunds(&cx).await.map(drop)
    });
    kit::audit::start(&MoneyAudit(cx.clone()));
    run_periodically(
        cx,
        "erase_late_data",
        |cx| async move { erase_late_data(&cx).await },
    );
}

fn run_periodically<F>(
    cx: &Ordering,
    worker: &'static str,
    job: impl Fn(Ordering) -> F + Clone + Send + Sync + 'static,
) where
    F: Future<Output = Result<(), InternalError>> + Send,
{
    let worker_cx = cx.clone();
    cx.process.spawn_worker(worker, move || {
        let (cx, job) = (worker_cx.clone(), job.clone());
        async move {
            while cx.process.sleep(INTERVAL).await {
                if let Err(error) = deadline::within(cx.rules.saga_lease(), job(cx.clone())).await {
                    tracing::warn!(worker, %error, "worker failed; will retry");
                }
            }
        }
    });
}

async fn run_recoveries(cx: Ordering) {
    let mut running: Vec<JoinHandle<()>> = Vec::new();
    while cx.process.sleep(INTERVAL).await {
        running.retain(|recovery| !recovery.is_finished());
        if running.len() < MAX_RECOVERIES {
            let task_cx = cx.clone();
            running.push(cx.process.spawn(async move {
                if let Err(error) = recover_orders(&task_cx).await {
                    tracing::warn!(%error, "recovery failed; will retry");
                }
            }));
        }
    }
}

/// Cancels orders that no store accepted in time.
pub async fn cancel_unaccepted_orders(cx: &Ordering) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let order_ids = orders::list_unaccepted(&mut conn).await?;
    drop(conn);
    for order_id in order_ids {
        ignore_conflict(cancel_unaccepted_order(cx, order_id).await)?;
    }
    Ok(())
}

/// Lets stores start scheduled orders.
pub async fn promote_due_orders(cx: &Ordering) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let order_ids = orders::list_due(&mut conn).await?;
    drop(conn);
    for order_id in order_ids {
        ignore_conflict(advance_order(cx, None, order_id, Advance::Promote).await)?;
    }
    Ok(())
}

/// Completes orders that were not marked as picked up.
pub async fn complete_uncollected_orders(cx: &Ordering) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let since = db::clock::now(&mut conn).await? - cx.rules.complete_after();
    let order_ids = orders::list_uncollected(&mut conn, since).await?;
    drop(conn);
    for order_id in order_ids {
        ignore_conflict(advance_order(cx, None, order_id, Advance::CompleteUncollected).await)?;
    }
    Ok(())
}

/// Completes accepted orders that were never marked ready.
pub async fn complete_unmarked_orders(cx: &Ordering) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let since = db::clock::now(&mut conn).await? - cx.rules.complete_unmarked_after();
    let order_ids = orders::list_unmarked(&mut conn, since).await?;
    drop(conn);
    for order_id in order_ids {
        ignore_conflict(advance_order(cx, None, order_id, Advance::CompleteUnmarked).await)?;
    }
    Ok(())
}

/// Ignores that another replica, the store or the consumer changed the order first.
fn ignore_conflict<T>(outcome: Result<T, OrderError>) -> Result<(), InternalError> {
    match outcome {
        Ok(_) | Err(OrderError::InvalidTransition(_) | OrderError::NotFound | OrderError::Unavailable) => {
            Ok(())
        }
        Err(OrderError::Internal(error)) => Err(error),
    }
}
