//! Returns the stores in a map view. Groups stores close to each other into clusters.

use kit::InternalError;
use sqlx::PgConnection;
use types::{ConsumerId, StoreId};

use super::store_views::load_store_views;
use crate::{
    Stores, db,
    domain::{
        geo::Position,
        map::{MapCell, StoreMap},
        map_view::MapView,
    },
};

/// Views with more stores have clusters.
const MAX_PINS: usize = 30;
/// A small view with more stores has the coarser clusters of stored counts, because counting takes time for each store.
const MAX_COUNTED_STORES: f64 = 1_500.0;

/// `span_degrees` is half the height of the view in degrees of latitude; 0 for the default.
pub(crate) async fn map_stores(
    cx: &Stores,
    center: Option<Position>,
    span_degrees: f64,
    curbside_only: bool,
    consumer_id: Option<ConsumerId>,
) -> Result<StoreMap, InternalError> {
    let view = MapView::around(center.unwrap_or(cx.default_position), span_degrees);
    let mut conn = cx.pool.acquire().await?;
    let limit = i64::try_from(MAX_PINS + 1).unwrap_or(i64::MAX);
    let store_ids = db::map::stores_in(&mut conn, &view, curbside_only, limit).await?;
    let (store_ids, clusters): (Vec<StoreId>, Vec<MapCell>) = if store_ids.len() <= MAX_PINS {
        (store_ids, Vec::new())
    } else {
        let cells = cells_in(&mut conn, view, curbside_only).await?;
        let (single, clusters): (Vec<_>, Vec<_>) =
            cells.into_iter().partition(|cell| cell.single_store.is_some());
        (
            single.into_iter().filter_map(|cell| cell.single_store).collect(),
            clusters,
        )
    };
    Ok(StoreMap {
        stores: load_store_views(cx, &mut conn, &store_ids, consumer_id, center).await?,
        clusters,
    })
}

/// Returns the cells of a view that contain stores, those with the most stores first.
pub async fn cells_in(
    conn: &mut PgConnection,
    view: MapView,
    curbside_only: bool,
) -> Result<Vec<MapCell>, sqlx::Error> {
    let coarser = view.with_stored_counts();
    let stored = db::map::stored_cells_in(conn, &coarser, curbside_only).await?;
    let in_cells = stored.iter().map(|cell| cell.count).sum();
    if view.has_stored_counts() || coarser.estimate_stores(in_cells) > MAX_COUNTED_STORES {
        return Ok(stored);
    }
    db::map::counted_cells_in(conn, &view, curbside_only).await
}
