//! Promo codes.

use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::Money;

use crate::domain::{
    promo::{DiscountRule, Promo, PromoCompany},
    weekdays::Weekdays,
};

/// Returns the promo with this normalized code. The code of a deleted reward tier is unknown.
pub async fn find(conn: &mut PgConnection, code: &str) -> sqlx::Result<Option<Promo>> {
    let row = sqlx::query!(
        r#"SELECT code, amount, rate_ppm, minimum, company_id, company_name, once, max_claims_per_consumer, is_app_only, is_first_app_order,
                  weekdays, starts_at, ends_at, reward_points,
                  coalesce(claim_count >= max_claims, false) AS "is_used_up!"
           FROM promos
           WHERE code = $1
             AND (reward_points IS NULL OR EXISTS (SELECT FROM reward_tiers WHERE points = reward_points))"#,
        code,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| Promo {
        code: row.code,
        rule: discount_rule(row.amount, row.rate_ppm),
        min_subtotal: Money::usd(row.minimum),
        company: row
            .company_id
            .zip(row.company_name)
            .map(|(id, name)| PromoCompany { id, name }),
        once_per_consumer: row.once,
        max_claims_per_consumer: row.max_claims_per_consumer,
        is_app_only: row.is_app_only,
        is_first_app_order: row.is_first_app_order,
        weekdays: Weekdays::from_numbers(&row.weekdays),
        starts_at: row.starts_at.into(),
        ends_at: row.ends_at.map(Into::into),
        is_used_up: row.is_used_up,
        reward_points: row.reward_points,
    }))
}

/// Counts a claim, which was inserted, if the promo is limited. Returns `false` if its limit is reached.
pub async fn count_claim(conn: &mut PgConnection, code: &str) -> sqlx::Result<bool> {
    let counted = sqlx::query!(
        "UPDATE promos SET claim_count = claim_count + 1 WHERE code = $1 AND claim_count < max_claims",
        code,
    )
    .execute(&mut *conn)
    .await?;
    if counted.rows_affected() == 1 {
        return Ok(true);
    }
    // A statement of its own: the limit may have been removed while the update waited.
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM promos WHERE code = $1 AND max_claims IS NULL) AS "is_unlimited!""#,
        code,
    )
    .fetch_one(conn)
    .await
}

/// Reverts [`count_claim`]. Does nothing if the promo is not limited.
pub async fn decrement_claim_count(conn: &mut PgConnection, code: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE promos SET claim_count = claim_count - 1
         WHERE code = $1 AND max_claims IS NOT NULL AND claim_count > 0",
        code,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Waits for an import that adds a limit to the promo. Imports that follow wait until the transaction ends, and count the claims
/// then.
pub async fn lock_limit(conn: &mut PgConnection, code: &str) -> sqlx::Result<()> {
    sqlx::query!("SELECT code FROM promos WHERE code = $1 FOR KEY SHARE", code)
        .fetch_optional(conn)
        .await
        .map(drop)
}

/// Waits until claims and releases in progress of a promo without a limit end: they are not counted. Those that follow wait
/// until the transaction ends.
async fn lock_unlimited(conn: &mut PgConnection, code: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "SELECT code FROM promos WHERE code = $1 AND max_claims IS NULL FOR UPDATE",
        code
    )
    .fetch_optional(conn)
    .await
    .map(drop)
}

/// Inserts or replaces a promo of the catalog and returns `true`. Returns `false` if the code belongs to another catalog or is
/// that of a reward tier. Claims that were made without a limit count for a new one. A limit below the number of claims violates
/// `promos_claim_count_range`.
pub async fn upsert(
    conn: &mut PgConnection,
    catalog: &str,
    promo: &Promo,
    max_claims: Option<i64>,
) -> sqlx::Result<bool> {
    let (amount, rate) = match promo.rule {
        DiscountRule::Fixed(amount) => (Some(amount.minor_units()), None),
        DiscountRule::Rate(parts) => (None, Some(parts)),
    };
    if max_claims.is_some() {
        lock_unlimited(conn, &promo.code).await?;
    }
    let done = sqlx::query!(
        "INSERT INTO promos (code, catalog, amount, rate_ppm, minimum, once, is_app_only, weekdays, starts_at, ends_at,
                             max_claims, is_first_app_order, company_id, company_name, max_claims_per_consumer)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         ON CONFLICT ON CONSTRAINT promos_pkey
         DO UPDATE SET catalog = excluded.catalog, amount = excluded.amount, rate_ppm = excluded.rate_ppm,
                       minimum = excluded.minimum, once = excluded.once, is_app_only = excluded.is_app_only,
                       weekdays = excluded.weekdays, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
                       max_claims = excluded.max_claims,
                       claim_count = CASE
                           WHEN promos.max_claims IS NULL AND excluded.max_claims IS NOT NULL
                           THEN (SELECT count(*) FROM claims WHERE claims.code = promos.code AND state = 'claimed')
                           ELSE promos.claim_count
                       END,
                       is_first_app_order = excluded.is_first_app_order,
                       company_id = excluded.company_id, company_name = excluded.company_name,
                       max_claims_per_consumer = excluded.max_claims_per_consumer
         WHERE coalesce(promos.catalog, excluded.catalog) = excluded.catalog AND promos.reward_points IS NULL",
        promo.code,
        catalog,
        amount,
        rate,
        promo.min_subtotal.minor_units(),
        promo.once_per_consumer,
        promo.is_app_only,
        &promo.weekdays.to_numbers(),
        promo.starts_at.to_sqlx(),
        promo.ends_at.map(ToSqlx::to_sqlx),
        max_claims,
        promo.is_first_app_order,
        promo.company.as_ref().map(|company| company.id.uuid()),
        promo.company.as_ref().map(|company| company.name.as_str()),
        promo.max_claims_per_consumer,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns the rule that the columns `amount` and `rate_ppm` contain.
pub(super) fn discount_rule(amount: Option<i64>, rate_ppm: Option<i64>) -> DiscountRule {
    amount.map_or(DiscountRule::Rate(rate_ppm.unwrap_or_default()), |cents| {
        DiscountRule::Fixed(Money::usd(cents))
    })
}
