//! Reservations of capacity.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{OrderId, StoreId};

use crate::domain::{capacity::CapacityPlan, staffing::Staffing};

/// The reservation of an order as it is stored.
#[derive(Debug, Clone)]
pub(crate) struct StoredReservation {
    /// Empty if the order was closed before it reserved capacity.
    pub(crate) store_id: Option<StoreId>,
    pub(crate) start_at: Option<jiff_sqlx::Timestamp>,
    pub(crate) ready_at: Option<jiff_sqlx::Timestamp>,
    pub(crate) released: bool,
}

pub(crate) async fn find_reservation(
    conn: &mut PgConnection,
    order_id: OrderId,
) -> Result<Option<StoredReservation>, sqlx::Error> {
    sqlx::query_as!(
        StoredReservation,
        r#"SELECT store_id AS "store_id: StoreId", start_at AS "start_at: jiff_sqlx::Timestamp",
                  ready_at AS "ready_at: jiff_sqlx::Timestamp", released_at IS NOT NULL AS "released!"
           FROM reservations WHERE order_id = $1"#,
        order_id as OrderId,
    )
    .fetch_optional(conn)
    .await
}

/// A reservation to be written.
#[derive(Debug, Clone, Copy)]
pub struct NewReservation<'a> {
    pub order_id: OrderId,
    pub store_id: StoreId,
    pub staffing: &'a Staffing,
    /// The version of the store that the plan was computed from.
    pub schedule_version: i64,
    pub make_seconds: u32,
    pub plan: &'a CapacityPlan,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReserveOutcome {
    Reserved,
    /// The store changed after the plan was computed. Nothing was written.
    VersionConflict,
    /// The order has a reservation or a tombstone. Nothing was written.
    OrderExists,
}

/// Writes a reservation and increments the version of the store, in one statement.
///
/// Concurrent reservations at a store wait for each other on the row of its version; the later ones then conflict.
///
/// A conflict is an outcome, not an error.
pub async fn reserve(
    conn: &mut PgConnection,
    reservation: NewReservation<'_>,
    now: Timestamp,
) -> Result<ReserveOutcome, sqlx::Error> {
    let plan = reservation.plan;
    let (slots, seconds, capacities) = allocation_columns(plan, reservation.staffing);
    let written = sqlx::query!(
        r#"WITH incremented AS (
             INSERT INTO store_schedule_versions AS current (store_id, version) VALUES ($2, $9::bigint + 1)
             ON CONFLICT ON CONSTRAINT store_schedule_versions_pkey
             DO UPDATE SET version = excluded.version WHERE current.version = $9
             RETURNING store_id
           ), reserved AS (
             INSERT INTO reservations
               (order_id, store_id, make_seconds, start_at, ready_at, slots, slot_seconds, reserved_at)
             SELECT $1, store_id, $3, $4, $5, $6, $7, $8 FROM incremented
             ON CONFLICT ON CONSTRAINT reservations_pkey DO NOTHING
             RETURNING store_id
           ), allocated AS (
             INSERT INTO capacity_slots (store_id, slot, used_seconds, capacity_seconds)
             SELECT store_id, slot, allocation.seconds, allocation.capacity
             FROM reserved, unnest($6::bigint[], $7::integer[], $10::integer[]) AS allocation (slot, seconds, capacity)
             ORDER BY slot
             ON CONFLICT ON CONSTRAINT capacity_slots_pkey DO UPDATE
             SET used_seconds = capacity_slots.used_seconds + excluded.used_seconds,
                 capacity_seconds = greatest(capacity_slots.capacity_seconds, excluded.capacity_seconds)
           )
           SELECT EXISTS (SELECT FROM incremented) AS "incremented!", EXISTS (SELECT FROM reserved) AS "reserved!""#,
        reservation.order_id as OrderId,
        reservation.store_id as StoreId,
        i32::try_from(reservation.make_seconds).unwrap_or(i32::MAX),
        plan.start_at.to_sqlx() as _,
        plan.ready_at.to_sqlx() as _,
        &slots,
        &seconds,
        now.to_sqlx() as _,
        reservation.schedule_version,
        &capacities,
    )
    .fetch_one(conn)
    .await;
    let written = match written {
        // Another statement reserved capacity without incrementing the version.
        Err(sqlx::Error::Database(error)) if error.constraint() == Some("capacity_slots_not_overbooked") => {
            return Ok(ReserveOutcome::VersionConflict);
        }
        written => written?,
    };
    Ok(match (written.incremented, written.reserved) {
        (_, true) => ReserveOutcome::Reserved,
        (true, false) => ReserveOutcome::OrderExists,
        (false, false) => ReserveOutcome::VersionConflict,
    })
}

/// Returns the slots of a plan, the seconds that it takes in each and the capacity of each.
fn allocation_columns(plan: &CapacityPlan, staffing: &Staffing) -> (Vec<i64>, Vec<i32>, Vec<i32>) {
    let to_column = |seconds: i64| i32::try_from(seconds).unwrap_or(i32::MAX);
    let allocations = plan.allocations.iter();
    allocations
        .map(|allocation| {
            let capacity = staffing.capacity_seconds(allocation.slot);
            (
                allocation.slot,
                to_column(allocation.seconds),
                to_column(capacity),
            )
        })
        .collect()
}

/// Releases the capacity of an order, or writes a tombstone that prevents a later reservation. Returns whether capacity
/// was reserved.
pub(crate) async fn release(
    tx: &mut PgConnection,
    order_id: OrderId,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let tombstone = sqlx::query!(
        "INSERT INTO reservations (order_id, make_seconds, slots, slot_seconds, released_at)
         VALUES ($1, 0, '{}', '{}', $2) ON CONFLICT ON CONSTRAINT reservations_pkey DO NOTHING",
        order_id as OrderId,
        now.to_sqlx() as _,
    )
    .execute(&mut *tx)
    .await?;
    if tombstone.rows_affected() == 1 {
        return Ok(false);
    }
    lock_schedule(tx, order_id).await?;
    // A concurrent release of the same order waits until then, and matches no row.
    let released = sqlx::query!(
        r#"UPDATE reservations SET released_at = $2 WHERE order_id = $1 AND released_at IS NULL
           RETURNING store_id AS "store_id!: StoreId", slots, slot_seconds"#,
        order_id as OrderId,
        now.to_sqlx() as _,
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(released) = released else {
        return Ok(false);
    };
    free_slots(tx, released.store_id, &released.slots, &released.slot_seconds).await?;
    Ok(true)
}

/// Locks the schedule of the store of an order before its reservation and slots, as a move does. A move frees slots and takes others,
/// so the order of the slots alone does not prevent a deadlock.
async fn lock_schedule(tx: &mut PgConnection, order_id: OrderId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "SELECT FROM store_schedule_versions
         WHERE store_id = (SELECT store_id FROM reservations WHERE order_id = $1) FOR UPDATE",
        order_id as OrderId,
    )
    .fetch_optional(tx)
    .await?;
    Ok(())
}

/// Locks the slots in the order in which [`reserve`] does, so that the two cannot deadlock.
async fn free_slots(
    tx: &mut PgConnection,
    store_id: StoreId,
    slots: &[i64],
    slot_seconds: &[i32],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "WITH allocated AS (
             SELECT slot, allocation.seconds
             FROM capacity_slots JOIN unnest($2::bigint[], $3::integer[]) AS allocation (slot, seconds) USING (slot)
             WHERE store_id = $1 ORDER BY slot FOR UPDATE OF capacity_slots
         )
         UPDATE capacity_slots SET used_seconds = used_seconds - allocated.seconds
         FROM allocated WHERE store_id = $1 AND capacity_slots.slot = allocated.slot",
        store_id as StoreId,
        slots,
        slot_seconds,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Frees the slots of an order that has a reservation, and locks the reservation until the transaction ends. Returns the
/// make time of the order, or `None` if its capacity was released.
pub(crate) async fn free_for_move(
    tx: &mut PgConnection,
    store_id: StoreId,
    order_id: OrderId,
) -> Result<Option<u32>, sqlx::Error> {
    let reserved = sqlx::query!(
        "SELECT make_seconds, slots, slot_seconds FROM reservations
         WHERE order_id = $1 AND released_at IS NULL FOR UPDATE",
        order_id as OrderId,
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(reserved) = reserved else {
        return Ok(None);
    };
    free_slots(tx, store_id, &reserved.slots, &reserved.slot_seconds).await?;
    Ok(Some(u32::try_from(reserved.make_seconds).unwrap_or_default()))
}

/// Writes the new times and slots of a reservation after its slots were freed. The schedule version of the store is locked.
///
/// # Errors
/// Violates `capacity_slots_not_overbooked` if a slot has no capacity left.
pub(crate) async fn move_to(
    tx: &mut PgConnection,
    store_id: StoreId,
    order_id: OrderId,
    plan: &CapacityPlan,
    staffing: &Staffing,
) -> Result<(), sqlx::Error> {
    let (slots, seconds, capacities) = allocation_columns(plan, staffing);
    sqlx::query!(
        "UPDATE reservations SET start_at = $2, ready_at = $3, slots = $4, slot_seconds = $5 WHERE order_id = $1",
        order_id as OrderId,
        plan.start_at.to_sqlx() as _,
        plan.ready_at.to_sqlx() as _,
        &slots,
        &seconds,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "INSERT INTO capacity_slots (store_id, slot, used_seconds, capacity_seconds)
         SELECT $1, slot, allocation.seconds, allocation.capacity
         FROM unnest($2::bigint[], $3::integer[], $4::integer[]) AS allocation (slot, seconds, capacity) ORDER BY slot
         ON CONFLICT ON CONSTRAINT capacity_slots_pkey DO UPDATE
         SET used_seconds = capacity_slots.used_seconds + excluded.used_seconds,
             capacity_seconds = greatest(capacity_slots.capacity_seconds, excluded.capacity_seconds)",
        store_id as StoreId,
        &slots,
        &seconds,
        &capacities,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes up to `limit` slots before `min_slot`, except those that another replica is deleting. Returns the number of rows.
pub(crate) async fn prune_slots(
    conn: &mut PgConnection,
    min_slot: i64,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM capacity_slots WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM capacity_slots WHERE slot < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
        min_slot,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}

/// As [`prune_slots`], for reservations that ended before `ended_before`.
pub(crate) async fn prune_reservations(
    conn: &mut PgConnection,
    ended_before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM reservations WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM reservations WHERE coalesce(released_at, ready_at) < $1
             ORDER BY coalesce(released_at, ready_at) LIMIT $2 FOR UPDATE SKIP LOCKED))",
        ended_before.to_sqlx() as _,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
