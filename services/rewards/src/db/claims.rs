//! Claims of orders on promo codes, one row per order.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::InternalError;
use sqlx::PgConnection;
use types::{ConsumerId, Money, OrderId};

use crate::domain::claim::{Claim, ClaimState, ClaimedDiscount};

/// Returns the order's claim, locked until the transaction ends.
pub async fn lock(conn: &mut PgConnection, order_id: OrderId) -> Result<Option<Claim>, InternalError> {
    let row = sqlx::query!(
        "SELECT state, code, consumer_id, subtotal, amount, points FROM claims WHERE order_id = $1 FOR NO KEY UPDATE",
        order_id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let discount = match (row.code, row.subtotal, row.amount) {
        (Some(code), Some(subtotal), Some(amount)) => Some(ClaimedDiscount {
            code,
            consumer_id: row.consumer_id,
            subtotal: Money::usd(subtotal),
            amount: Money::usd(amount),
            points: row.points,
        }),
        _ => None,
    };
    let state: ClaimState = row.state.parse().map_err(InternalError::invariant_violated)?;
    let claim = Claim::from_parts(state, discount);
    claim.map(Some).ok_or_else(|| {
        InternalError::invariant_violated(format!(
            "claim of {order_id}: state {state} does not match its discount"
        ))
    })
}

/// Inserts a claim and returns `true`. Returns `false` if the order has a claim, or if `once_per_consumer` is set and
/// the consumer or the phone number has used the code. Waits for concurrent claims.
pub async fn insert(
    conn: &mut PgConnection,
    order_id: OrderId,
    discount: &ClaimedDiscount,
    once_per_consumer: bool,
    phone_hash: Option<&str>,
    at: Timestamp,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO claims (order_id, state, code, consumer_id, phone_hash, subtotal, amount, once, points, created_at,
             changed_at)
         VALUES ($1, 'claimed', $2, $3, $4, $5, $6, $7, $9, $8, $8) ON CONFLICT DO NOTHING",
        order_id.uuid(),
        discount.code,
        discount.consumer_id.map(ConsumerId::uuid),
        phone_hash,
        discount.subtotal.minor_units(),
        discount.amount.minor_units(),
        once_per_consumer,
        at.to_sqlx(),
        discount.points,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Writes a tombstone and returns `true`, or `false` if the order has a claim.
pub async fn insert_closed(conn: &mut PgConnection, order_id: OrderId, at: Timestamp) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO claims (order_id, state, created_at, changed_at) VALUES ($1, 'closed', $2, $2)
         ON CONFLICT ON CONSTRAINT claims_pkey DO NOTHING",
        order_id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Releases a locked claim.
///
/// # Errors
/// [`InternalError`] if the order has no claim that can be released.
pub async fn release(conn: &mut PgConnection, order_id: OrderId, at: Timestamp) -> Result<(), InternalError> {
    let done = sqlx::query!(
        "UPDATE claims SET state = 'released', changed_at = $2 WHERE order_id = $1 AND state = 'claimed'",
        order_id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    match done.rows_affected() {
        1 => Ok(()),
        _ => Err(InternalError::invariant_violated(format!(
            "claim of {order_id} cannot be released"
        ))),
    }
}

/// Deletes the oldest tombstones that were created before this time, at most `limit`.
pub async fn delete_closed(conn: &mut PgConnection, before: Timestamp, limit: i64) -> sqlx::Result<u64> {
    sqlx::query!(
        "DELETE FROM claims WHERE order_id IN (
             SELECT order_id FROM claims WHERE state = 'closed' AND created_at < $1
             ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        before.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
}

/// Serializes the claims of a code by a consumer, and by the phone number, until the transaction ends.
pub async fn lock_uses(
    conn: &mut PgConnection,
    code: &str,
    consumer_id: ConsumerId,
    phone_hash: Option<&str>,
) -> sqlx::Result<()> {
    let consumer_lock = format!("claims:{code}:{consumer_id}");
    let phone_lock = phone_hash.map(|phone_hash| format!("claims:{code}:{phone_hash}"));
    // All callers lock the consumer first, so two of them cannot wait for each other.
    for lock_name in [Some(consumer_lock), phone_lock].into_iter().flatten() {
        sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", lock_name)
            .fetch_one(&mut *conn)
            .await?;
    }
    Ok(())
}

/// Counts the claims of a code by the consumer, or by consumers with the same phone number.
pub async fn count_uses(conn: &mut PgConnection, code: &str, consumer_id: ConsumerId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM (
             SELECT order_id FROM claims WHERE code = $1 AND state = 'claimed' AND consumer_id = $2
             UNION
             SELECT order_id FROM claims JOIN consumers ON consumers.consumer_id = $2
             WHERE code = $1 AND state = 'claimed' AND claims.phone_hash = consumers.phone_hash
           ) AS uses"#,
        code,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Returns whether the consumer, or a consumer with the same phone number, has used a code that is allowed once.
pub async fn has_used(conn: &mut PgConnection, code: &str, consumer_id: ConsumerId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT FROM claims WHERE code = $1 AND once AND state = 'claimed' AND consumer_id = $2
             UNION ALL
             SELECT FROM claims JOIN consumers ON consumers.consumer_id = $2
             WHERE code = $1 AND once AND state = 'claimed' AND claims.phone_hash = consumers.phone_hash
           ) AS "has_used!""#,
        code,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Sets the phone number's hash on claims that the consumer made before their registration was received. Skips a code
/// that another consumer has already used with this number.
pub async fn set_phone_hash(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    phone_hash: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE claims SET phone_hash = $2
         WHERE consumer_id = $1 AND phone_hash IS NULL
           AND NOT EXISTS (SELECT FROM claims other WHERE other.phone_hash = $2 AND other.code = claims.code
                           AND other.once AND other.state = 'claimed')",
        consumer_id.uuid(),
        phone_hash,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Removes the consumer from their claims. The phone number's hash stays, so that the number cannot use a code twice.
pub async fn anonymize(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE claims SET consumer_id = NULL WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await
    .map(drop)
}
