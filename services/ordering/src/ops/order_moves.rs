//! Completes moves of scheduled orders: the reservation is moved first, and then the new time is promised. A move that was
//! interrupted in between is completed by recovery.

use std::time::Duration;

use jiff::Timestamp;
use kit::{InternalError, grpc::deadline, outbox};
use sqlx::PgConnection;

use super::order_details::with_history;
use crate::{
    Ordering, convert,
    db::{order_moves, orders, ready_times},
    domain::{
        order::{OrderDetails, OrderRecord},
        order_move::OrderMove,
        quote::Reservation,
        status::Status,
    },
};

/// Longer than a request takes.
pub(super) const LEASE: Duration = Duration::from_secs(10);

/// Timeout of one move in recovery.
const TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The order changed: it was canceled, it is time to make it, or another task moves it. Also if stores rejects the time of an order
    /// that is no longer scheduled.
    #[error("the order changed")]
    Conflict,
    /// Also if the store is closed or has no capacity at the time: the error of stores is passed on.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(MoveError);

/// Moves the reservation, and promises the new time. If it fails in between, recovery completes the move. An order that is no longer
/// scheduled keeps its promised time, and its reservation gets this time again, unless stores rejects it: then the time has passed or
/// other orders have its capacity, and the store is making the order anyway.
///
/// # Errors
/// [`MoveError::Conflict`] if the order changed or is closed, and the error of stores. After a rejection by stores, the order keeps
/// its time.
pub(super) async fn complete_move(cx: &Ordering, order_move: &OrderMove) -> Result<OrderDetails, MoveError> {
    let mut conn = cx.pool.acquire().await?;
    let record = orders::find(&mut conn, order_move.order_id).await?;
    let record = record.ok_or_else(|| InternalError::invariant_violated("moved order not found"))?;
    let Some(ready_at) = order_move.reserved_time(&record.order) else {
        order_moves::finish(&mut conn, order_move).await?;
        return Err(MoveError::Conflict);
    };
    drop(conn);
    let is_new_time = record.order.ready_at != ready_at;
    let is_scheduled = record.order.status == Status::Scheduled;
    let result = move_and_promise(cx, order_move, record, ready_at).await;
    if let Err(error) = &result {
        let mut conn = cx.pool.acquire().await?;
        // An interrupted move may have left the reservation at another time.
        match error {
            MoveError::Internal(error) if is_new_time && error.rejection().is_some() => {
                order_moves::abandon(&mut conn, order_move).await?;
            }
            MoveError::Internal(error) if !is_scheduled && error.rejection().is_some() => {
                tracing::info!(order_id = %order_move.order_id, %error, "stores rejected the time of an order in progress");
                order_moves::finish(&mut conn, order_move).await?;
                return Err(MoveError::Conflict);
            }
            _ => order_moves::leave_to_recovery(&mut conn, order_move).await?,
        }
    }
    result
}

async fn move_and_promise(
    cx: &Ordering,
    order_move: &OrderMove,
    record: OrderRecord,
    ready_at: Timestamp,
) -> Result<OrderDetails, MoveError> {
    let reservation = cx
        .clients
        .stores
        .move_reservation(order_move.order_id, ready_at)
        .await?;
    kit::fault_point::reach("reschedule.moved");
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    if !order_moves::finish(&mut tx, order_move).await? {
        return Err(MoveError::Conflict);
    }
    let record = if record.order.ready_at == ready_at {
        record
    } else {
        promise(cx, &mut tx, record, reservation, &order_move.reason).await?
    };
    let details = with_history(&mut tx, record).await?;
    tx.commit().await?;
    Ok(details)
}

/// Writes the times of the reservation, and publishes the event that notifies the consumer.
async fn promise(
    cx: &Ordering,
    tx: &mut PgConnection,
    mut record: OrderRecord,
    reservation: Reservation,
    reason: &str,
) -> Result<OrderRecord, MoveError> {
    let now = cx.clock.now();
    if !ready_times::set_schedule(tx, &record.order, reservation, reason, now).await? {
        return Err(MoveError::Conflict);
    }
    let previous = record.order.ready_at;
    record.order.move_to(reservation, reason);
    outbox::append(tx, convert::order_delayed(&record.order, previous, now)).await?;
    tracing::info!(order_id = %record.order.id, ready_at = %reservation.ready_at, "order rescheduled");
    Ok(record)
}

/// Completes the moves that were interrupted.
///
/// # Errors
/// If the database is unavailable.
pub async fn recover_moves(cx: &Ordering) -> Result<(), InternalError> {
    loop {
        let mut conn = cx.pool.acquire().await?;
        let Some(mut order_move) = order_moves::acquire_due(&mut conn, LEASE).await? else {
            return Ok(());
        };
        drop(conn);
        // A time that has passed cannot be promised any more.
        order_move.ready_at = order_move.ready_at.filter(|at| *at > cx.clock.now());
        let order_id = order_move.order_id;
        let completion = tokio::time::timeout(TIMEOUT, complete_move(cx, &order_move));
        match deadline::within(TIMEOUT, completion).await {
            Ok(Ok(_)) => tracing::info!(%order_id, "move completed by recovery"),
            Ok(Err(MoveError::Conflict)) => tracing::info!(%order_id, "move ended"),
            Ok(Err(MoveError::Internal(error))) => {
                tracing::warn!(%order_id, %error, "move not completed; will retry");
            }
            Err(_) => tracing::warn!(%order_id, "move timed out; will retry"),
        }
    }
}
