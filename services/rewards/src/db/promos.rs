//! Promo codes.

use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::Money;

use crate::domain::promo::{DiscountRule, Promo};

/// Returns the promo with this normalized code.
pub async fn find(conn: &mut PgConnection, code: &str) -> sqlx::Result<Option<Promo>> {
    let row = sqlx::query!(
        r#"SELECT code, amount, rate_ppm, minimum, once, starts_at, ends_at, max_claims IS NOT NULL AS "is_limited!",
                  coalesce(claim_count >= max_claims, false) AS "is_used_up!"
           FROM promos WHERE code = $1"#,
        code,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| Promo {
        code: row.code,
        rule: row
            .amount
            .map_or(DiscountRule::Rate(row.rate_ppm.unwrap_or_default()), |cents| {
                DiscountRule::Fixed(Money::usd(cents))
            }),
        min_subtotal: Money::usd(row.minimum),
        once_per_consumer: row.once,
        starts_at: row.starts_at.into(),
        ends_at: row.ends_at.map(Into::into),
        is_limited: row.is_limited,
        is_used_up: row.is_used_up,
    }))
}

/// Counts a claim of a limited promo and returns `true`, or `false` if its limit is reached.
pub async fn increment_claim_count(conn: &mut PgConnection, code: &str) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE promos SET claim_count = claim_count + 1 WHERE code = $1 AND claim_count < max_claims",
        code
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Reverts [`increment_claim_count`]. Does nothing if the promo is not limited.
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

/// Inserts a promo unless its code exists.
pub async fn insert_if_missing(
    conn: &mut PgConnection,
    promo: &Promo,
    max_claims: Option<i64>,
) -> sqlx::Result<()> {
    let (amount, rate) = match promo.rule {
        DiscountRule::Fixed(amount) => (Some(amount.minor_units()), None),
        DiscountRule::Rate(parts) => (None, Some(parts)),
    };
    sqlx::query!(
        "INSERT INTO promos (code, amount, rate_ppm, minimum, once, starts_at, ends_at, max_claims)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT ON CONSTRAINT promos_pkey DO NOTHING",
        promo.code,
        amount,
        rate,
        promo.min_subtotal.minor_units(),
        promo.once_per_consumer,
        promo.starts_at.to_sqlx(),
        promo.ends_at.map(ToSqlx::to_sqlx),
        max_claims,
    )
    .execute(conn)
    .await
    .map(drop)
}
