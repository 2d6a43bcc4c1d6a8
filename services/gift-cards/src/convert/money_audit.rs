//! Charges for the audit of money.

use kit::{InternalError, ServiceError};
use proto::payments::v1 as payments;
use types::PurchaseId;

use super::parse_money;
use crate::domain::{
    money_audit::{AuditedCharge, AuditedChargeState},
    purchase::PurchaseKind,
};

/// The purposes of the charges of purchases.
pub(crate) const PURCHASE_PURPOSES: [payments::ChargePurpose; 3] = [
    payments::ChargePurpose::TopUp,
    payments::ChargePurpose::GiftCard,
    payments::ChargePurpose::CompanyCard,
];

pub(crate) fn audited_charge(charge: payments::Charge) -> Result<(PurchaseId, AuditedCharge), InternalError> {
    let subject = charge
        .subject
        .as_ref()
        .ok_or_else(|| InternalError::invariant_violated("charge without subject"))?;
    let id = subject.id.parse().map_err(InternalError::invariant_violated)?;
    let kind = match subject.purpose() {
        payments::ChargePurpose::TopUp => PurchaseKind::TopUp,
        payments::ChargePurpose::GiftCard => PurchaseKind::GiftCard,
        payments::ChargePurpose::CompanyCard => PurchaseKind::CompanyCard,
        other => {
            let message = format!("charge of a purchase for {}", other.as_str_name());
            return Err(InternalError::invariant_violated(message));
        }
    };
    let changed_at = match charge.changed_at.as_str() {
        "" => None,
        text => Some(text.parse().map_err(InternalError::invariant_violated)?),
    };
    let state = state(&charge)?;
    let amount = charge
        .amount
        .map(|amount| parse_money(Some(amount)))
        .transpose()
        .map_err(|error: ServiceError| InternalError::invariant_violated(error.message))?;
    let audited = AuditedCharge {
        kind,
        state,
        amount,
        changed_at,
    };
    Ok((id, audited))
}

fn state(charge: &payments::Charge) -> Result<AuditedChargeState, InternalError> {
    use payments::ChargeState as State;
    Ok(match State::try_from(charge.state) {
        Ok(State::Pending | State::RequiresAction | State::Authorized) => AuditedChargeState::Open,
        Ok(State::Processing) => AuditedChargeState::Processing,
        Ok(State::Succeeded) => AuditedChargeState::Succeeded,
        Ok(State::Disputed | State::Refunded) => AuditedChargeState::DisputedOrRefunded,
        Ok(State::Returned) => AuditedChargeState::Returned,
        Ok(State::Declined | State::Closed) => AuditedChargeState::Ended,
        Ok(State::Unspecified) | Err(_) => {
            let message = format!("unknown charge state {}", charge.state);
            return Err(InternalError::invariant_violated(message));
        }
    })
}
