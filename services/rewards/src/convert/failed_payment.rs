//! Consumed events about payments that a bank returned.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, require_field};
use proto::payments::v1::{ChargePurpose, ChargeSnapshot, DebtCreated, PaymentReturned};

use super::event::{changed_at, money};
use crate::domain::failed_payment::{FailedPayment, FailedPaymentKind, returned_reference};

/// Returns `None` if the consumer was removed, or the charge paid for stored value: gift-cards reports what it took back.
pub(crate) fn returned_payment(
    charge: &ChargeSnapshot,
    returned: PaymentReturned,
    now: Timestamp,
) -> Result<Option<FailedPayment>, ConsumeError> {
    let subject = require_field(charge.subject.clone(), "subject")?;
    if charge.consumer_id.is_empty() || subject.purpose() != ChargePurpose::Order {
        return Ok(None);
    }
    let order_id = subject.id.parse()?;
    Ok(Some(FailedPayment {
        consumer_id: charge.consumer_id.parse()?,
        // Payments publishes the return again if the store accepts the order nevertheless.
        reference: returned_reference(order_id),
        at: changed_at(&charge.changed_at, now),
        amount: money(charge.amount_minor_units, &charge.currency)?,
        kind: FailedPaymentKind::Returned {
            order_id,
            order_ended: returned.order_ended,
        },
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
    let order_id = match &charge.subject {
        Some(subject) if subject.purpose() == ChargePurpose::Order => Some(subject.id.parse()?),
        _ => None,
    };
    Ok(Some(FailedPayment {
        consumer_id: charge.consumer_id.parse()?,
        reference: order_id.map_or_else(|| format!("debt:{}", debt.debt_id), returned_reference),
        at: changed_at(&charge.changed_at, now),
        amount: money(debt.amount_minor_units, &charge.currency)?,
        kind: FailedPaymentKind::Debt {
            penalty_fee: money(debt.penalty_fee_minor_units, &charge.currency)?,
            name: debt.name,
            order_id,
            is_of_removed_consumer: debt.of_removed_consumer,
            returned: money(charge.amount_minor_units, &charge.currency)?,
            refunded: debt
                .refunded_minor_units
                .map(|refunded| money(refunded, &charge.currency))
                .transpose()?,
        },
    }))
}
