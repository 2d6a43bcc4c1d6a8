//! Reserves capacity for an order.

use std::ops::RangeInclusive;

use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError, metrics::Counter};
use sqlx::PgConnection;
use types::StoreId;

use crate::{
    Stores, convert,
    db::{
        self,
        capacity::{NewReservation, ReserveOutcome, StoredReservation},
    },
    domain::{
        capacity::{CapacityPlan, slot_at},
        pickup::{PickupUnavailable, RequestedPickup, latest_pickup_at},
        reservation::{Reservation, ReserveCapacity},
        store::StoreSnapshot,
    },
    not_found,
};

static CONFLICTS: Counter = Counter::new(
    "stores.capacity.conflicts",
    "Reservations that were planned again because the schedule of the store changed",
);

#[derive(Debug, thiserror::Error)]
pub enum ReserveCapacityError {
    #[error("unknown store")]
    StoreUnknown,
    /// The capacity of the order was released, so it cannot be reserved again.
    #[error("the reservation was released")]
    ReservationClosed,
    #[error("the order has a reservation at another store")]
    ReservationMismatch,
    #[error(transparent)]
    PickupUnavailable(#[from] PickupUnavailable),
    /// The order would be ready later than `not_after`.
    #[error("the earliest ready time is now {ready_at}")]
    EtaChanged { ready_at: Timestamp },
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(ReserveCapacityError);

impl From<ReserveCapacityError> for ServiceError {
    fn from(error: ReserveCapacityError) -> Self {
        match error {
            ReserveCapacityError::StoreUnknown => not_found::store(),
            ReserveCapacityError::ReservationClosed => Self::new(
                ErrorCode::Conflict,
                "RESERVATION_CLOSED",
                "This order was already closed. Please order again.",
            ),
            ReserveCapacityError::ReservationMismatch => Self::new(
                ErrorCode::Conflict,
                "RESERVATION_MISMATCH",
                "This order was placed at another store.",
            ),
            ReserveCapacityError::PickupUnavailable(problem) => pickup_unavailable(&problem),
            ReserveCapacityError::EtaChanged { ready_at } => Self::new(
                ErrorCode::Conflict,
                "ETA_CHANGED",
                "The store got busier, so your order would be ready later.",
            )
            .with_detail(&convert::error_detail::eta_changed(Some(ready_at))),
            ReserveCapacityError::Internal(error) => error.into(),
        }
    }
}

fn pickup_unavailable(problem: &PickupUnavailable) -> ServiceError {
    let error = |code| ServiceError::new(code, problem.reason(), problem.to_string());
    match problem {
        PickupUnavailable::Closed | PickupUnavailable::Paused => error(ErrorCode::Conflict),
        PickupUnavailable::OutsideHours => error(ErrorCode::RuleViolation).with_field("pickupAt"),
        PickupUnavailable::SlotTaken { earliest } => {
            error(ErrorCode::Conflict).with_detail(&convert::error_detail::eta_changed(*earliest))
        }
    }
}

/// Idempotent by order id: an existing reservation is returned, even if the request differs.
///
/// # Errors
/// [`ReserveCapacityError`]. Nothing is reserved.
#[tracing::instrument(skip_all, fields(order_id = %request.order_id, store_id = %request.store_id))]
pub async fn reserve_capacity(
    cx: &Stores,
    request: ReserveCapacity,
) -> Result<Reservation, ReserveCapacityError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    if let Some(reservation) = reserve_with_recent_snapshot(cx, &mut conn, request, now).await? {
        return Ok(reservation);
    }
    if let Some(reservation) = try_reserve(&mut conn, request, now).await? {
        return Ok(reservation);
    }
    CONFLICTS.add(1, &[]);
    // On a version conflict, lock the version, plan again in the same transaction, and write. This bounds retries.
    let mut tx = kit::postgres::begin_on(conn).await?;
    db::schedule_versions::increment(&mut tx, &[request.store_id]).await?;
    let reservation = try_reserve(&mut tx, request, now)
        .await?
        .ok_or_else(|| InternalError::invariant_violated("version conflict on a locked store"))?;
    tx.commit().await?;
    Ok(reservation)
}

/// Plans with the snapshot that the pricing of the order has read, and writes the plan. Returns `None` without such a snapshot, on
/// a version conflict, and if the store cannot accept the order: another snapshot is needed then.
async fn reserve_with_recent_snapshot(
    cx: &Stores,
    conn: &mut PgConnection,
    request: ReserveCapacity,
    now: Timestamp,
) -> Result<Option<Reservation>, ReserveCapacityError> {
    let Some(recent) = cx
        .recent_snapshots
        .get(request.store_id, &slots_of(request.pickup, now), now)
    else {
        return Ok(None);
    };
    let Ok(plan) = plan(&recent.snapshot, request, now) else {
        return Ok(None);
    };
    let written = write(conn, &recent.snapshot, request, &plan, now).await?;
    match written {
        Some(Written::New(_)) => cx.recent_snapshots.add_reservation(&recent, &plan),
        Some(Written::Existing(_)) => {}
        None => {
            CONFLICTS.add(1, &[]);
            cx.recent_snapshots.remove(request.store_id);
        }
    }
    Ok(written.map(Written::reservation))
}

/// Plans with the current state of the store and writes the plan. Returns `None` on a version conflict.
async fn try_reserve(
    conn: &mut PgConnection,
    request: ReserveCapacity,
    now: Timestamp,
) -> Result<Option<Reservation>, ReserveCapacityError> {
    let snapshot = db::stores::by_id(conn, request.store_id, None, slots_of(request.pickup, now))
        .await?
        .ok_or(ReserveCapacityError::StoreUnknown)?;
    match plan(&snapshot, request, now) {
        Ok(plan) => Ok(write(conn, &snapshot, request, &plan, now)
            .await?
            .map(Written::reservation)),
        // An existing reservation is returned even if the store does not accept orders now.
        Err(error) => find_existing(conn, request).await?.ok_or(error).map(Some),
    }
}

/// Returns the slots in which an order for this time can be made.
fn slots_of(pickup: RequestedPickup, now: Timestamp) -> RangeInclusive<i64> {
    let latest_at = match pickup {
        RequestedPickup::Asap => latest_pickup_at(now),
        RequestedPickup::At(at) => at.min(latest_pickup_at(now)),
    };
    slot_at(now)..=slot_at(latest_at)
}

/// The reservation of an order.
#[derive(Debug, Clone, Copy)]
enum Written {
    New(Reservation),
    Existing(Reservation),
}

impl Written {
    const fn reservation(self) -> Reservation {
        match self {
            Self::New(reservation) | Self::Existing(reservation) => reservation,
        }
    }
}

/// Writes a plan, unless the order has a reservation. Returns `None` on a version conflict.
async fn write(
    conn: &mut PgConnection,
    snapshot: &StoreSnapshot,
    request: ReserveCapacity,
    plan: &CapacityPlan,
    now: Timestamp,
) -> Result<Option<Written>, ReserveCapacityError> {
    let new_reservation = NewReservation {
        order_id: request.order_id,
        store_id: request.store_id,
        staffing: &snapshot.store.staffing,
        schedule_version: snapshot.schedule_version,
        make_seconds: request.make_seconds,
        plan,
    };
    match db::capacity::reserve(conn, new_reservation, now).await? {
        ReserveOutcome::Reserved => {
            kit::fault_point::reach("reserve.written");
            Ok(Some(Written::New(Reservation {
                order_id: request.order_id,
                start_at: plan.start_at,
                ready_at: plan.ready_at,
            })))
        }
        ReserveOutcome::VersionConflict => Ok(None),
        ReserveOutcome::OrderExists => find_existing(conn, request)
            .await?
            .ok_or_else(|| InternalError::invariant_violated("an existing reservation was not found").into())
            .map(|existing| Some(Written::Existing(existing))),
    }
}

fn plan(
    snapshot: &StoreSnapshot,
    request: ReserveCapacity,
    now: Timestamp,
) -> Result<CapacityPlan, ReserveCapacityError> {
    let plan = snapshot
        .schedule()
        .plan(request.make_seconds, request.pickup, now)?;
    if request
        .not_after
        .is_some_and(|latest_at| plan.ready_at > latest_at)
    {
        return Err(ReserveCapacityError::EtaChanged {
            ready_at: plan.ready_at,
        });
    }
    Ok(plan)
}

/// Returns the order's reservation, or `None` if it has none.
async fn find_existing(
    conn: &mut PgConnection,
    request: ReserveCapacity,
) -> Result<Option<Reservation>, ReserveCapacityError> {
    db::capacity::find_reservation(conn, request.order_id)
        .await?
        .map(|stored| check_existing(&stored, request))
        .transpose()
}

fn check_existing(
    stored: &StoredReservation,
    request: ReserveCapacity,
) -> Result<Reservation, ReserveCapacityError> {
    let is_elsewhere = |store_id: StoreId| store_id != request.store_id;
    if stored.released {
        return Err(ReserveCapacityError::ReservationClosed);
    }
    if stored.store_id.is_some_and(is_elsewhere) {
        return Err(ReserveCapacityError::ReservationMismatch);
    }
    match (stored.start_at, stored.ready_at) {
        (Some(start_at), Some(ready_at)) => Ok(Reservation {
            order_id: request.order_id,
            start_at: start_at.to_jiff(),
            ready_at: ready_at.to_jiff(),
        }),
        _ => Err(InternalError::invariant_violated("a reservation has no times").into()),
    }
}
