//! Consumed events about payments that a bank returned.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, require_field};
use proto::payments::v1::{ChargePurpose, ChargeSnapshot, DebtCreated};

use super::event::{changed_at, money};
use crate::domain::failed_payment::{FailedPayment, FailedPaymentKind};

/// Returns `None` if the consumer was removed, or the charge paid for stored value: gift-cards reports what it took back.
pub(crate) fn returned_payment(
    charge: &ChargeSnapshot,
    now: Timestamp,
) -> Result<Option<FailedPayment>, ConsumeError> {
    let subject = require_field(charge.subject.clone(), "subject")?;
    if charge.consumer_id.is_empty() || subject.purpose() != ChargePurpose::Order {
        return Ok(None);
    }
    let kind = FailedPaymentKind::Returned {
        order_id: subject.id.parse()?,
    };
    Ok(Some(FailedPayment {
        consumer_id: charge.consumer_id.parse()?,
        // Payments publishes the return again if the store accepts the order nevertheless.
        reference: format!("charge:{}:returned", charge.charge_id),
        at: changed_at(&charge.changed_at, now),
        amount: money(charge.amount_minor_units, &charge.currency)?,
        kind,
    }))
}

/// Returns `None` if the consumer was removed.
pub(crate) fn debt(
    charge: &ChargeSnapshot,
    debt: DebtCreated,
    now: Timestamp,
) -> Result<Option<FailedPayment>, ConsumeError> {
    if charge.consumer_id.is_empty() {
        return Ok(None);
    }
    Ok(Some(FailedPayment {
        consumer_id: charge.consumer_id.parse()?,
        reference: format!("debt:{}", debt.debt_id),
        at: changed_at(&charge.changed_at, now),
        amount: money(debt.amount_minor_units, &charge.currency)?,
        kind: FailedPaymentKind::Debt {
            penalty_fee: money(debt.penalty_fee_minor_units, &charge.currency)?,
            name: debt.name,
        },
    }))
}
