//! Moves the reservation of an order to another ready time.

use jiff::Timestamp;
use types::OrderId;

use super::reserve_capacity::ReserveCapacityError;
use crate::{
    Stores, db,
    domain::{
        capacity::slot_at,
        pickup::{RequestedPickup, StoreSchedule, latest_pickup_at},
        reservation::Reservation,
    },
};

/// Idempotent: a reservation that has the ready time stays as it is.
///
/// # Errors
/// [`ReserveCapacityError::ReservationClosed`] if the order has no reservation, and
/// [`ReserveCapacityError::PickupUnavailable`] if the store is closed or has no capacity at the time. The reservation then
/// keeps its time.
#[tracing::instrument(skip_all, fields(order_id = %order_id))]
pub(crate) async fn move_reservation(
    cx: &Stores,
    order_id: OrderId,
    ready_at: Timestamp,
) -> Result<Reservation, ReserveCapacityError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let stored = db::capacity::find_reservation(&mut tx, order_id)
        .await?
        .filter(|stored| !stored.released)
        .ok_or(ReserveCapacityError::ReservationClosed)?;
    let store_id = stored.store_id.ok_or(ReserveCapacityError::ReservationClosed)?;
    // Locks in the order of a new reservation: the version of the store, the reservation, then the slots.
    db::schedule_versions::increment(&mut tx, &[store_id]).await?;
    let make_seconds = db::capacity::free_for_move(&mut tx, store_id, order_id)
        .await?
        .ok_or(ReserveCapacityError::ReservationClosed)?;
    if let (Some(start_at), Some(stored_ready_at)) = (stored.start_at, stored.ready_at)
        && stored_ready_at.to_jiff() == ready_at
    {
        return Ok(Reservation {
            order_id,
            start_at: start_at.to_jiff(),
            ready_at,
        });
    }
    let slots = slot_at(now)..=slot_at(ready_at.min(latest_pickup_at(now)));
    let snapshot = db::stores::by_id(&mut tx, store_id, None, slots)
        .await?
        .ok_or(ReserveCapacityError::StoreUnknown)?;
    let requested = RequestedPickup::At(ready_at);
    // A pause stops new orders. The staff decide about those that they have.
    let schedule = StoreSchedule {
        pause: None,
        ..snapshot.schedule()
    };
    let plan = schedule.plan(make_seconds, requested, now)?;
    db::capacity::move_to(&mut tx, store_id, order_id, &plan, &snapshot.store.staffing).await?;
    tx.commit().await?;
    kit::fault_point::reach("capacity.moved");
    Ok(Reservation {
        order_id,
        start_at: plan.start_at,
        ready_at: plan.ready_at,
    })
}
