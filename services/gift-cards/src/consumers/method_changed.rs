//! Freezes automatic reloads, and turns off a rule whose payment method was removed.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::{GiftCards, db::auto_reload, ops::reload_joepass::freeze_auto_reload};

pub(super) async fn handle(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    removed_method_id: Option<&str>,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    freeze_auto_reload(cx, tx, consumer_id, now).await?;
    if let Some(payment_method_id) = removed_method_id {
        auto_reload::turn_off(tx, consumer_id, payment_method_id).await?;
    }
    Ok(())
}
