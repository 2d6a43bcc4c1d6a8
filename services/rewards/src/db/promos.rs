//! Promo codes.

use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{Currency, Money};

use crate::domain::{Off, Promo};

/// The promo of that code.
pub async fn find(conn: &mut PgConnection, code: &str) -> sqlx::Result<Option<Promo>> {
    let row = sqlx::query!(
        r#"SELECT code, amount, rate_ppm, minimum, once, starts_at, ends_at, most_claims IS NOT NULL AS "limited!",
                  coalesce(claimed >= most_claims, false) AS "used_up!"
           FROM promos WHERE code = $1"#,
        code,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| Promo {
        code: row.code,
        off: row
            .amount
            .map_or(Off::Rate(row.rate_ppm.unwrap_or_default()), |cents| {
                Off::Fixed(Money::usd(cents))
            }),
        minimum: Money::new(row.minimum, Currency::Usd),
        once: row.once,
        starts_at: row.starts_at.into(),
        ends_at: row.ends_at.map(Into::into),
        limited: row.limited,
        used_up: row.used_up,
    }))
}

/// Counts a claim on a limited promo; `false` once as many as may have claimed it.
pub async fn count_claim(conn: &mut PgConnection, code: &str) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE promos SET claimed = claimed + 1 WHERE code = $1 AND claimed < most_claims",
        code
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Gives a claim on a limited promo back.
pub async fn uncount_claim(conn: &mut PgConnection, code: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE promos SET claimed = claimed - 1 WHERE code = $1 AND most_claims IS NOT NULL AND claimed > 0",
        code,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Writes a promo unless it is there.
pub async fn put(conn: &mut PgConnection, promo: &Promo, most_claims: Option<i64>) -> sqlx::Result<()> {
    let (amount, rate) = match promo.off {
        Off::Fixed(amount) => (Some(amount.minor_units()), None),
        Off::Rate(parts) => (None, Some(parts)),
    };
    sqlx::query!(
        "INSERT INTO promos (code, amount, rate_ppm, minimum, once, starts_at, ends_at, most_claims)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT ON CONSTRAINT promos_pkey DO NOTHING",
        promo.code,
        amount,
        rate,
        promo.minimum.minor_units(),
        promo.once,
        promo.starts_at.to_sqlx(),
        promo.ends_at.map(ToSqlx::to_sqlx),
        most_claims,
    )
    .execute(conn)
    .await
    .map(drop)
}
