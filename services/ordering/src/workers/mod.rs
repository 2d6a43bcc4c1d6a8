//! What runs by itself. Several replicas may run each: leases and guarded changes keep them apart.

use std::time::Duration;

use kit::{Fault, grpc::deadline};

use crate::{
    Ordering,
    db::orders,
    ops::{cancel, promote, recover, transition::StepError},
};

const EVERY: Duration = Duration::from_secs(1);

/// Starts them all on tracked tasks.
pub fn start(cx: &Ordering) {
    let own = cx.clone();
    drop(cx.process.spawn(async move {
        while own.process.sleep(EVERY).await {
            let turn =
                async { tokio::join!(recover::recover(&own), cancel_unaccepted(&own), promote_due(&own)) };
            let (recovered, cancelled, promoted) = deadline::within(own.rules.saga(), turn).await;
            for fault in [recovered.err(), cancelled.err(), promoted.err()]
                .into_iter()
                .flatten()
            {
                tracing::warn!(error = %fault, "worker failed, trying again");
            }
        }
    }));
}

/// Cancels what no store accepted in time.
async fn cancel_unaccepted(cx: &Ordering) -> Result<(), Fault> {
    let mut conn = cx.pool.acquire().await?;
    let late = orders::list_unaccepted(&mut conn, cx.clock.now()).await?;
    drop(conn);
    for order in late {
        tolerate(cancel::cancel_unaccepted(cx, order).await)?;
    }
    Ok(())
}

/// Puts scheduled orders into their stores' queues when their make-time comes.
async fn promote_due(cx: &Ordering) -> Result<(), Fault> {
    let mut conn = cx.pool.acquire().await?;
    let due = orders::list_due(&mut conn, cx.clock.now()).await?;
    drop(conn);
    for order in due {
        tolerate(promote::promote(cx, order).await)?;
    }
    Ok(())
}

/// Somebody else was faster: that is how it is meant to be.
fn tolerate<T>(outcome: Result<T, StepError>) -> Result<(), Fault> {
    match outcome {
        Ok(_) | Err(StepError::WrongState(_) | StepError::Unknown) => Ok(()),
        Err(StepError::Fault(fault)) => Err(fault),
    }
}
