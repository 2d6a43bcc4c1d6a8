//! Which stores, in which order: ids only. Each query walks the index of places from the nearest on, or a small set.

use sqlx::PgConnection;
use types::{CompanyId, ConsumerId, Page, StoreId};

use crate::domain::{geo::Position, term::Term};

/// Below this two words have too little in common to be a slip of the finger.
const LEAST_SIMILARITY: &str = "0.45";

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

/// The stores that have something like every word of a term, best match first, nearest first among equals. Matches
/// count as equal within a tenth: a letter more or less outweighs no distance.
///
/// # Errors
/// The database's. Has to run in a transaction: what counts as alike is set for it.
pub async fn matching(
    tx: &mut PgConnection,
    term: &Term,
    here: Position,
    curbside_only: bool,
    page: Page,
) -> Result<Vec<StoreId>, sqlx::Error> {
    // One round trip folds the words as the stores' own text is (no accents) and sets what counts as alike.
    let words = sqlx::query_scalar!(
        r#"SELECT unaccent(word) AS "word!" FROM unnest($1::text[]) AS word
           WHERE set_config('pg_trgm.word_similarity_threshold', $2, true) IS NOT NULL"#,
        term.words(),
        LEAST_SIMILARITY,
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut words = words.into_iter();
    let (first, second, third, fourth) = (words.next(), words.next(), words.next(), words.next());
    sqlx::query_scalar!(
        r#"SELECT store_id AS "id: StoreId" FROM stores
           WHERE $1 <% search_text AND ($2::text IS NULL OR $2 <% search_text)
             AND ($3::text IS NULL OR $3 <% search_text) AND ($4::text IS NULL OR $4 <% search_text)
             AND (curbside OR NOT $7)
           ORDER BY
             round((word_similarity($1, search_text) + coalesce(word_similarity($2, search_text), 0)
                  + coalesce(word_similarity($3, search_text), 0) + coalesce(word_similarity($4, search_text), 0)
                   )::numeric / $10::integer, 1) DESC,
             place <-> ll_to_earth($5, $6), store_id
           LIMIT $8 OFFSET $9"#,
        first,
        second,
        third,
        fourth,
        here.latitude(),
        here.longitude(),
        curbside_only,
        page.limit(),
        page.offset(),
        i32::try_from(term.words().len()).unwrap_or(1),
    )
    .fetch_all(tx)
    .await
}
