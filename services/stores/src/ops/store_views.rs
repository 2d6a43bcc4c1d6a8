//! Loads stores as a consumer sees them now.

use kit::InternalError;
use sqlx::PgConnection;
use types::{ConsumerId, StoreId};

use crate::{
    Stores, db,
    domain::{capacity::slot_at, geo::Position, store_view::StoreView},
};

/// Number of slots, two hours, for which the load is read. Later slots count as free, so a longer wait is
/// underestimated.
const WAIT_SLOTS: i64 = 24;

/// Returns the stores in the order of `store_ids`, without unknown ones. `consumer_id` selects the favorites and
/// `position` the point from which distances are measured.
pub(super) async fn load_store_views(
    cx: &Stores,
    conn: &mut PgConnection,
    store_ids: &[StoreId],
    consumer_id: Option<ConsumerId>,
    position: Option<Position>,
) -> Result<Vec<StoreView>, InternalError> {
    let now = cx.clock.now();
    let first_slot = slot_at(now);
    let slots = first_slot..=first_slot + WAIT_SLOTS;
    let snapshots = db::stores::by_ids(conn, store_ids, consumer_id, slots).await?;
    Ok(snapshots
        .into_iter()
        .map(|snapshot| StoreView::new(snapshot.store, &snapshot.load, now, position))
        .collect())
}
