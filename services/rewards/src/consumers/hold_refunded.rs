//! Revokes points for the part of an order that was refunded to stored value, and notifies the consumer.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::giftcards::v1::BalanceEvent;
use sqlx::PgConnection;

use crate::{config::Rules, convert::stored_value::hold_refund, ops::record_refund::record_refund};

pub(super) async fn handle(
    event: BalanceEvent,
    tx: &mut PgConnection,
    rules: Rules,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    if let Some(refund) = hold_refund(event, now)? {
        record_refund(tx, rules, refund, now).await?;
    }
    Ok(())
}
