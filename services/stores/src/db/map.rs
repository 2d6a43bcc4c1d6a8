//! Stores in a map view.

use sqlx::PgConnection;
use types::StoreId;

use crate::domain::{map::MapCell, map_view::MapView};

/// Returns up to `limit` stores in a view. Stores with curbside pickup have a separate index, because they may be rare.
pub async fn stores_in(
    conn: &mut PgConnection,
    view: &MapView,
    curbside_only: bool,
    limit: i64,
) -> Result<Vec<StoreId>, sqlx::Error> {
    if curbside_only {
        sqlx::query_scalar!(
            r#"SELECT store_id AS "id: StoreId" FROM stores
               WHERE point(longitude, latitude) <@ box(point($1, $2), point($3, $4)) AND curbside
               LIMIT $5"#,
            view.west,
            view.south,
            view.east,
            view.north,
            limit,
        )
        .fetch_all(conn)
        .await
    } else {
        sqlx::query_scalar!(
            r#"SELECT store_id AS "id: StoreId" FROM stores
               WHERE point(longitude, latitude) <@ box(point($1, $2), point($3, $4))
               LIMIT $5"#,
            view.west,
            view.south,
            view.east,
            view.north,
            limit,
        )
        .fetch_all(conn)
        .await
    }
}

/// Returns the cells of a view that contain stores, those with the most stores first. Reads counts that triggers maintain: the view
/// has cells of a stored level. If a cell has one store, the mean is its position, which finds the store.
pub(crate) async fn stored_cells_in(
    conn: &mut PgConnection,
    view: &MapView,
    curbside_only: bool,
) -> Result<Vec<MapCell>, sqlx::Error> {
    sqlx::query_as!(
        MapCell,
        r#"WITH cells AS (
               SELECT x, y, sum(stores)::bigint AS count,
                      (sum(latitude_sum) / sum(stores) / 1e7)::double precision AS latitude,
                      (sum(longitude_sum) / sum(stores) / 1e7)::double precision AS longitude
               FROM generate_series($2::integer, $3::integer) AS view_column (x)
               JOIN store_cells USING (x)
               WHERE level = $1 AND y BETWEEN $4 AND $5 AND stores > 0 AND (curbside OR NOT $6)
               GROUP BY x, y)
           SELECT CASE WHEN count = 1 THEN (
                      SELECT store_id FROM stores
                      WHERE point(stores.longitude, stores.latitude)
                            <@ box(point(cells.longitude - 2e-7, cells.latitude - 2e-7),
                                   point(cells.longitude + 2e-7, cells.latitude + 2e-7))
                        AND (curbside OR NOT $6)
                        AND map_cell_x(stores.longitude) >> (14 - $1) = x
                        AND map_cell_y(stores.latitude) >> (14 - $1) = y
                      LIMIT 1) END AS "single_store: StoreId",
                  count AS "count!", latitude AS "latitude!", longitude AS "longitude!"
           FROM cells ORDER BY 2 DESC, 3, 4"#,
        i16::from(view.level),
        view.north_west.x,
        view.south_east.x,
        view.north_west.y,
        view.south_east.y,
        curbside_only,
    )
    .fetch_all(conn)
    .await
}

/// Counts the stores of a small view, in the same grid at a finer level.
pub(crate) async fn counted_cells_in(
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
           GROUP BY floor((longitude + 180) / 360 * $6::double precision),
                    floor((0.5 - ln(tan(pi() / 4 + radians(least(85, greatest(-85, latitude))) / 2)) / (2 * pi())) * $6)
           ORDER BY 2 DESC, 3, 4"#,
        view.west,
        view.south,
        view.east,
        view.north,
        curbside_only,
        f64::from(view.level).exp2(),
    )
    .fetch_all(conn)
    .await
}
