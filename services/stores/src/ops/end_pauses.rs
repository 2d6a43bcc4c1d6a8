//! Resumes stores at the end of their pause.

use kit::InternalError;

use crate::{Stores, convert, db};

const BATCH: i64 = 100;

/// A store accepts orders from the end of its pause on. This publishes it, and removes the pause. Returns the number of
/// stores.
pub async fn end_pauses(cx: &Stores) -> Result<usize, InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let stores = db::pauses::end_expired(&mut tx, BATCH).await?;
    let now = cx.clock.now();
    for (store_id, version) in &stores {
        let event = convert::event::store_status_changed(*store_id, *version, false, now);
        kit::outbox::append(&mut tx, event).await?;
    }
    tx.commit().await?;
    Ok(stores.len())
}
