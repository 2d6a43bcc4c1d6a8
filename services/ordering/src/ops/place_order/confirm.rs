use kit::InternalError;

use super::{PlaceOrderError, taken_over::taken_over};
use crate::{
    Ordering,
    convert::StoredResponse,
    domain::{
        order::{OrderDetails, OrderRecord, Transition},
        status::{Actor, Status, Step},
    },
    ops::{order_details::history_when_placed, transition::apply},
};

/// Places or schedules the order, with its event and the response for its key, in one statement.
///
/// # Errors
/// [`taken_over`] if another task acquired the lease of the order.
pub(super) async fn confirm_order(
    cx: &Ordering,
    record: &OrderRecord,
) -> Result<OrderDetails, PlaceOrderError> {
    let order = &record.order;
    let now = cx.clock.now();
    let step = if order.is_scheduled && order.start_at > now {
        Step::Schedule
    } else {
        Step::Place
    };
    let status = order
        .status
        .after(step)
        .map_err(InternalError::invariant_violated)?;
    let transition = Transition {
        placed_at: Some(now),
        accept_within: (status == Status::Placed).then(|| cx.rules.accept_timeout()),
        ..Transition::to(status)
    };
    let details = OrderDetails {
        history: history_when_placed(order, status, now),
        order: record.after(&transition, now).order,
    };
    let response = StoredResponse::Placed(Box::new(details.clone()));
    let mut conn = cx.pool.acquire().await?;
    kit::fault_point::reach("place.confirming");
    let placed = apply(
        &mut conn,
        record,
        &transition,
        Actor::Consumer,
        now,
        Some(&response),
    )
    .await?;
    if placed.is_none() {
        return Err(taken_over(&mut conn, order.consumer_id).await?);
    }
    kit::fault_point::reach("place.confirmed");
    tracing::info!(order_id = %order.id, "order placed");
    Ok(details)
}
