//! Freezes automatic reloads.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::{GiftCards, ops::reload_joepass::freeze_auto_reload};

pub(super) async fn handle(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    freeze_auto_reload(cx, tx, consumer_id, now).await?;
    Ok(())
}
