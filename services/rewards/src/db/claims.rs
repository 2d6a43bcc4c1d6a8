//! What orders claim.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::InternalError;
use sqlx::PgConnection;
use types::{ConsumerId, Money, OrderId};

use crate::domain::{Claim, Stake};

/// An order's claim, locked until the transaction ends.
pub async fn lock(conn: &mut PgConnection, order: OrderId) -> Result<Option<Claim>, InternalError> {
    let row = sqlx::query!(
        "SELECT state, code, consumer_id, subtotal, amount FROM claims WHERE order_id = $1 FOR NO KEY UPDATE",
        order.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let stake = match (row.code, row.subtotal, row.amount) {
        (Some(code), Some(subtotal), Some(amount)) => {
            let (subtotal, amount) = (Money::usd(subtotal), Money::usd(amount));
            Some(Stake {
                code,
                consumer: row.consumer_id,
                subtotal,
                amount,
            })
        }
        _ => None,
    };
    match (row.state.as_str(), stake) {
        ("claimed", Some(stake)) => Ok(Some(Claim::Claimed(stake))),
        ("released", Some(stake)) => Ok(Some(Claim::Released(stake))),
        ("closed", None) => Ok(Some(Claim::Closed)),
        (state, _) => Err(InternalError::broken(format!(
            "claim of {order} is {state} without its stake"
        ))),
    }
}

/// Writes a claim. `false` where the order has one, or the consumer (or the phone number) has used the code: waits for
/// whoever is claiming just now.
pub async fn insert(
    conn: &mut PgConnection,
    order: OrderId,
    stake: &Stake,
    once: bool,
    phone_hash: Option<&str>,
    at: Timestamp,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO claims (order_id, state, code, consumer_id, phone_hash, subtotal, amount, once, created_at, changed_at)
         VALUES ($1, 'claimed', $2, $3, $4, $5, $6, $7, $8, $8) ON CONFLICT DO NOTHING",
        order.uuid(),
        stake.code,
        stake.consumer.map(ConsumerId::uuid),
        phone_hash,
        stake.subtotal.minor_units(),
        stake.amount.minor_units(),
        once,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Plants a tombstone, unless the order has a claim.
pub async fn close(conn: &mut PgConnection, order: OrderId, at: Timestamp) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO claims (order_id, state, created_at, changed_at) VALUES ($1, 'closed', $2, $2)
         ON CONFLICT ON CONSTRAINT claims_pkey DO NOTHING",
        order.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Gives a locked claim back.
pub async fn release(conn: &mut PgConnection, order: OrderId, at: Timestamp) -> Result<(), InternalError> {
    let done = sqlx::query!(
        "UPDATE claims SET state = 'released', changed_at = $2 WHERE order_id = $1 AND state = 'claimed'",
        order.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    match done.rows_affected() {
        1 => Ok(()),
        _ => Err(InternalError::broken(format!(
            "claim of {order} is not there to be given back"
        ))),
    }
}

/// Whether this consumer, or somebody with the same phone number, has used a code that can be used once.
pub async fn has_used(conn: &mut PgConnection, code: &str, consumer: ConsumerId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT FROM claims WHERE code = $1 AND once AND state = 'claimed' AND consumer_id = $2
             UNION ALL
             SELECT FROM claims JOIN consumers ON consumers.consumer_id = $2
             WHERE code = $1 AND once AND state = 'claimed' AND claims.phone_hash = consumers.phone_hash
           ) AS "used!""#,
        code,
        consumer.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Notes whose phone number earlier claims were made with. A code that somebody else used once with that number keeps
/// that claim; this one stays the consumer's alone.
pub async fn note_phone(conn: &mut PgConnection, consumer: ConsumerId, phone_hash: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE claims SET phone_hash = $2
         WHERE consumer_id = $1 AND phone_hash IS NULL
           AND NOT EXISTS (SELECT FROM claims other WHERE other.phone_hash = $2 AND other.code = claims.code
                           AND other.once AND other.state = 'claimed')",
        consumer.uuid(),
        phone_hash,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Forgets whose claims they were. The phone number's hash stays, so that once stays once.
pub async fn forget(conn: &mut PgConnection, consumer: ConsumerId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE claims SET consumer_id = NULL WHERE consumer_id = $1",
        consumer.uuid()
    )
    .execute(conn)
    .await
    .map(drop)
}
