//! Resumes an order that waits for the consumer to authenticate the payment.

use std::time::Duration;

use kit::{ErrorCode, InternalError, ServiceError};
use sqlx::PgConnection;
use tokio::time::Instant;
use types::OrderId;

use super::{
    PlaceOrderError,
    acquire::{self, AcquireError, Outcome},
    confirm, fail, spawn_to_completion,
    taken_over::taken_over,
};
use crate::{
    Ordering,
    db::{
        leases::{self, Lease},
        orders,
    },
    domain::{
        order::{OrderDetails, OrderRecord},
        status::Status,
    },
    ops::order_details::with_history,
};

/// Interval between attempts after a payment event.
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// Checks the payment and continues the saga: places the order, fails it, or keeps waiting.
///
/// Returns `None` if the order does not wait for authentication, or another task has its lease.
///
/// # Errors
/// The reason of a declined payment, or `ETA_CHANGED` if the promised time can no longer be met. All resources are
/// released in both cases.
pub(super) async fn resume(
    cx: &Ordering,
    order_id: OrderId,
) -> Result<Option<OrderDetails>, PlaceOrderError> {
    let mut conn = cx.pool.acquire().await?;
    let awaits_authentication = orders::find(&mut conn, order_id)
        .await?
        .is_some_and(|record| record.placement.awaits_authentication);
    drop(conn);
    if !awaits_authentication {
        return Ok(None);
    }
    spawn_to_completion(
        cx,
        move |cx| async move { resume_with_lease(&cx, order_id).await },
    )
    .await
}

/// Resumes a pending order on a tracked task after its payment was authorized. If the process dies with that task, a call
/// with the same key resumes the order, or recovery closes it.
#[tracing::instrument(skip_all, fields(%order_id))]
pub(crate) async fn resume_after_authorization(
    cx: &Ordering,
    conn: &mut PgConnection,
    order_id: OrderId,
) -> Result<(), InternalError> {
    if is_pending(conn, order_id).await? {
        let task_cx = cx.clone();
        drop(
            cx.process
                .spawn(async move { resume_after_payment_event(&task_cx, order_id).await }),
        );
    }
    Ok(())
}

/// Returns whether the order is being placed. Its saga may have read the charge before a payment event and begin to
/// wait for authentication after it.
pub(crate) async fn is_pending(conn: &mut PgConnection, order_id: OrderId) -> Result<bool, InternalError> {
    let record = orders::find(conn, order_id).await?;
    Ok(record.is_some_and(|record| record.order.status == Status::PaymentPending))
}

/// Resumes after a payment event. The client may never retry, so this retries until the order is no longer pending or the
/// saga's lease has expired.
pub(crate) async fn resume_after_payment_event(cx: &Ordering, order_id: OrderId) {
    let deadline = Instant::now() + cx.rules.saga_lease();
    loop {
        match resume(cx, order_id).await {
            Ok(Some(_)) => return,
            Ok(None) => {}
            Err(error) => tracing::info!(%order_id, %error, "resume failed"),
        }
        match is_still_pending(cx, order_id).await {
            Ok(true) if Instant::now() < deadline && cx.process.sleep(RETRY_INTERVAL).await => {}
            Ok(_) => return,
            Err(error) => {
                tracing::warn!(%order_id, %error, "resume failed");
                return;
            }
        }
    }
}

async fn is_still_pending(cx: &Ordering, order_id: OrderId) -> Result<bool, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    is_pending(&mut conn, order_id).await
}

async fn resume_with_lease(
    cx: &Ordering,
    order_id: OrderId,
) -> Result<Option<OrderDetails>, PlaceOrderError> {
    let mut conn = cx.pool.acquire().await?;
    let Some(lease) = leases::acquire_waiting(&mut conn, order_id, cx.rules.saga_lease()).await? else {
        return Ok(None);
    };
    let record = orders::find(&mut conn, order_id)
        .await?
        .filter(|record| record.placement.epoch == lease.epoch);
    drop(conn);
    match record {
        Some(record) => continue_saga(cx, record, &lease).await.map(Some),
        None => Ok(None),
    }
}

async fn continue_saga(
    cx: &Ordering,
    record: OrderRecord,
    lease: &Lease,
) -> Result<OrderDetails, PlaceOrderError> {
    let charge = match cx.clients.payments.refresh_charge(lease.order_id).await {
        Ok(charge) => charge,
        Err(error) => {
            // The outcome is unknown: keep waiting. A call with the same key checks again.
            wait_for_authentication(cx, &record, "").await?;
            return Err(error.into());
        }
    };
    match acquire::charge_outcome(charge, record.clone()) {
        Ok(Outcome::Acquired(record)) if record.can_meet_eta(cx.clock.now()) => {
            confirm::confirm_order(cx, &record).await
        }
        Ok(Outcome::Acquired(record)) => {
            fail::close_resources(cx, &record.order).await?;
            fail::fail_order(cx, &record, eta_changed().into()).await
        }
        Ok(Outcome::RequiresAction { client_secret, .. }) => {
            wait_for_authentication(cx, &record, &client_secret).await
        }
        Err(AcquireError::Unknown(_)) => wait_for_authentication(cx, &record, "").await,
        Err(error) => fail::fail_order(cx, &record, error).await,
    }
}

fn eta_changed() -> ServiceError {
    ServiceError::new(
        ErrorCode::Conflict,
        "ETA_CHANGED",
        "Confirming the payment took too long to keep your pickup time. You weren't charged.",
    )
}

/// Releases the lease until the consumer has authenticated the payment. The response is the pending order with the client
/// secret, which may be unknown.
///
/// # Errors
/// [`taken_over`] if another task acquired the lease of the order.
pub(super) async fn wait_for_authentication(
    cx: &Ordering,
    record: &OrderRecord,
    client_secret: &str,
) -> Result<OrderDetails, PlaceOrderError> {
    let order = &record.order;
    let mut conn = cx.pool.acquire().await?;
    if !leases::release_to_wait(&mut conn, record, cx.rules.authentication_timeout()).await? {
        return Err(taken_over(&mut conn, order.consumer_id).await?);
    }
    cx.client_secrets.insert(order.id, client_secret);
    let mut record = orders::find(&mut conn, order.id)
        .await?
        .ok_or_else(|| InternalError::invariant_violated("pending order not found"))?;
    record.order.client_secret = cx.client_secrets.get(order.id).unwrap_or_default();
    Ok(with_history(&mut conn, record).await?)
}
