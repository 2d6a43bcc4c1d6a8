//! Adds the amount of a failed refund to JoePass.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, require_field};
use proto::payments::v1::{ChargePurpose, ChargeSnapshot, RefundFailed};
use sqlx::PgConnection;
use types::Money;

use crate::domain::failed_refund::FailedRefund;
use crate::ops::credit_failed_refund::credit_failed_refund;

pub(super) async fn handle(
    charge: ChargeSnapshot,
    failed: RefundFailed,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let subject = require_field(charge.subject, "subject")?;
    let currency = charge
        .currency
        .parse()
        .map_err(|_| ConsumeError::Rejected(format!("unknown currency {:?}", charge.currency)))?;
    let amount = Money::new(failed.amount_minor_units, currency);
    if !amount.is_positive() {
        return Err(ConsumeError::Rejected("amount is not positive".to_owned()));
    }
    let refund = FailedRefund {
        // The id of a refund is unique for its charge.
        id: format!("{}:{}", charge.charge_id, failed.refund_id),
        consumer_id: match charge.consumer_id.as_str() {
            "" => None,
            id => Some(id.parse()?),
        },
        amount,
        order_id: match subject.purpose() {
            ChargePurpose::Order => Some(subject.id.parse()?),
            _ => None,
        },
    };
    credit_failed_refund(tx, refund, now).await?;
    Ok(())
}
