//! Counts of ratings of orders, by day.

use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::StoreId;

use crate::domain::rating::{OrderRating, StoreRating};

/// Adds a rating. Does nothing if the store does not exist.
pub(crate) async fn add(tx: &mut PgConnection, rating: &OrderRating) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO ratings (store_id, day, ratings, stars)
         SELECT store_id, $2, 1, $3 FROM stores WHERE store_id = $1
         ON CONFLICT ON CONSTRAINT ratings_pkey
         DO UPDATE SET ratings = ratings.ratings + 1, stars = ratings.stars + EXCLUDED.stars",
        rating.store_id as StoreId,
        rating.day().to_sqlx() as _,
        i64::from(rating.stars),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Returns the ratings of a store since a day.
pub(crate) async fn count(
    conn: &mut PgConnection,
    store_id: StoreId,
    first_day: Date,
) -> Result<StoreRating, sqlx::Error> {
    sqlx::query_as!(
        StoreRating,
        r#"SELECT coalesce(sum(ratings), 0)::bigint AS "ratings!", coalesce(sum(stars), 0)::bigint AS "stars!"
           FROM ratings WHERE store_id = $1 AND day >= $2"#,
        store_id as StoreId,
        first_day.to_sqlx() as _,
    )
    .fetch_one(conn)
    .await
}

/// Deletes up to `limit` counts of the days before `first_day`, except those that another replica is deleting. Returns the number of rows.
pub(crate) async fn prune(conn: &mut PgConnection, first_day: Date, limit: i64) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM ratings WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM ratings WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED))",
        first_day.to_sqlx() as _,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
