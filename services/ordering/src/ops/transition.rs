//! Changes the status of an order with optimistic locking: reads the order, decides, and writes it if it is unchanged.
//! If two changes are concurrent, one is written, and the other gets an error with the new status.

use jiff::Timestamp;
use kit::{InternalError, idempotency::Key};
use sqlx::PgConnection;
use types::OrderId;

use super::{order_details::with_history, order_error::OrderError};
use crate::{
    Ordering,
    convert::{self, StoredResponse},
    db::{
        orders,
        steps::{self, StepRecord},
    },
    domain::{
        end::{EndMessage, EndReason, OrderEnd},
        order::{Order, OrderDetails, OrderRecord, Transition},
        place_order::PlaceOrder,
        status::{Actor, Status, Step},
    },
};

/// An order changes only a few times, so this many consecutive conflicts are a bug.
const MAX_ATTEMPTS: u32 = 5;

/// A step that an actor takes.
#[derive(Debug, Clone)]
pub(super) struct StepRequest {
    pub step: Step,
    pub actor: Actor,
    /// Set if the step ends the order without completing it: the reason, and a sentence for the consumer.
    pub end: Option<(EndReason, EndMessage)>,
}

/// Takes a step. If the order already took it, returns the order unchanged.
///
/// # Errors
/// [`OrderError::NotFound`] if there is no such order or `is_allowed` is false for it,
/// [`OrderError::InvalidTransition`] if its status does not allow the step.
pub(super) async fn transition(
    cx: &Ordering,
    order_id: OrderId,
    is_allowed: impl Fn(&Order) -> bool,
    request: StepRequest,
) -> Result<OrderDetails, OrderError> {
    // Not in a transaction: the step is one statement.
    let mut conn = cx.pool.acquire().await?;
    let record = transition_within(cx, &mut conn, order_id, is_allowed, request).await?;
    Ok(with_history(&mut conn, record).await?)
}

/// Takes a step, in the caller's transaction if there is one; see [`transition`].
pub(super) async fn transition_within(
    cx: &Ordering,
    conn: &mut PgConnection,
    order_id: OrderId,
    is_allowed: impl Fn(&Order) -> bool,
    request: StepRequest,
) -> Result<OrderRecord, OrderError> {
    let StepRequest { step, actor, end } = request;
    for _ in 0..MAX_ATTEMPTS {
        let record = orders::find(conn, order_id)
            .await?
            .filter(|record| is_allowed(&record.order))
            .ok_or(OrderError::NotFound)?;
        let status = match record.order.status.after(step) {
            Ok(status) => status,
            Err(_) if record.order.status.is_result_of(step) => return Ok(record),
            Err(error) => return Err(error.into()),
        };
        let now = cx.clock.now();
        let order = &record.order;
        let change = Transition {
            end: end
                .clone()
                .map(|(reason, message)| OrderEnd::new(order.is_charged, reason, message)),
            accept_within: (status == Status::Placed).then(|| cx.rules.accept_timeout()),
            ..Transition::to(status)
        };
        if let Some(changed) = apply(conn, &record, &change, actor, now, None).await? {
            tracing::info!(%order_id, %status, "order status changed");
            return Ok(changed);
        }
    }
    Err(InternalError::invariant_violated("order changed at every attempt").into())
}

/// Writes the transition with its history entry, its event and, if it ends the saga, the response for the order's
/// idempotency key. Returns `None` if the order changed since it was read.
pub(super) async fn apply(
    conn: &mut PgConnection,
    from: &OrderRecord,
    transition: &Transition,
    actor: Actor,
    now: Timestamp,
    response: Option<&StoredResponse>,
) -> Result<Option<OrderRecord>, InternalError> {
    let changed = from.after(transition, now);
    let event = convert::order_changed(&changed.order, transition.end.as_ref(), now)?;
    let key = Key {
        scope: &from.order.consumer_id.to_string(),
        operation: PlaceOrder::OPERATION,
        key: &from.placement.idempotency_key,
    };
    let response = response.map(StoredResponse::encode);
    let step = StepRecord {
        actor,
        at: now,
        event: &event,
        response: response.as_deref().map(|response| (key, response)),
    };
    let is_written = steps::advance(conn, from, transition, step).await?;
    Ok(is_written.then_some(changed))
}
