//! Stores in a map view.

use sqlx::PgConnection;
use types::StoreId;

use crate::domain::{geo::MapView, map::MapCell};

/// Returns up to `limit` stores in a view.
pub async fn stores_in(
    conn: &mut PgConnection,
    view: &MapView,
    curbside_only: bool,
    limit: i64,
) -> Result<Vec<StoreId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT store_id AS "id: StoreId" FROM stores
           WHERE point(longitude, latitude) <@ box(point($1, $2), point($3, $4)) AND (curbside OR NOT $5)
           LIMIT $6"#,
        view.west,
        view.south,
        view.east,
        view.north,
        curbside_only,
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Returns the cells of a view that contain stores.
pub async fn cells_in(
    conn: &mut PgConnection,
    view: &MapView,
    curbside_only: bool,
) -> Result<Vec<MapCell>, sqlx::Error> {
    sqlx::query_as!(
        MapCell,
        r#"SELECT CASE WHEN count(*) = 1 THEN (array_agg(store_id))[1] END AS "single_store: StoreId",
                  count(*) AS "count!", avg(latitude) AS "latitude!", avg(longitude) AS "longitude!"
           FROM stores
           WHERE point(longitude, latitude) <@ box(point($1, $2), point($3, $4)) AND (curbside OR NOT $5)
           GROUP BY floor(latitude / $6::double precision), floor(longitude / $7::double precision)
           ORDER BY 2 DESC, 3, 4"#,
        view.west,
        view.south,
        view.east,
        view.north,
        curbside_only,
        view.cell_height,
        view.cell_width,
    )
    .fetch_all(conn)
    .await
}
