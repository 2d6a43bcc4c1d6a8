//! Writes stores with their opening hours, for imports and the seed.

use std::collections::HashSet;

use sqlx::PgConnection;
use types::{CompanyId, StoreId};

use crate::{
    db::{self, store_write::WrittenStore},
    domain::{csv_import::NewStore, hours::WeeklyHours, stable_id},
};

/// A store to be written. The hours apply only to a new store, because those of an existing store may have been edited.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoreWrite<'a> {
    pub(super) company_id: CompanyId,
    pub(super) store: &'a NewStore,
    pub(super) hours: &'a WeeklyHours,
}

impl StoreWrite<'_> {
    pub(super) fn store_id(&self) -> StoreId {
        stable_id::store_id(&self.store.number)
    }
}

/// Returns the stores that were inserted or changed.
pub(super) async fn write_stores(
    tx: &mut PgConnection,
    writes: &[StoreWrite<'_>],
) -> Result<Vec<WrittenStore>, sqlx::Error> {
    let rows: Vec<_> = writes
        .iter()
        .map(|write| (write.store_id(), write.company_id, write.store))
        .collect();
    let written = db::store_write::upsert(tx, &rows).await?;
    let new: HashSet<StoreId> = written
        .iter()
        .filter(|store| store.is_new)
        .map(|store| store.id)
        .collect();
    let hours_of_new: Vec<_> = writes
        .iter()
        .map(|write| (write.store_id(), write.hours))
        .filter(|(id, _)| new.contains(id))
        .collect();
    db::hours::replace(tx, &hours_of_new).await?;
    let updated: Vec<StoreId> = written
        .iter()
        .filter(|store| !store.is_new)
        .map(|store| store.id)
        .collect();
    // Rejects reservations that were planned before the change.
    db::schedule_versions::increment(tx, &updated).await?;
    Ok(written)
}
