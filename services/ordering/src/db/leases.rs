//! Who works on an order that is not placed yet. Whoever takes one over raises its epoch, so that the holder before can
//! write nothing any more. The client secret is kept only while nobody works on the order and its consumer is awaited:
//! taking an order over takes the secret off, so that one at a time carries it on, and none once recovery closes it.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::OrderId;

use crate::db::orders::Row;

/// An order that was taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Which.
    pub order: OrderId,
    /// What its row says for as long as nobody else takes it.
    pub epoch: i64,
    /// What its consumer was to authenticate with; empty where nothing was awaited.
    pub client_secret: String,
}

/// Leaves the order, with the minutes that the store reserved, to the consumer's authentication until an instant. Answers
/// whether the saga still held it.
///
/// # Errors
/// The database's.
pub async fn await_action(
    conn: &mut PgConnection,
    order: &Row,
    client_secret: &str,
    until: Timestamp,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE orders SET client_secret = $3, lease_until = $4, ready_at = $5, start_at = $6
         WHERE id = $1 AND epoch = $2 AND status = 'payment_pending'",
        order.id,
        order.epoch,
        client_secret,
        until.to_sqlx() as _,
        order.ready_at as _,
        order.start_at as _,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Takes over an order whose consumer is awaited; none where nobody is, or somebody carries it on already.
///
/// # Errors
/// The database's.
pub async fn claim_awaiting(
    conn: &mut PgConnection,
    order: OrderId,
    lease_until: Timestamp,
) -> Result<Option<Taken>, sqlx::Error> {
    let row = sqlx::query!(
        "UPDATE orders SET epoch = epoch + 1, lease_until = $2, client_secret = ''
         FROM (SELECT id AS awaited, client_secret AS secret FROM orders
               WHERE id = $1 AND status = 'payment_pending' AND client_secret <> '' FOR UPDATE) AS before
         WHERE id = awaited RETURNING epoch, secret",
        order.uuid(),
        lease_until.to_sqlx() as _,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| Taken {
        order,
        epoch: row.epoch,
        client_secret: row.secret,
    }))
}

/// Takes over orders whose lease has ended.
///
/// # Errors
/// The database's.
pub async fn claim_expired(
    conn: &mut PgConnection,
    now: Timestamp,
    lease_until: Timestamp,
    most: i64,
) -> Result<Vec<Taken>, sqlx::Error> {
    let rows = sqlx::query!(
        "UPDATE orders SET epoch = epoch + 1, lease_until = $2, client_secret = ''
         FROM (SELECT id AS expired, client_secret AS secret FROM orders
               WHERE status = 'payment_pending' AND lease_until < $1
               ORDER BY lease_until LIMIT $3 FOR UPDATE SKIP LOCKED) AS before
         WHERE id = expired RETURNING id, epoch, secret",
        now.to_sqlx() as _,
        lease_until.to_sqlx() as _,
        most,
    )
    .fetch_all(conn)
    .await?;
    let taken = rows.into_iter().map(|row| Taken {
        order: OrderId::from_uuid(row.id),
        epoch: row.epoch,
        client_secret: row.secret,
    });
    Ok(taken.collect())
}
