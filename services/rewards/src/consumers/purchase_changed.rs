//! Notifies the consumer about automatic reloads, delivered gift cards and returned debits.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::giftcards::v1::PurchaseEvent;
use sqlx::PgConnection;
use types::EventId;

use crate::{
    convert::stored_value::purchase_change, ops::notify_stored_value_change::notify_stored_value_change,
};

pub(super) async fn handle(
    event: PurchaseEvent,
    event_id: EventId,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    if let Some(change) = purchase_change(event, event_id, now)? {
        notify_stored_value_change(tx, change, now).await?;
    }
    Ok(())
}
