//! Ids of stores, nearest first.

use sqlx::PgConnection;
use types::{CompanyId, ConsumerId, Page, StoreId};

use crate::domain::geo::Position;

/// Stores at the same place are returned in the order of the index, which is the same for every page. A second sort key
/// would prevent the use of the index.
pub async fn stores(
    conn: &mut PgConnection,
    from: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<StoreId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT store_id AS "id: StoreId" FROM stores
           WHERE curbside OR NOT $3
           ORDER BY place <-> ll_to_earth($1, $2)
           LIMIT $4 OFFSET $5"#,
        from.latitude(),
        from.longitude(),
        curbside_only,
        page.limit(),
        page.offset(),
    )
    .fetch_all(conn)
    .await
}

pub(crate) async fn stores_of_company(
    conn: &mut PgConnection,
    company_id: CompanyId,
    from: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<StoreId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT store_id AS "id: StoreId" FROM stores
           WHERE company_id = $3 AND (curbside OR NOT $4)
           ORDER BY place <-> ll_to_earth($1, $2)
           LIMIT $5 OFFSET $6"#,
        from.latitude(),
        from.longitude(),
        company_id as CompanyId,
        curbside_only,
        page.limit(),
        page.offset(),
    )
    .fetch_all(conn)
    .await
}

pub(crate) async fn favorites(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    from: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<StoreId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT store_id AS "id: StoreId" FROM favorites JOIN stores USING (store_id)
           WHERE consumer_id = $3 AND (curbside OR NOT $4)
           ORDER BY place <-> ll_to_earth($1, $2), store_id
           LIMIT $5 OFFSET $6"#,
        from.latitude(),
        from.longitude(),
        consumer_id as ConsumerId,
        curbside_only,
        page.limit(),
        page.offset(),
    )
    .fetch_all(conn)
    .await
}
