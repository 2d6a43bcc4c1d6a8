//! Versions of the schedules of stores: reservations, pauses, hours and baristas. [`super::capacity::reserve`] writes a
//! reservation only if the version is still the one that the plan was computed from, and increments it.

use sqlx::PgConnection;
use types::StoreId;

/// Increments the versions of stores, and locks them until the transaction ends. Reservations that were planned with
/// the previous version are rejected.
///
/// # Errors
/// Violates `store_schedule_versions_store_fkey` if a store does not exist.
pub(crate) async fn increment(tx: &mut PgConnection, stores: &[StoreId]) -> Result<(), sqlx::Error> {
    // Ordered, so that transactions with several stores cannot deadlock.
    sqlx::query!(
        "INSERT INTO store_schedule_versions AS current (store_id, version)
         SELECT store_id, 1 FROM unnest($1::uuid[]) AS store (store_id) ORDER BY store_id
         ON CONFLICT ON CONSTRAINT store_schedule_versions_pkey DO UPDATE SET version = current.version + 1",
        stores as &[StoreId],
    )
    .execute(tx)
    .await?;
    Ok(())
}
