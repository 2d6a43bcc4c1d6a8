//! Pauses or resumes orders at a store.

use kit::{ErrorCode, InternalError, ServiceError};
use types::StoreId;

use super::store_views::load_store_views;
use crate::{
    Stores, convert, db,
    domain::{
        pause::{InvalidPause, Pause},
        store_view::StoreView,
    },
    not_found,
};

#[derive(Debug, thiserror::Error)]
pub enum PauseStoreError {
    #[error("unknown store")]
    StoreUnknown,
    #[error(transparent)]
    PauseInvalid(#[from] InvalidPause),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(PauseStoreError);

impl From<PauseStoreError> for ServiceError {
    fn from(error: PauseStoreError) -> Self {
        match error {
            PauseStoreError::StoreUnknown => not_found::store(),
            PauseStoreError::PauseInvalid(_) => Self::new(
                ErrorCode::RuleViolation,
                "PAUSE_END_INVALID",
                "A pause must end within the next 24 hours.",
            )
            .with_field("until"),
            PauseStoreError::Internal(error) => error.into(),
        }
    }
}

/// Pauses a store, or resumes it without a pause. Does nothing if the store is already in the requested state.
///
/// # Errors
/// [`PauseStoreError::StoreUnknown`], [`PauseStoreError::PauseInvalid`] if the pause does not end in the next 24 hours.
pub async fn pause_store(
    cx: &Stores,
    store_id: StoreId,
    pause: Option<Pause>,
) -> Result<StoreView, PauseStoreError> {
    let now = cx.clock.now();
    let pause = pause.map(|pause| pause.starting_at(now)).transpose()?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    if let Some(version) = db::pauses::set(&mut tx, store_id, pause).await? {
        let event = convert::event::store_status_changed(store_id, version, pause.is_some(), now);
        kit::outbox::append(&mut tx, event).await?;
        // Rejects reservations that were planned before the change.
        db::schedule_versions::increment(&mut tx, &[store_id]).await?;
    }
    let store = load_store_views(cx, &mut tx, &[store_id], None, None)
        .await?
        .pop()
        .ok_or(PauseStoreError::StoreUnknown)?;
    tx.commit().await?;
    Ok(store)
}
