//! What stands in a view of the map.

use sqlx::PgConnection;
use types::StoreId;

use crate::domain::geo::View;

/// A cell of the view with stores in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// Its only store; nothing if it has several.
    pub only: Option<StoreId>,
    /// How many stores.
    pub count: i64,
    /// The middle of them.
    pub latitude: f64,
    /// The middle of them.
    pub longitude: f64,
}

/// How many stores a view holds, counted up to a limit.
///
/// # Errors
/// The database's.
pub async fn within(
    conn: &mut PgConnection,
    view: &View,
    curbside_only: bool,
    most: i64,
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
        most,
    )
    .fetch_all(conn)
    .await
}

/// The stores of a view, cell by cell.
///
/// # Errors
/// The database's.
pub async fn cells(
    conn: &mut PgConnection,
    view: &View,
    curbside_only: bool,
) -> Result<Vec<Cell>, sqlx::Error> {
    sqlx::query_as!(
        Cell,
        r#"SELECT CASE WHEN count(*) = 1 THEN (array_agg(store_id))[1] END AS "only: StoreId",
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
        view.cell_north,
        view.cell_east,
    )
    .fetch_all(conn)
    .await
}
