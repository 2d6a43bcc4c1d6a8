//! Ends an order that waits for authentication, because its consumer canceled it.

use std::time::Duration;

use kit::{ErrorCode, InternalError, ServiceError, grpc::deadline};
use tokio::time::Instant;
use types::OrderId;

use super::{
    fail::{Failure, close_resources, write_failure},
    spawn_to_completion,
};
use crate::{
    Ordering,
    db::{leases, orders},
    domain::{
        end::EndReason,
        order::OrderRecord,
        status::{Actor, Status},
    },
    ops::order_error::OrderError,
};

/// Interval between attempts while another task works on the order.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// Closes a pending order in all services and fails it. Waits while another task holds its lease: the saga, or a task
/// that checks the authentication. Does nothing if the order is not pending.
///
/// # Errors
/// [`OrderError::Unavailable`] if the other task or a service does not respond in time. Recovery then closes the order.
pub(in crate::ops) async fn abandon_pending_order(
    cx: &Ordering,
    order_id: OrderId,
) -> Result<(), OrderError> {
    let timeout = deadline::time_remaining().unwrap_or(deadline::DEFAULT_TIMEOUT);
    let wait_until = Instant::now() + timeout;
    while is_pending(cx, order_id).await? {
        let is_ended = spawn_to_completion(cx, move |cx| async move { abandon(&cx, order_id).await }).await?;
        if is_ended {
            return Ok(());
        }
        if Instant::now() + RETRY_INTERVAL >= wait_until {
            return Err(OrderError::Unavailable);
        }
        tokio::time::sleep(RETRY_INTERVAL).await;
    }
    Ok(())
}

async fn is_pending(cx: &Ordering, order_id: OrderId) -> Result<bool, OrderError> {
    let mut conn = cx.pool.acquire().await?;
    let record = orders::find(&mut conn, order_id).await?;
    Ok(record.is_some_and(|record| record.order.status == Status::PaymentPending))
}

/// Returns false if the order does not wait for authentication.
async fn abandon(cx: &Ordering, order_id: OrderId) -> Result<bool, OrderError> {
    let Some(record) = acquire(cx, order_id).await? else {
        return Ok(false);
    };
    close_resources(cx, &record.order).await?;
    let error = canceled_by_consumer();
    let failure = Failure {
        reason: EndReason::CancelledByConsumer,
        actor: Actor::Consumer,
        error: &error,
    };
    Ok(write_failure(cx, &record, failure).await?)
}

async fn acquire(cx: &Ordering, order_id: OrderId) -> Result<Option<OrderRecord>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let Some(lease) = leases::acquire_waiting(&mut conn, order_id, cx.rules.saga_lease()).await? else {
        return Ok(None);
    };
    let record = orders::find(&mut conn, order_id)
        .await?
        .filter(|record| record.placement.epoch == lease.epoch);
    Ok(record)
}

fn canceled_by_consumer() -> ServiceError {
    ServiceError::new(
        ErrorCode::Conflict,
        EndReason::CancelledByConsumer.as_str().to_owned(),
        "You canceled this order. You weren't charged.",
    )
}
