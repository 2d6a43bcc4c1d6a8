use types::RefundId;

use crate::Payments;
use crate::db::{charges, effects, refunds};
use crate::domain::charge::{Charge, ChargeState};
use crate::domain::effect::Effect;
use crate::domain::refund::{Refund, RefundCharge, RefundState};

#[derive(Debug, thiserror::Error)]
pub enum RefundChargeError {
    #[error("charge not found")]
    NotFound,
    /// No money was taken, or it was returned.
    #[error("the charge cannot be refunded")]
    NotRefundable,
    #[error("the amount is greater than the part that was not refunded")]
    AmountTooLarge,
    #[error("the refund exists with another amount")]
    Mismatch,
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(RefundChargeError);

impl From<RefundChargeError> for kit::ServiceError {
    fn from(error: RefundChargeError) -> Self {
        use kit::ErrorCode::{Conflict, NotFound, RuleViolation};
        match error {
            RefundChargeError::NotFound => {
                Self::new(NotFound, "CHARGE_UNKNOWN", "We couldn't find this payment.")
            }
            RefundChargeError::NotRefundable => Self::new(
                Conflict,
                "CHARGE_NOT_REFUNDABLE",
                "This payment can't be refunded.",
            ),
            RefundChargeError::AmountTooLarge => Self::new(
                RuleViolation,
                "REFUND_TOO_LARGE",
                "The refund is larger than the payment.",
            )
            .with_field("amount"),
            RefundChargeError::Mismatch => Self::new(
                Conflict,
                "REFUND_MISMATCH",
                "This refund already exists with another amount.",
            ),
            RefundChargeError::Internal(error) => error.into(),
        }
    }
}

/// Plans the refund of a part of a charge. Idempotent by subject and refund id. A bank debit in processing is refunded when
/// it settles; if the bank returns it, there is nothing to refund.
pub async fn refund_charge(cx: &Payments, command: RefundCharge) -> Result<Charge, RefundChargeError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let found = charges::find_by_subject(&mut tx, command.subject).await?;
    let id = found.ok_or(RefundChargeError::NotFound)?.id;
    let charge = charges::lock(&mut tx, id)
        .await?
        .ok_or(RefundChargeError::NotFound)?;
    let known = refunds::list_of_charge(&mut tx, id).await?;
    let same = known
        .iter()
        .find(|refund| refund.request_id.as_deref() == Some(&command.refund_id));
    if let Some(refund) = same {
        return if refund.amount == command.amount {
            Ok(charge)
        } else {
            Err(RefundChargeError::Mismatch)
        };
    }
    let is_refundable = matches!(charge.state, ChargeState::Processing | ChargeState::Succeeded);
    if !is_refundable || charge.is_released() {
        return Err(RefundChargeError::NotRefundable);
    }
    let planned = planned_minor_units(&known);
    if command.amount.minor_units() > charge.refundable_minor_units() - planned {
        return Err(RefundChargeError::AmountTooLarge);
    }
    let refund = Refund {
        id: RefundId::new(now),
        charge_id: id,
        request_id: Some(command.refund_id),
        amount: command.amount,
        provider_id: None,
        state: RefundState::Planned,
    };
    refunds::insert(&mut tx, &refund, now).await?;
    if charge.state == ChargeState::Succeeded {
        effects::plan(&mut tx, Effect::RefundPart(refund.id)).await?;
    }
    tx.commit().await?;
    cx.wake_effects_worker();
    Ok(charge)
}

/// Returns the sum of the refunds that the provider has not accepted yet.
fn planned_minor_units(refunds: &[Refund]) -> i64 {
    refunds
        .iter()
        .filter(|refund| refund.state == RefundState::Planned)
        .map(|refund| refund.amount.minor_units())
        .sum()
}
