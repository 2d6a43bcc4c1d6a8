//! Revokes points for a refund that was added to JoePass, unless they were revoked before, and notifies the consumer.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::giftcards::v1::BalanceEvent;
use sqlx::PgConnection;
use types::EventId;

use crate::{
    config::Rules,
    convert::stored_value::{credited_order, refund_credited},
    ops::{notify_stored_value_change::notify_stored_value_change, record_refund::revoke_points},
};

pub(super) async fn handle(
    event: BalanceEvent,
    event_id: EventId,
    tx: &mut PgConnection,
    rules: Rules,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let revoked_points = match credited_order(&event, now)? {
        Some(refund) => revoke_points(tx, rules, &refund, now).await?,
        None => 0,
    };
    if let Some(change) = refund_credited(event, event_id, revoked_points, now)? {
        notify_stored_value_change(tx, change, now).await?;
    }
    Ok(())
}
