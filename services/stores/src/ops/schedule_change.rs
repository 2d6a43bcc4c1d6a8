//! What all changes of the schedule of a store have in common.

use kit::{ErrorCode, InternalError, ServiceError};
use sqlx::PgConnection;
use types::StoreId;

use crate::{
    Stores, convert, db,
    domain::{
        capacity::slot_at,
        schedule::{Schedule, ScheduleRule},
        store::Store,
    },
    not_found,
};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ScheduleError {
    #[error("unknown store")]
    StoreUnknown,
    #[error(transparent)]
    Rule(#[from] ScheduleRule),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(ScheduleError);

impl From<ScheduleError> for ServiceError {
    fn from(error: ScheduleError) -> Self {
        match error {
            ScheduleError::StoreUnknown => not_found::store(),
            ScheduleError::Rule(rule) => {
                let (reason, field) = rule.reason();
                Self::new(ErrorCode::RuleViolation, reason, rule.to_string()).with_field(field)
            }
            ScheduleError::Internal(error) => error.into(),
        }
    }
}

pub(super) async fn load_schedule(
    cx: &Stores,
    conn: &mut PgConnection,
    store_id: StoreId,
) -> Result<Schedule, ScheduleError> {
    let store = load_store(cx, conn, store_id).await?;
    Ok(Schedule::of(store, cx.clock.now()))
}

async fn load_store(cx: &Stores, conn: &mut PgConnection, store_id: StoreId) -> Result<Store, ScheduleError> {
    let slot = slot_at(cx.clock.now());
    let snapshot = db::stores::by_id(conn, store_id, None, slot..=slot).await?;
    Ok(snapshot.ok_or(ScheduleError::StoreUnknown)?.store)
}

/// Locks the schedule of a store until the transaction ends, and rejects reservations that were planned before. Returns
/// the schedule.
pub(super) async fn lock_schedule(
    cx: &Stores,
    tx: &mut PgConnection,
    store_id: StoreId,
) -> Result<Schedule, ScheduleError> {
    // The row of the store is locked first, as by a pause.
    if !db::stores::lock(tx, store_id).await? {
        return Err(ScheduleError::StoreUnknown);
    }
    db::schedule_versions::increment(tx, &[store_id]).await?;
    load_schedule(cx, tx, store_id).await
}

/// Publishes the change. Returns the changed schedule.
pub(super) async fn publish_schedule_change(
    cx: &Stores,
    tx: &mut PgConnection,
    store_id: StoreId,
) -> Result<Schedule, ScheduleError> {
    let now = cx.clock.now();
    let version = db::stores::increment_version(tx, store_id).await?;
    let store = load_store(cx, tx, store_id).await?;
    let is_paused = store.pause.is_some_and(|pause| pause.is_active(now));
    let event = convert::event::store_status_changed(store_id, version, is_paused, now);
    kit::outbox::append(tx, event).await?;
    Ok(Schedule::of(store, now))
}
