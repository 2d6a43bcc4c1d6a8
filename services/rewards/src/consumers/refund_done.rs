//! Revokes points for the refunded amount and notifies the consumer.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::payments::v1::{ChargeSnapshot, RefundDone};
use sqlx::PgConnection;
use types::EventId;

use crate::{config::Rules, convert::event::refund, ops::record_refund::record_refund};

pub(super) async fn handle(
    charge: ChargeSnapshot,
    refund_done: RefundDone,
    event_id: EventId,
    tx: &mut PgConnection,
    rules: Rules,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    if let Some(refund) = refund(&charge, &refund_done, event_id, now)? {
        record_refund(tx, rules, refund, now).await?;
    }
    Ok(())
}
