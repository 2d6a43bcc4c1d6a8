//! What the steps of an order write: the order, its history, its fact, the answer that its key gives. Each step is one
//! statement, all of it or nothing. The tables of the kit (`outbox`, `idempotency`) are written here too, so that an order
//! is placed in two round trips and not in thirteen (decision 14).

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::{idempotency::Key, outbox::OutboxEntry};
use sqlx::{PgConnection, types::Json};

use crate::{
    db::orders::Row,
    domain::order::{Actor, Status},
};

/// With what an order begins.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'a> {
    /// The key that it is asked for under.
    pub key: Key<'a>,
    /// What was asked.
    pub request_hash: &'a [u8],
    /// Until when its saga may work on it.
    pub lease_until: Timestamp,
}

/// Writes a new order whose saga begins, with its key and the first line of its history. False, and nothing written:
/// somebody has the key; waits for a transaction that is taking it at this moment.
///
/// # Errors
/// The database's; `orders_cart_key` where the cart was ordered already, `orders_idempotency_key` where the key was used
/// so long ago that its answer was forgotten.
pub async fn begin(
    conn: &mut PgConnection,
    row: &Row,
    beginning: Beginning<'_>,
) -> Result<bool, sqlx::Error> {
    let Beginning {
        key,
        request_hash,
        lease_until,
    } = beginning;
    sqlx::query_scalar!(
        r#"WITH taken AS (
             INSERT INTO idempotency (scope, operation, key, request_hash) VALUES ($33, $34, $35, $36)
             ON CONFLICT ON CONSTRAINT idempotency_pkey DO NOTHING
             RETURNING key
           ), begun AS (
             INSERT INTO orders (id, consumer_id, store_id, cart_id, status, version, idempotency_key, store_name,
               store_address, time_zone, lines, currency, subtotal, discount, tax, tip, total, tax_rate_ppm, promo_code,
               points, tender, payment_method_id, pickup, vehicle, pickup_name, make_seconds, pickup_at, ready_at,
               start_at, not_after, created_at, lease_until)
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
               $23, $24, $25, $26, $27, $28, $29, $30, $31, $32 FROM taken
             RETURNING id, version, status, created_at
           ), noted AS (
             INSERT INTO order_history (order_id, version, status, at, by_whom)
             SELECT id, version, status, created_at, $37 FROM begun
           )
           SELECT EXISTS (SELECT FROM begun) AS "begun!""#,
        row.id,
        row.consumer_id,
        row.store_id,
        row.cart_id,
        row.status,
        row.version,
        row.idempotency_key,
        row.store_name,
        row.store_address,
        row.time_zone,
        Json(&row.lines.0) as _,
        row.currency,
        row.subtotal,
        row.discount,
        row.tax,
        row.tip,
        row.total,
        row.tax_rate_ppm,
        row.promo_code,
        row.points,
        row.tender,
        row.payment_method_id,
        row.pickup,
        row.vehicle,
        row.pickup_name,
        row.make_seconds,
        row.pickup_at as _,
        row.ready_at as _,
        row.start_at as _,
        row.not_after as _,
        row.created_at as _,
        lease_until.to_sqlx() as _,
        key.scope,
        key.operation,
        key.key,
        request_hash,
        Actor::Consumer.as_str(),
    )
    .fetch_one(conn)
    .await
}

/// What changes when an order takes a step.
#[derive(Debug, Clone)]
pub struct Change<'a> {
    /// What it becomes.
    pub status: Status,
    /// Why, for code and for the person; empty where there is nothing to say.
    pub reason: &'a str,
    /// The sentence.
    pub message: &'a str,
    /// Set when it is placed.
    pub placed_at: Option<Timestamp>,
    /// By when a store has to accept it, set when it is placed.
    pub accept_by: Option<Timestamp>,
}

impl Row {
    /// The order after a change: what [`advance`] writes.
    #[must_use]
    pub fn after(&self, change: &Change<'_>) -> Self {
        Self {
            status: change.status.as_str().to_owned(),
            version: self.version + 1,
            reason: change.reason.to_owned(),
            message: change.message.to_owned(),
            placed_at: change.placed_at.map(ToSqlx::to_sqlx).or(self.placed_at),
            client_secret: String::new(),
            ..self.clone()
        }
    }
}

/// What is kept of a step besides the order itself.
#[derive(Debug, Clone)]
pub struct Record<'a> {
    /// By whose hand.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// What the others are told.
    pub fact: &'a OutboxEntry,
    /// What the order's key answers from now on, where the step ends its saga.
    pub answer: Option<(Key<'a>, &'a [u8])>,
}

/// Changes an order, only from the state, version and epoch that were read, with its promise as it stands in `from`.
/// Answers whether it did; nothing is written where it did not.
///
/// # Errors
/// The database's.
pub async fn advance(
    conn: &mut PgConnection,
    from: &Row,
    change: &Change<'_>,
    record: &Record<'_>,
) -> Result<bool, sqlx::Error> {
    let (key, answer) = record.answer.unzip();
    sqlx::query_scalar!(
        r#"WITH moved AS (
             UPDATE orders SET status = $5, version = version + 1, reason = $6, message = $7,
               placed_at = coalesce($8, placed_at), accept_by = $9, ready_at = $10, start_at = $11, client_secret = '',
               lease_until = NULL
             WHERE id = $1 AND version = $2 AND status = $3 AND epoch = $4
             RETURNING id, version, status
           ), noted AS (
             INSERT INTO order_history (order_id, version, status, at, by_whom)
             SELECT id, version, status, $12, $13 FROM moved
           ), told AS (
             INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
             SELECT $14, $15, $16, $17, $18, $19, $20 FROM moved
           ), answered AS (
             UPDATE idempotency SET response = $21 FROM moved
             WHERE scope = $22 AND operation = $23 AND key = $24 AND response IS NULL
           )
           SELECT EXISTS (SELECT FROM moved) AS "moved!""#,
        from.id,
        from.version,
        from.status,
        from.epoch,
        change.status.as_str(),
        change.reason,
        change.message,
        change.placed_at.map(ToSqlx::to_sqlx) as _,
        change.accept_by.map(ToSqlx::to_sqlx) as _,
        from.ready_at as _,
        from.start_at as _,
        record.at.to_sqlx() as _,
        record.by.as_str(),
        record.fact.event_id.uuid(),
        record.fact.event_type,
        record.fact.aggregate_id,
        record.fact.aggregate_version,
        record.fact.payload,
        record.fact.trace_parent,
        record.fact.occurred_at.to_sqlx() as _,
        answer,
        key.map(|key| key.scope),
        key.map(|key| key.operation),
        key.map(|key| key.key),
    )
    .fetch_one(conn)
    .await
}
