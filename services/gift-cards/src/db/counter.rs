//! PINs for the counter, attempts to enter one, and payments.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, CounterPaymentId, CredentialId, Money, StoreId};
use uuid::Uuid;

use crate::domain::counter::CounterPayment;

/// Replaces the consumer's PIN. Returns `false` if another consumer has an active PIN with this hash in the store.
pub async fn replace_pin(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    (store_id, store_name): (StoreId, &str),
    pin_hash: &[u8],
    expires_at: Timestamp,
) -> sqlx::Result<bool> {
    sqlx::query!(
        "DELETE FROM counter_pins WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "INSERT INTO counter_pins (consumer_id, store_id, store_name, pin_hash, expires_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING",
        consumer_id.uuid(),
        store_id.uuid(),
        store_name,
        pin_hash,
        expires_at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(|inserted| inserted.rows_affected() == 1)
}

/// Deletes the expired PINs of a store, so that their numbers are free.
pub async fn delete_expired(conn: &mut PgConnection, store_id: StoreId, now: Timestamp) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM counter_pins WHERE consumer_id IN (
           SELECT consumer_id FROM counter_pins WHERE store_id = $1 AND expires_at <= $2 FOR UPDATE SKIP LOCKED)",
        store_id.uuid(),
        now.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes an active PIN, and returns its consumer and the name of the store. Of concurrent calls, one finds it.
pub async fn take_pin(
    conn: &mut PgConnection,
    store_id: StoreId,
    pin_hash: &[u8],
    now: Timestamp,
) -> sqlx::Result<Option<(ConsumerId, String)>> {
    let row = sqlx::query!(
        "DELETE FROM counter_pins WHERE store_id = $1 AND pin_hash = $2 AND expires_at > $3
         RETURNING consumer_id, store_name",
        store_id.uuid(),
        pin_hash,
        now.to_sqlx(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.consumer_id, row.store_name)))
}

pub async fn delete_pin(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM counter_pins WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Counts an attempt of a scope in this minute. Returns `false`, and counts nothing, if `max` attempts were counted before.
pub async fn count_attempt(
    conn: &mut PgConnection,
    scope: &str,
    minute: Timestamp,
    max: i32,
) -> sqlx::Result<bool> {
    sqlx::query!(
        "INSERT INTO pin_attempts AS attempts (scope, minute, count) VALUES ($1, $2, 1)
         ON CONFLICT ON CONSTRAINT pin_attempts_pkey DO UPDATE SET count = attempts.count + 1 WHERE attempts.count < $3",
        scope,
        minute.to_sqlx(),
        max,
    )
    .execute(conn)
    .await
    .map(|counted| counted.rows_affected() == 1)
}

/// Takes back attempts that were right.
pub async fn uncount_attempts(
    conn: &mut PgConnection,
    scopes: &[String],
    minute: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE pin_attempts SET count = count - 1 WHERE scope = ANY($1) AND minute = $2",
        scopes,
        minute.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes counts of past minutes.
pub async fn prune_attempts(conn: &mut PgConnection, before: Timestamp) -> sqlx::Result<u64> {
    sqlx::query!("DELETE FROM pin_attempts WHERE minute < $1", before.to_sqlx())
        .execute(conn)
        .await
        .map(|deleted| deleted.rows_affected())
}

/// Inserts a payment. Returns `false` if the store used the key before. Waits for a concurrent insert.
pub async fn insert_payment(
    conn: &mut PgConnection,
    payment: &CounterPayment,
    idempotency_key: &str,
    request_hash: &[u8],
) -> sqlx::Result<bool> {
    sqlx::query!(
        "INSERT INTO counter_payments (id, store_id, store_name, credential_id, idempotency_key, request_hash, amount, paid_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT ON CONSTRAINT counter_payments_idempotency_key DO NOTHING",
        payment.id.uuid(),
        payment.store_id.uuid(),
        payment.store_name,
        payment.credential_id.uuid(),
        idempotency_key,
        request_hash,
        payment.amount.minor_units(),
        payment.paid_at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(|inserted| inserted.rows_affected() == 1)
}

/// Returns the payment that a store made with a key, and the hash of its request.
pub async fn find_payment(
    conn: &mut PgConnection,
    store_id: StoreId,
    idempotency_key: &str,
) -> sqlx::Result<Option<(CounterPayment, Vec<u8>)>> {
    let row = sqlx::query!(
        "SELECT id, store_name, credential_id, amount, paid_at, request_hash FROM counter_payments
         WHERE store_id = $1 AND idempotency_key = $2",
        store_id.uuid(),
        idempotency_key,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| {
        let payment = CounterPayment {
            id: row.id,
            store_id,
            store_name: row.store_name,
            credential_id: CredentialId::from_uuid(row.credential_id),
            amount: Money::usd(row.amount),
            paid_at: row.paid_at.into(),
        };
        (payment, row.request_hash)
    }))
}

/// Returns the stores of payments.
pub async fn stores_of(
    conn: &mut PgConnection,
    ids: &[Uuid],
) -> sqlx::Result<Vec<(CounterPaymentId, StoreId)>> {
    let rows = sqlx::query!(
        "SELECT id, store_id FROM counter_payments WHERE id = ANY($1)",
        ids
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.store_id)).collect())
}
