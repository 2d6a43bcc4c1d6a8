//! Ends an order that could not be placed, and releases its resources.

use std::time::Duration;

use kit::{InternalError, ServiceError};

use super::{PlaceOrderError, acquire::AcquireError, not_placed, taken_over::taken_over};
use crate::{
    Ordering,
    convert::StoredResponse,
    domain::{
        end::{EndMessage, EndReason, OrderEnd},
        order::{Order, OrderDetails, OrderRecord, Transition},
        status::{Actor, Step},
    },
    ops::transition::apply,
};

/// Time to release the resources of a rejected order while the consumer waits.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);

/// Fails an order after an error. If the outcome is unknown, closes all resources first; if that fails too, leaves the
/// order to recovery.
///
/// # Errors
/// Always: why the order was not placed.
pub(super) async fn fail_order(
    cx: &Ordering,
    record: &OrderRecord,
    error: AcquireError,
) -> Result<OrderDetails, PlaceOrderError> {
    let order_id = record.order.id;
    let error = match error {
        AcquireError::Rejected(error) => return reject_order(cx, record, error).await,
        AcquireError::Unknown(error) => {
            tracing::warn!(%order_id, %error, "outcome unknown; closing the order");
            close_resources(cx, &record.order).await?;
            not_placed(record.order.tender)
        }
    };
    write_placement_failure(cx, record, &error).await?;
    Err(error.into())
}

/// Fails an order that a service rejected, and releases at once what it holds. The event releases it too, later, if this
/// does not succeed.
///
/// # Errors
/// Always: why the order was not placed.
async fn reject_order(
    cx: &Ordering,
    record: &OrderRecord,
    error: ServiceError,
) -> Result<OrderDetails, PlaceOrderError> {
    write_placement_failure(cx, record, &error).await?;
    let order = &record.order;
    match tokio::time::timeout(RELEASE_TIMEOUT, close_resources(cx, order)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::info!(order_id = %order.id, %error, "resources not released at once"),
        Err(_) => tracing::info!(order_id = %order.id, "releasing resources timed out"),
    }
    Err(error.into())
}

/// Writes that the order could not be placed.
///
/// # Errors
/// [`taken_over`] if another task took over the order. Nothing is written then.
async fn write_placement_failure(
    cx: &Ordering,
    record: &OrderRecord,
    error: &ServiceError,
) -> Result<(), PlaceOrderError> {
    let reason = EndReason::PlacementFailed(error.reason.clone());
    if write_failure(cx, record, Failure::by_system(reason, error)).await? {
        return Ok(());
    }
    let mut conn = cx.pool.acquire().await?;
    Err(taken_over(&mut conn, record.order.consumer_id).await?)
}

/// How an order failed.
#[derive(Debug)]
pub(in crate::ops) struct Failure<'a> {
    pub reason: EndReason,
    pub actor: Actor,
    /// The response for the order's key.
    pub error: &'a ServiceError,
}

impl<'a> Failure<'a> {
    pub(in crate::ops) const fn by_system(reason: EndReason, error: &'a ServiceError) -> Self {
        Self {
            reason,
            actor: Actor::System,
            error,
        }
    }
}

/// Writes `payment_failed` with the event and the response for the order's key. Consumers of the event release what they
/// hold for the order.
///
/// Returns false, and writes nothing, if another task took over the order.
pub(in crate::ops) async fn write_failure(
    cx: &Ordering,
    record: &OrderRecord,
    failure: Failure<'_>,
) -> Result<bool, InternalError> {
    let Failure { reason, actor, error } = failure;
    let now = cx.clock.now();
    let status = record
        .order
        .status
        .after(Step::Fail)
        .map_err(InternalError::invariant_violated)?;
    let transition = Transition {
        end: Some(OrderEnd::new(
            record.order.is_charged,
            reason,
            EndMessage::Text(error.message.clone()),
        )),
        ..Transition::to(status)
    };
    let response = StoredResponse::Rejected(error.clone());
    let mut conn = cx.pool.acquire().await?;
    let changed = apply(&mut conn, record, &transition, actor, now, Some(&response)).await?;
    if changed.is_some() {
        tracing::info!(order_id = %record.order.id, reason = %error.reason, "order not placed");
    }
    Ok(changed.is_some())
}

/// Closes the order in every service that, by its row, may hold a resource for it: releases the resource, or writes a
/// tombstone so that a delayed call can no longer acquire it. A service that is down does not keep the others from closing.
///
/// # Errors
/// If a service is unavailable. The others may be closed; closing is idempotent.
pub(in crate::ops) async fn close_resources(cx: &Ordering, order: &Order) -> Result<(), InternalError> {
    let clients = &cx.clients;
    let (charge, hold, capacity, claim) = tokio::join!(
        async {
            if order.may_have_charge() {
                clients.payments.close_charge(order.id).await?;
            }
            kit::fault_point::reach("close.charge");
            Ok(())
        },
        async {
            if order.may_have_hold() {
                clients.gift_cards.close_hold(order.id).await?;
            }
            Ok(())
        },
        clients.stores.release_capacity(order.id),
        async {
            if order.may_have_claim() {
                clients.rewards.close_claim(order.id).await?;
            }
            Ok(())
        },
    );
    charge.and(hold).and(capacity).and(claim)
}
