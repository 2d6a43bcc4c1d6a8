//! Which stores, in which order: ids only. Each query walks the index of places from the nearest on, or a small set.

use sqlx::PgConnection;
use types::{CompanyId, ConsumerId, Page, StoreId};

use crate::domain::geo::Position;

/// The nearest stores. Stores in the very same place come in the index's order, which is the same for every page: a
/// second thing to sort by would cost the index.
///
/// # Errors
/// The database's.
pub async fn nearest(
    conn: &mut PgConnection,
    here: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<StoreId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT store_id AS "id: StoreId" FROM stores
           WHERE curbside OR NOT $3
           ORDER BY place <-> ll_to_earth($1, $2)
           LIMIT $4 OFFSET $5"#,
        here.latitude(),
        here.longitude(),
        curbside_only,
        page.limit(),
        page.offset(),
    )
    .fetch_all(conn)
    .await
}

/// The nearest stores of a company.
///
/// # Errors
/// The database's.
pub async fn nearest_of_company(
    conn: &mut PgConnection,
    company: CompanyId,
    here: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<StoreId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT store_id AS "id: StoreId" FROM stores
           WHERE company_id = $3 AND (curbside OR NOT $4)
           ORDER BY place <-> ll_to_earth($1, $2), store_id
           LIMIT $5 OFFSET $6"#,
        here.latitude(),
        here.longitude(),
        company as CompanyId,
        curbside_only,
        page.limit(),
        page.offset(),
    )
    .fetch_all(conn)
    .await
}

/// The stores that a consumer likes, nearest first.
///
/// # Errors
/// The database's.
pub async fn favorites(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    here: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<StoreId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT store_id AS "id: StoreId" FROM favorites JOIN stores USING (store_id)
           WHERE consumer_id = $3 AND (curbside OR NOT $4)
           ORDER BY place <-> ll_to_earth($1, $2), store_id
           LIMIT $5 OFFSET $6"#,
        here.latitude(),
        here.longitude(),
        consumer as ConsumerId,
        curbside_only,
        page.limit(),
        page.offset(),
    )
    .fetch_all(conn)
    .await
}
