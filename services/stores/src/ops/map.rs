//! What a map shows: single stores, and clusters where they stand close.

use kit::InternalError;
use types::{ConsumerId, StoreId};

use super::show::{Shown, show};
use crate::{
    Stores,
    db::{self, map::Cell},
    domain::geo::{Position, View},
};

/// A phone's map holds so many pins; only more than that are clustered.
const MOST_PINS: i64 = 30;

/// A map.
#[derive(Debug)]
pub struct Map {
    /// Stores that stand alone.
    pub stores: Vec<Shown>,
    /// Several stores together.
    pub clusters: Vec<Cell>,
}

/// What a map around a point shows, `span` degrees of latitude from its middle to its edge (0 for the usual).
///
/// # Errors
/// The database's.
pub async fn map(
    cx: &Stores,
    center: Option<Position>,
    span: f64,
    curbside_only: bool,
    consumer: Option<ConsumerId>,
) -> Result<Map, InternalError> {
    let view = View::around(center.unwrap_or(cx.usual_position), span);
    let mut conn = cx.pool.acquire().await?;
    let few = db::map::within(&mut conn, &view, curbside_only, MOST_PINS + 1).await?;
    let (ids, clusters): (Vec<StoreId>, Vec<Cell>) =
        if i64::try_from(few.len()).unwrap_or(i64::MAX) <= MOST_PINS {
            (few, Vec::new())
        } else {
            let cells = db::map::cells(&mut conn, &view, curbside_only).await?;
            (
                cells.iter().filter_map(|cell| cell.only).collect(),
                cells.into_iter().filter(|cell| cell.only.is_none()).collect(),
            )
        };
    Ok(Map {
        stores: show(cx, &mut conn, &ids, consumer, center).await?,
        clusters,
    })
}
