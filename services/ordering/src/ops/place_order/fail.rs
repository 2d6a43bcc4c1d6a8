//! Ends an order that could not be placed, and releases its resources.

use kit::{InternalError, ServiceError};
use types::OrderId;

use super::{PlaceOrderError, acquire::AcquireError, not_placed};
use crate::{
    Ordering,
    convert::StoredResponse,
    domain::{
        end::{EndReason, OrderEnd},
        order::{OrderDetails, OrderRecord, Transition},
        status::{Actor, Step},
    },
    ops::transition::apply,
};

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
        AcquireError::Rejected(error) => error,
        AcquireError::Unknown(error) => {
            tracing::warn!(%order_id, %error, "outcome unknown; closing the order");
            close_resources(cx, order_id).await?;
            not_placed()
        }
    };
    let reason = EndReason::PlacementFailed(error.reason.clone());
    if write_failure(cx, record, reason, &error).await? {
        Err(error.into())
    } else {
        Err(PlaceOrderError::taken_over())
    }
}

/// Writes `payment_failed` with the event and the response for the order's key. Consumers of the event release what they
/// hold for the order.
///
/// Returns false, and writes nothing, if another task took over the order.
pub(in crate::ops) async fn write_failure(
    cx: &Ordering,
    record: &OrderRecord,
    reason: EndReason,
    error: &ServiceError,
) -> Result<bool, InternalError> {
    let now = cx.clock.now();
    let status = record
        .order
        .status
        .after(Step::Fail)
        .map_err(InternalError::invariant_violated)?;
    let transition = Transition {
        end: Some(OrderEnd::new(&record.order, reason, error.message.clone())),
        ..Transition::to(status)
    };
    let response = StoredResponse::Rejected(error.clone());
    let mut conn = cx.pool.acquire().await?;
    let changed = apply(
        &mut conn,
        record,
        &transition,
        Actor::System,
        now,
        Some(&response),
    )
    .await?;
    if changed.is_some() {
        tracing::info!(order_id = %record.order.id, reason = %error.reason, "order not placed");
    }
    Ok(changed.is_some())
}

/// Closes the order in every service that may hold a resource for it: releases the resource, or writes a tombstone so that
/// a delayed call can no longer acquire it. Money first.
///
/// # Errors
/// If a service is unavailable. The others may be closed; closing is idempotent.
pub(in crate::ops) async fn close_resources(cx: &Ordering, order_id: OrderId) -> Result<(), InternalError> {
    let clients = &cx.clients;
    clients.payments.close_charge(order_id).await?;
    kit::fault_point::reach("close.charge");
    tokio::try_join!(
        clients.gift_cards.close_hold(order_id),
        clients.stores.release_capacity(order_id),
        clients.rewards.close_claim(order_id),
    )?;
    Ok(())
}
