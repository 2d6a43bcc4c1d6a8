//! Reserves make-minutes for an order.

use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError};
use sqlx::{Connection, PgConnection};
use types::{OrderId, StoreId};

use super::{get_store::store_unknown, show::shop};
use crate::{
    Stores, convert,
    db::{
        self,
        capacity::{Reservation, Reserving, Written},
        stores::Moment,
    },
    domain::{
        capacity::{Plan, slice_of},
        pickup::{NotThen, Wanted, furthest},
    },
};

/// What an order needs of a store.
#[derive(Debug, Clone, Copy)]
pub struct ReserveCapacity {
    /// For which order; a second call for it gets the first one's answer.
    pub order: OrderId,
    /// Where.
    pub store: StoreId,
    /// Seconds of making.
    pub make_seconds: u32,
    /// When it is wanted.
    pub wanted: Wanted,
    /// The latest acceptable promise.
    pub not_after: Option<Timestamp>,
}

/// What was promised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promise {
    /// When the making has to start.
    pub start_at: Timestamp,
    /// When the order is ready.
    pub ready_at: Timestamp,
}

/// Why nothing was reserved.
#[derive(Debug, thiserror::Error)]
pub enum ReserveError {
    /// No such store.
    #[error("no such store")]
    StoreUnknown,
    /// The order's minutes were released before; nothing can be reserved for it any more.
    #[error("the reservation was released")]
    Closed,
    /// The order has minutes at another store.
    #[error("the order has minutes at another store")]
    Elsewhere,
    /// Not when it is wanted.
    #[error(transparent)]
    NotThen(#[from] NotThen),
    /// It would be ready later than is acceptable.
    #[error("the promise moved to {ready_at}")]
    PromiseMoved {
        /// When it would be.
        ready_at: Timestamp,
    },
    /// Nobody's decision.
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(ReserveError);

impl From<ReserveError> for ServiceError {
    fn from(error: ReserveError) -> Self {
        match error {
            ReserveError::StoreUnknown => store_unknown(),
            ReserveError::Closed => Self::new(
                ErrorCode::Conflict,
                "RESERVATION_CLOSED",
                "This order was closed; please order again.",
            ),
            ReserveError::Elsewhere => Self::new(
                ErrorCode::Conflict,
                "RESERVATION_MISMATCH",
                "This order belongs to another store.",
            ),
            ReserveError::NotThen(not_then) => refuse(&not_then),
            ReserveError::PromiseMoved { ready_at } => Self::new(
                ErrorCode::Conflict,
                "ETA_CHANGED",
                "The store got busier: your order would be ready later.",
            )
            .with_detail(&convert::error::eta_changed(Some(ready_at))),
            ReserveError::Internal(fault) => fault.into(),
        }
    }
}

fn refuse(not_then: &NotThen) -> ServiceError {
    let refusal = |code| ServiceError::new(code, reason(not_then), not_then.to_string());
    match not_then {
        NotThen::Closed | NotThen::Paused => refusal(ErrorCode::Conflict),
        NotThen::OutsideHours => refusal(ErrorCode::RuleViolation).with_field("pickupAt"),
        NotThen::Taken { soonest } => {
            refusal(ErrorCode::Conflict).with_detail(&convert::error::eta_changed(*soonest))
        }
    }
}

/// Stable, for code.
#[must_use]
pub const fn reason(not_then: &NotThen) -> &'static str {
    match not_then {
        NotThen::Closed => "STORE_CLOSED",
        NotThen::Paused => "STORE_PAUSED",
        NotThen::OutsideHours => "PICKUP_TIME_INVALID",
        NotThen::Taken { .. } => "SLOT_UNAVAILABLE",
    }
}

/// Reserves make-minutes. Idempotent by order id: an order that has minutes keeps them, whatever is asked for.
///
/// # Errors
/// [`ReserveError`]; nothing is reserved then.
#[tracing::instrument(skip_all, fields(order_id = %request.order, store_id = %request.store))]
pub async fn reserve(cx: &Stores, request: ReserveCapacity) -> Result<Promise, ReserveError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    if let Some(promise) = attempt(&mut conn, request, now).await? {
        return Ok(promise);
    }
    // Somebody else was faster, and more may follow: plan again while nobody else has a turn.
    let mut tx = conn.begin().await?;
    db::turns::take(&mut tx, &[request.store]).await?;
    let promise = attempt(&mut tx, request, now)
        .await?
        .ok_or_else(|| InternalError::broken("a store moved out of turn"))?;
    tx.commit().await?;
    Ok(promise)
}

/// Plans on the store as it stands and writes the plan if it still stands so. None: it moved meanwhile.
async fn attempt(
    conn: &mut PgConnection,
    request: ReserveCapacity,
    now: Timestamp,
) -> Result<Option<Promise>, ReserveError> {
    let last = match request.wanted {
        Wanted::Soonest => furthest(now),
        Wanted::At(at) => at.min(furthest(now)),
    };
    let moment = db::stores::by_id(conn, request.store, None, slice_of(now)..=slice_of(last))
        .await?
        .ok_or(ReserveError::StoreUnknown)?;
    let plan = match plan(&moment, request, now) {
        Ok(plan) => plan,
        // An order that has its minutes is refused nothing.
        Err(refusal) => return earlier(conn, request).await?.ok_or(refusal).map(Some),
    };
    let reserving = Reserving {
        order: request.order,
        store: request.store,
        baristas: moment.store.baristas,
        turn: moment.turn,
        make_seconds: request.make_seconds,
        plan: &plan,
    };
    match db::capacity::reserve(conn, reserving, now).await? {
        Written::Reserved => {
            kit::fault_point::reach("reserve.written");
            Ok(Some(Promise {
                start_at: plan.start_at,
                ready_at: plan.ready_at,
            }))
        }
        Written::Moved => Ok(None),
        Written::Known => earlier(conn, request)
            .await?
            .ok_or_else(|| InternalError::broken("a reservation vanished").into())
            .map(Some),
    }
}

fn plan(moment: &Moment, request: ReserveCapacity, now: Timestamp) -> Result<Plan, ReserveError> {
    let plan = shop(&moment.store, &moment.load).plan(request.make_seconds, request.wanted, now)?;
    if request.not_after.is_some_and(|latest| plan.ready_at > latest) {
        return Err(ReserveError::PromiseMoved {
            ready_at: plan.ready_at,
        });
    }
    Ok(plan)
}

/// What the order was promised before; nothing where it has not asked yet.
async fn earlier(conn: &mut PgConnection, request: ReserveCapacity) -> Result<Option<Promise>, ReserveError> {
    let earlier = db::capacity::reservation(conn, request.order).await?;
    earlier
        .map(|earlier| promised(&earlier, request.store))
        .transpose()
}

fn promised(earlier: &Reservation, store: StoreId) -> Result<Promise, ReserveError> {
    match earlier {
        Reservation { released: true, .. } => Err(ReserveError::Closed),
        Reservation { store: Some(at), .. } if *at != store => Err(ReserveError::Elsewhere),
        Reservation {
            start_at: Some(start_at),
            ready_at: Some(ready_at),
            ..
        } => Ok(Promise {
            start_at: start_at.to_jiff(),
            ready_at: ready_at.to_jiff(),
        }),
        _ => Err(InternalError::broken("a reservation without its times").into()),
    }
}
