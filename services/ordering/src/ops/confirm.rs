//! The end of the saga: the order is placed, or it is abandoned; one statement either way, with the answer that the
//! key gives from then on.

use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError};
use proto::ordering::v1 as pb;

use crate::{
    Ordering, convert,
    db::{orders::Row, steps::Change},
    domain::order::{Actor, Status, Step},
    ops::{
        abandon,
        answer::Answer,
        close,
        gather::GatherError,
        place::{PlaceError, answered},
        read, transition,
    },
};

/// Places the order. Only the holder of its lease can.
///
/// # Errors
/// [`PlaceError::Refused`] as unavailable where somebody else closed it meanwhile: the key tells what became of it.
pub async fn confirm(cx: &Ordering, row: &Row) -> Result<pb::Order, PlaceError> {
    let now = cx.clock.now();
    let step = if row.pickup_at.is_some() && row.start_at.to_jiff() > now {
        Step::Schedule
    } else {
        Step::Place
    };
    let from: Status = row.status.parse().map_err(InternalError::broken)?;
    let status = from.after(step).map_err(InternalError::broken)?;
    let accept_by = (status == Status::Placed).then(|| transition::accept_by(cx, now));
    let change = Change {
        status,
        reason: "",
        message: "",
        placed_at: Some(now),
        accept_by,
    };
    let history = read::begun_then(row, status, now, Actor::Consumer);
    let placed = Answer::Placed(Box::new(convert::order(row.after(&change), history)?));
    let mut conn = cx.pool.acquire().await?;
    kit::fault_point::reach("place.confirming");
    if transition::apply(&mut conn, row, &change, Actor::Consumer, now, Some(&placed))
        .await?
        .is_none()
    {
        return Err(PlaceError::Refused(ServiceError::unavailable()));
    }
    kit::fault_point::reach("place.confirmed");
    tracing::info!(order_id = %row.order_id(), "order placed");
    answered(placed)
}

/// Ends a saga that did not get what it needs. Where the outcome is unknown, everything is closed first; where even that
/// fails, recovery does it.
///
/// # Errors
/// Always: why there is no order.
pub async fn give_up(cx: &Ordering, row: &Row, error: GatherError) -> Result<pb::Order, PlaceError> {
    let refusal = match error {
        GatherError::Refused(refusal) => refusal,
        GatherError::Unknown(fault) => {
            tracing::warn!(order_id = %row.order_id(), error = %fault, "outcome unknown, closing the order");
            close::close(cx, row.order_id()).await?;
            not_placed()
        }
    };
    let written = abandon::abandon(cx, row, &refusal).await?;
    // Where somebody else took the order over, the key gives their answer, not this one.
    Err(PlaceError::Refused(if written {
        refusal
    } else {
        ServiceError::unavailable()
    }))
}

/// Why an order that recovery closed is none. Not a 503: the key is used up, the next try needs a new one.
#[must_use]
pub fn not_placed() -> ServiceError {
    ServiceError::new(
        ErrorCode::Conflict,
        "ORDER_NOT_PLACED",
        "Your order could not be placed and nothing was charged. Please try again.",
    )
}

/// Whether the promise of an order can still be kept, were it placed now.
#[must_use]
pub fn promise_holds(row: &Row, now: Timestamp) -> bool {
    let make = std::time::Duration::from_secs(u64::try_from(row.make_seconds).unwrap_or_default());
    now + make <= row.not_after.to_jiff()
}
