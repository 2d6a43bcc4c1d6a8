//! Make-minutes reserved and given back.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{OrderId, StoreId};

use crate::domain::capacity::{Plan, slice_capacity};

/// What is kept of an order's reservation.
#[derive(Debug, Clone)]
pub struct Reservation {
    /// Where; nothing for a tombstone.
    pub store: Option<StoreId>,
    /// When the making has to start.
    pub start_at: Option<jiff_sqlx::Timestamp>,
    /// When the order is ready.
    pub ready_at: Option<jiff_sqlx::Timestamp>,
    /// Whether it was given back.
    pub released: bool,
}

/// An order's reservation.
///
/// # Errors
/// The database's.
pub async fn reservation(
    conn: &mut PgConnection,
    order: OrderId,
) -> Result<Option<Reservation>, sqlx::Error> {
    sqlx::query_as!(
        Reservation,
        r#"SELECT store_id AS "store: StoreId", start_at AS "start_at: jiff_sqlx::Timestamp",
                  ready_at AS "ready_at: jiff_sqlx::Timestamp", released_at IS NOT NULL AS "released!"
           FROM reservations WHERE order_id = $1"#,
        order as OrderId,
    )
    .fetch_optional(conn)
    .await
}

/// A plan that is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Reserving<'a> {
    /// For which order.
    pub order: OrderId,
    /// At which store.
    pub store: StoreId,
    /// How many make drinks there.
    pub baristas: u32,
    /// At which turn of the store it was planned.
    pub turn: i64,
    /// Seconds of making.
    pub make_seconds: u32,
    /// Where the making goes.
    pub plan: &'a Plan,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It stands.
    Reserved,
    /// Nothing was written: what it was planned on has changed.
    Moved,
    /// Nothing was written: the order has a reservation, or was closed.
    Known,
}

/// Writes a reservation: all of it or nothing, in one statement. Reservations at a store wait for each other on its
/// turn, and the later one finds that it moved. So does one that would overbook: somebody reserved without a turn.
///
/// # Errors
/// The database's.
pub async fn reserve(
    conn: &mut PgConnection,
    reserving: Reserving<'_>,
    now: Timestamp,
) -> Result<Written, sqlx::Error> {
    let plan = reserving.plan;
    let (slices, seconds): (Vec<i64>, Vec<i32>) = plan
        .takes
        .iter()
        .map(|&(slice, take)| (slice, i32::try_from(take).unwrap_or(i32::MAX)))
        .unzip();
    let written = sqlx::query!(
        r#"WITH turn AS (
             INSERT INTO store_turns AS now (store_id, turn) VALUES ($2, $9::bigint + 1)
             ON CONFLICT ON CONSTRAINT store_turns_pkey DO UPDATE SET turn = excluded.turn WHERE now.turn = $9
             RETURNING store_id
           ), reserved AS (
             INSERT INTO reservations (order_id, store_id, make_seconds, start_at, ready_at, slices, seconds, reserved_at)
             SELECT $1, store_id, $3, $4, $5, $6, $7, $8 FROM turn
             ON CONFLICT ON CONSTRAINT reservations_pkey DO NOTHING
             RETURNING store_id
           ), taken AS (
             INSERT INTO make_slices (store_id, slice, used_seconds, capacity_seconds)
             SELECT store_id, slice, take.seconds, $10
             FROM reserved, unnest($6::bigint[], $7::integer[]) AS take (slice, seconds) ORDER BY slice
             ON CONFLICT ON CONSTRAINT make_slices_pkey DO UPDATE
             SET used_seconds = make_slices.used_seconds + excluded.used_seconds,
                 capacity_seconds = greatest(make_slices.capacity_seconds, excluded.capacity_seconds)
           )
           SELECT EXISTS (SELECT FROM turn) AS "turn!", EXISTS (SELECT FROM reserved) AS "reserved!""#,
        reserving.order as OrderId,
        reserving.store as StoreId,
        i32::try_from(reserving.make_seconds).unwrap_or(i32::MAX),
        plan.start_at.to_sqlx() as _,
        plan.ready_at.to_sqlx() as _,
        &slices,
        &seconds,
        now.to_sqlx() as _,
        reserving.turn,
        i32::try_from(slice_capacity(reserving.baristas)).unwrap_or(i32::MAX),
    )
    .fetch_one(conn)
    .await;
    let written = match written {
        // The release before this one takes no turns, and serves beside it for a while.
        Err(sqlx::Error::Database(error)) if error.constraint() == Some("make_slices_not_overbooked") => {
            return Ok(Written::Moved);
        }
        written => written?,
    };
    Ok(match (written.turn, written.reserved) {
        (_, true) => Written::Reserved,
        (true, false) => Written::Known,
        (false, false) => Written::Moved,
    })
}

/// Gives an order's minutes back, or leaves a tombstone that none are reserved for it any more. Says whether there was
/// something to give back.
///
/// # Errors
/// The database's.
pub async fn release(tx: &mut PgConnection, order: OrderId, now: Timestamp) -> Result<bool, sqlx::Error> {
    let tombstone = sqlx::query!(
        "INSERT INTO reservations (order_id, make_seconds, slices, seconds, released_at)
         VALUES ($1, 0, '{}', '{}', $2) ON CONFLICT ON CONSTRAINT reservations_pkey DO NOTHING",
        order as OrderId,
        now.to_sqlx() as _,
    )
    .execute(&mut *tx)
    .await?;
    if tombstone.rows_affected() == 1 {
        return Ok(false);
    }
    // Of two that give back the same, the second waits here and then finds nothing. The slices are taken in order, as
    // reserving does, so that the two cannot hold each other up.
    let released = sqlx::query!(
        r#"UPDATE reservations SET released_at = $2 WHERE order_id = $1 AND released_at IS NULL
           RETURNING store_id AS "store!: StoreId", slices, seconds"#,
        order as OrderId,
        now.to_sqlx() as _,
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(released) = released else {
        return Ok(false);
    };
    sqlx::query!(
        "WITH held AS (
             SELECT slice, take.seconds
             FROM make_slices JOIN unnest($2::bigint[], $3::integer[]) AS take (slice, seconds) USING (slice)
             WHERE store_id = $1 ORDER BY slice FOR UPDATE OF make_slices
         )
         UPDATE make_slices SET used_seconds = used_seconds - held.seconds
         FROM held WHERE store_id = $1 AND make_slices.slice = held.slice",
        released.store as StoreId,
        &released.slices,
        &released.seconds,
    )
    .execute(tx)
    .await?;
    Ok(true)
}

/// Drops slices that are past, and reservations that ended long ago. Says how many rows went.
///
/// # Errors
/// The database's.
pub async fn prune(
    conn: &mut PgConnection,
    before_slice: i64,
    ended_before: Timestamp,
) -> Result<u64, sqlx::Error> {
    let slices = sqlx::query!("DELETE FROM make_slices WHERE slice < $1", before_slice)
        .execute(&mut *conn)
        .await?;
    let reservations = sqlx::query!(
        "DELETE FROM reservations WHERE coalesce(released_at, ready_at) < $1",
        ended_before.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(slices.rows_affected() + reservations.rows_affected())
}
