//! Notifies the consumer that a refund was added to JoePass.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::giftcards::v1::BalanceEvent;
use sqlx::PgConnection;
use types::EventId;

use crate::{
    convert::stored_value::refund_credited, ops::notify_stored_value_change::notify_stored_value_change,
};

pub(super) async fn handle(
    event: BalanceEvent,
    event_id: EventId,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    if let Some(change) = refund_credited(event, event_id, now)? {
        notify_stored_value_change(tx, change, now).await?;
    }
    Ok(())
}
