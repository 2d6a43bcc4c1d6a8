//! Stores as a person sees them now: open or not, how long the wait is, how far away.

use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::{ConsumerId, StoreId};

use crate::{
    Stores, db,
    domain::{
        capacity::{self, Counter, Load, TYPICAL_MAKE_SECONDS, slice_of},
        geo::Position,
        pickup::{Shop, Wanted},
        standing::Standing,
        store::Store,
    },
};

/// The wait is looked for this far ahead; what is busier than that is not worth more rows.
const WAIT_SLICES: i64 = 24;

/// A store at an instant.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The store.
    pub store: Store,
    /// Open or not.
    pub standing: Standing,
    /// Minutes until an order placed now is ready; 0 where none is taken.
    pub wait_minutes: u32,
    /// Metres from where the consumer is.
    pub distance_meters: Option<f64>,
}

impl Shown {
    /// A store at an instant, with what it has promised.
    #[must_use]
    pub fn at(store: Store, load: &Load, now: Timestamp, here: Option<Position>) -> Self {
        let shop = shop(&store, load);
        let wait_minutes = shop
            .plan(TYPICAL_MAKE_SECONDS, Wanted::Soonest, now)
            .map_or(0, |plan| capacity::wait_minutes(now, plan.ready_at));
        let standing = Standing::at(&store.week, &store.zone, store.paused, now);
        let distance_meters = here.map(|here| here.meters_to(store.position));
        Self {
            store,
            standing,
            wait_minutes,
            distance_meters,
        }
    }
}

/// A store as far as promises go.
#[must_use]
pub fn shop<'a>(store: &'a Store, load: &'a Load) -> Shop<'a> {
    let counter = Counter {
        load,
        baristas: store.baristas,
    };
    Shop {
        counter,
        week: &store.week,
        zone: &store.zone,
        paused: store.paused,
    }
}

/// These stores, in this order.
///
/// # Errors
/// The database's.
pub async fn show(
    cx: &Stores,
    conn: &mut PgConnection,
    ids: &[StoreId],
    consumer: Option<ConsumerId>,
    here: Option<Position>,
) -> Result<Vec<Shown>, InternalError> {
    let now = cx.clock.now();
    let first = slice_of(now);
    let moments = db::stores::by_ids(conn, ids, consumer, first..=first + WAIT_SLICES).await?;
    Ok(moments
        .into_iter()
        .map(|moment| Shown::at(moment.store, &moment.load, now, here))
        .collect())
}
