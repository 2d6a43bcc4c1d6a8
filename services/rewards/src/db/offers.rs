//! Offers.

use sqlx::PgConnection;
use types::ConsumerId;

use crate::domain::{
    catalog::CatalogOffer,
    offer::{Offer, OfferPromo},
    weekdays::Weekdays,
};

/// Returns the offer with this id, or all offers, in the order of their ids.
pub async fn list(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    offer_id: Option<&str>,
) -> sqlx::Result<Vec<Offer>> {
    let rows = sqlx::query!(
        r#"SELECT offer_id, title, body, terms, promos.code AS "code?", is_app_only AS "is_app_only?",
                  weekdays AS "weekdays?", starts_at AS "starts_at?: jiff_sqlx::Timestamp", ends_at,
                  coalesce(claim_count >= max_claims, false) AS "is_used_up!",
                  coalesce(is_first_app_order, false) AND EXISTS (
                      SELECT FROM order_points
                      WHERE consumer_id = $1 AND is_in_app AND completed_at IS NOT NULL AND NOT is_unpaid
                        AND (total = 0 OR total > refunded)
                  ) OR EXISTS (
                      SELECT FROM claims
                      WHERE claims.code = promos.code AND once AND state = 'claimed' AND claims.consumer_id = $1
                      UNION ALL
                      SELECT FROM claims JOIN consumers ON consumers.consumer_id = $1
                      WHERE claims.code = promos.code AND once AND state = 'claimed'
                        AND claims.phone_hash = consumers.phone_hash
                  ) OR max_claims_per_consumer IS NOT NULL AND max_claims_per_consumer <= (
                      SELECT count(*) FROM (
                          SELECT order_id FROM claims
                          WHERE claims.code = promos.code AND state = 'claimed' AND claims.consumer_id = $1
                          UNION
                          SELECT order_id FROM claims JOIN consumers ON consumers.consumer_id = $1
                          WHERE claims.code = promos.code AND state = 'claimed'
                            AND claims.phone_hash = consumers.phone_hash
                      ) AS uses
                  ) AS "is_used!"
           FROM offers LEFT JOIN promos ON promos.code = offers.promo_code
           WHERE $2::text IS NULL OR offer_id = $2
           ORDER BY offer_id"#,
        consumer_id.uuid(),
        offer_id,
    )
    .fetch_all(conn)
    .await?;
    let offers = rows.into_iter().map(|row| Offer {
        id: row.offer_id,
        title: row.title,
        body: row.body,
        terms: row.terms,
        promo: row.code.zip(row.starts_at).map(|(code, starts_at)| OfferPromo {
            code,
            weekdays: Weekdays::from_numbers(&row.weekdays.unwrap_or_default()),
            is_app_only: row.is_app_only.unwrap_or_default(),
            starts_at: starts_at.into(),
            ends_at: row.ends_at.map(Into::into),
            is_used_up: row.is_used_up,
            is_used: row.is_used,
        }),
    });
    Ok(offers.collect())
}

/// Inserts or replaces an offer of the catalog and returns `true`. Returns `false` if the id belongs to another catalog.
pub async fn upsert(conn: &mut PgConnection, catalog: &str, offer: &CatalogOffer) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO offers (offer_id, catalog, title, body, terms, promo_code) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT ON CONSTRAINT offers_pkey
         DO UPDATE SET title = excluded.title, body = excluded.body, terms = excluded.terms,
                       promo_code = excluded.promo_code
         WHERE offers.catalog = excluded.catalog",
        offer.id,
        catalog,
        offer.title,
        offer.body,
        offer.terms,
        offer.promo_code,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes the offers of the catalog that are not among these.
pub async fn delete_others(conn: &mut PgConnection, catalog: &str, offer_ids: &[String]) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM offers WHERE catalog = $1 AND NOT offer_id = ANY($2)",
        catalog,
        offer_ids,
    )
    .execute(conn)
    .await
    .map(drop)
}
