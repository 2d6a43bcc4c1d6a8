//! Notifies the buyer about automatic reloads, delivered gift cards and returned debits, and the recipient of a gift card.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::giftcards::v1::PurchaseEvent;
use sqlx::PgConnection;
use types::EventId;

use crate::{
    convert::stored_value::{purchase_change, received_gift_card},
    ops::notify_stored_value_change::notify_stored_value_change,
};

pub(super) async fn handle(
    event: PurchaseEvent,
    event_id: EventId,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let received = received_gift_card(&event, now)?;
    let of_buyer = purchase_change(event, event_id, now)?;
    for change in received.into_iter().chain(of_buyer) {
        notify_stored_value_change(tx, change, now).await?;
    }
    Ok(())
}
