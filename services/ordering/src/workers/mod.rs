//! What runs by itself. Several replicas may run each: leases and guarded changes keep them apart.

use std::time::Duration;

use kit::{InternalError, grpc::deadline};

use crate::{
    Ordering,
    db::orders,
    ops::{cancel, promote, recover, transition::StepError},
};

const EVERY: Duration = Duration::from_secs(1);

/// Starts them all on tracked tasks, each on its own: recovery that waits for somebody who is away delays nothing else.
pub fn start(cx: &Ordering) {
    keep(cx, |cx| async move { recover::recover(&cx).await.map(drop) });
    keep(cx, |cx| async move { cancel_unaccepted(&cx).await });
    keep(cx, |cx| async move { promote_due(&cx).await });
}

fn keep<F>(cx: &Ordering, turn: impl Fn(Ordering) -> F + Send + 'static)
where
    F: Future<Output = Result<(), InternalError>> + Send,
{
    let own = cx.clone();
    drop(cx.process.spawn(async move {
        while own.process.sleep(EVERY).await {
            if let Err(fault) = deadline::within(own.rules.saga(), turn(own.clone())).await {
                tracing::warn!(error = %fault, "worker failed, trying again");
            }
        }
    }));
}

/// Cancels what no store accepted in time.
async fn cancel_unaccepted(cx: &Ordering) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let late = orders::list_unaccepted(&mut conn, cx.clock.now()).await?;
    drop(conn);
    for order in late {
        tolerate(cancel::cancel_unaccepted(cx, order).await)?;
    }
    Ok(())
}

/// Puts scheduled orders into their stores' queues when their make-time comes.
async fn promote_due(cx: &Ordering) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let due = orders::list_due(&mut conn, cx.clock.now()).await?;
    drop(conn);
    for order in due {
        tolerate(promote::promote(cx, order).await)?;
    }
    Ok(())
}

/// Somebody else was faster: that is how it is meant to be.
fn tolerate<T>(outcome: Result<T, StepError>) -> Result<(), InternalError> {
    match outcome {
        Ok(_) | Err(StepError::WrongState(_) | StepError::Unknown) => Ok(()),
        Err(StepError::Internal(fault)) => Err(fault),
    }
}
