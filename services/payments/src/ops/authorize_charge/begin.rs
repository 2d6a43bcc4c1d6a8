//! First step: writes the charge's row, or finds the row of an earlier call.

use types::ChargeId;

use super::AuthorizeChargeError;
use crate::Payments;
use crate::db::provider_customers::{self, ProviderCustomer};
use crate::db::{charges, payment_methods};
use crate::domain::charge::{AuthorizeCharge, Charge, ChargeState, ChargeTerms, TargetState};

/// Returns the order's charge, which is inserted if there is none.
pub async fn begin(cx: &Payments, command: AuthorizeCharge) -> Result<Charge, AuthorizeChargeError> {
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    if let Some(charge) = charges::find_by_order(&mut tx, command.order_id).await? {
        return require_same_terms(charge, command);
    }
    let method = payment_methods::find(&mut tx, command.consumer_id, command.payment_method_id)
        .await?
        .ok_or(AuthorizeChargeError::MethodNotFound)?;
    let Some(ProviderCustomer {
        provider_id: Some(provider_customer_id),
        is_removed: false,
    }) = provider_customers::find(&mut tx, command.consumer_id).await?
    else {
        return Err(AuthorizeChargeError::MethodNotFound);
    };
    let charge = Charge {
        id: ChargeId::new(now),
        order_id: command.order_id,
        terms: Some(ChargeTerms {
            consumer_id: Some(command.consumer_id),
            payment_method_id: method.id,
            method_kind: method.description.kind,
            provider_customer_id,
            provider_method_id: method.description.provider_id,
            amount: command.amount,
        }),
        provider_id: None,
        state: ChargeState::Pending,
        target_state: TargetState::Authorized,
        hold_ends_at: None,
        version: 1,
    };
    if charges::insert(&mut tx, &charge, now).await? {
        tx.commit().await?;
        return Ok(charge);
    }
    // A concurrent call inserted the charge, or closed the order.
    let existing = charges::find_by_order(&mut tx, command.order_id)
        .await?
        .ok_or_else(|| {
            kit::InternalError::invariant_violated(format!("charge of {} not found", command.order_id))
        })?;
    require_same_terms(existing, command)
}

fn require_same_terms(charge: Charge, command: AuthorizeCharge) -> Result<Charge, AuthorizeChargeError> {
    let Some(terms) = &charge.terms else {
        return Err(AuthorizeChargeError::Closed);
    };
    // The charge of a removed consumer has no consumer id.
    let is_same_consumer = terms.consumer_id.is_none_or(|id| id == command.consumer_id);
    let is_same_payment =
        (terms.payment_method_id, terms.amount) == (command.payment_method_id, command.amount);
    if is_same_consumer && is_same_payment {
        Ok(charge)
    } else {
        Err(AuthorizeChargeError::TermsMismatch)
    }
}
