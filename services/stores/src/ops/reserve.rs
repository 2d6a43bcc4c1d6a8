//! Reserves make-minutes for an order.

use jiff::Timestamp;
use kit::{Code, Fault, Refusal};
use types::{OrderId, StoreId};

use super::{get_store::store_unknown, show::shop};
use crate::{
    Stores,
    db::{self, capacity::Reservation},
    domain::{
        capacity::slice_of,
        pickup::{NotThen, Wanted, furthest},
    },
};

/// What an order needs of a store.
#[derive(Debug, Clone, Copy)]
pub struct ReserveMinutes {
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
    Fault(#[from] Fault),
}
kit::fault_from!(ReserveError);

impl From<ReserveError> for Refusal {
    fn from(error: ReserveError) -> Self {
        match error {
            ReserveError::StoreUnknown => store_unknown(),
            ReserveError::Closed => Self::new(
                Code::Conflict,
                "RESERVATION_CLOSED",
                "This order was closed; please order again.",
            ),
            ReserveError::Elsewhere => Self::new(
                Code::Conflict,
                "RESERVATION_ELSEWHERE",
                "This order belongs to another store.",
            ),
            ReserveError::NotThen(not_then) => refuse(&not_then),
            ReserveError::PromiseMoved { ready_at } => Self::new(
                Code::Conflict,
                "PROMISE_MOVED",
                "The store got busier: your order would be ready later.",
            )
            .with_data(ready(ready_at)),
            ReserveError::Fault(fault) => fault.into(),
        }
    }
}

fn refuse(not_then: &NotThen) -> Refusal {
    let refusal = |code| Refusal::new(code, reason(not_then), not_then.to_string());
    match not_then {
        NotThen::Closed | NotThen::Paused => refusal(Code::Conflict),
        NotThen::OutsideHours => refusal(Code::Rule).with_field("pickupAt"),
        NotThen::Taken {
            soonest: Some(soonest),
        } => refusal(Code::Conflict).with_data(ready(*soonest)),
        NotThen::Taken { soonest: None } => refusal(Code::Conflict),
    }
}

/// Stable, for code.
#[must_use]
pub const fn reason(not_then: &NotThen) -> &'static str {
    match not_then {
        NotThen::Closed => "STORE_CLOSED",
        NotThen::Paused => "STORE_PAUSED",
        NotThen::OutsideHours => "PICKUP_TIME_INVALID",
        NotThen::Taken { .. } => "SLOT_GONE",
    }
}

fn ready(at: Timestamp) -> String {
    serde_json::json!({ "readyAt": at }).to_string()
}

/// Reserves make-minutes. Idempotent by order id: an order that has minutes keeps them, whatever is asked for.
///
/// # Errors
/// [`ReserveError`]; nothing is reserved then.
#[tracing::instrument(skip_all, fields(order_id = %request.order, store_id = %request.store))]
pub async fn reserve(cx: &Stores, request: ReserveMinutes) -> Result<Promise, ReserveError> {
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    // One at a time at each store: what is planned on stays true until it is written.
    if !db::stores::lock(&mut tx, request.store).await? {
        return Err(ReserveError::StoreUnknown);
    }
    if let Some(earlier) = db::capacity::reservation(&mut tx, request.order).await? {
        return promised(&earlier, request.store);
    }
    let store = db::stores::by_id(&mut tx, request.store, None)
        .await?
        .ok_or(ReserveError::StoreUnknown)?;
    let last = match request.wanted {
        Wanted::Soonest => furthest(now),
        Wanted::At(at) => at.min(furthest(now)),
    };
    let load = db::capacity::load(&mut tx, store.id, slice_of(now), slice_of(last)).await?;
    let plan = shop(&store, &load).plan(request.make_seconds, request.wanted, now)?;
    if request.not_after.is_some_and(|latest| plan.ready_at > latest) {
        return Err(ReserveError::PromiseMoved {
            ready_at: plan.ready_at,
        });
    }
    let written = db::capacity::reserve(
        &mut tx,
        request.order,
        store.id,
        store.baristas,
        request.make_seconds,
        &plan,
        now,
    )
    .await?;
    if !written {
        // Closed, or reserved elsewhere, since we looked.
        let earlier = db::capacity::reservation(&mut tx, request.order).await?;
        return promised(
            &earlier.ok_or_else(|| Fault::broken("a reservation vanished"))?,
            request.store,
        );
    }
    kit::fault_point::reach("reserve.written");
    tx.commit().await?;
    Ok(Promise {
        start_at: plan.start_at,
        ready_at: plan.ready_at,
    })
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
        _ => Err(Fault::broken("a reservation without its times").into()),
    }
}
