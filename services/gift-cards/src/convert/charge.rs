use kit::{ErrorCode, InternalError, ServiceError};
use proto::payments::v1 as payments;

use crate::domain::purchase::{Failure, FailureCode, Item, PaymentSource, Purchase, SavedMethod, Tender};

pub(crate) fn saved_method(method: &payments::PaymentMethod) -> Result<SavedMethod, InternalError> {
    let added_at = match method.added_at.as_str() {
        "" => None,
        text => Some(text.parse().map_err(InternalError::invariant_violated)?),
    };
    Ok(SavedMethod {
        tender: method.r#type.parse().map_err(InternalError::invariant_violated)?,
        added_at,
    })
}

/// Identifies the charge of a purchase.
pub(crate) fn charge_subject(purchase: &Purchase) -> payments::ChargeSubject {
    let purpose = match purchase.item {
        Item::TopUp { .. } => payments::ChargePurpose::TopUp,
        Item::GiftCard { .. } => payments::ChargePurpose::GiftCard,
        Item::CompanyCard { .. } => payments::ChargePurpose::CompanyCard,
    };
    payments::ChargeSubject {
        purpose: purpose.into(),
        id: purchase.id.to_string(),
    }
}

/// Names what is bought, for the list of failed payments.
pub(crate) fn charge_description(purchase: &Purchase) -> payments::ChargeDescription {
    let name = match &purchase.item {
        Item::TopUp { .. } => "JoePass".to_owned(),
        Item::GiftCard { .. } => "Gift card".to_owned(),
        Item::CompanyCard { company_name, .. } => format!("{company_name} card"),
    };
    payments::ChargeDescription {
        items: vec![payments::ChargeItem {
            name: name.clone(),
            quantity: 1,
        }],
        name,
    }
}

pub(crate) fn payment_source(source: &PaymentSource) -> payments::PaymentSource {
    use payments::payment_source::Source;
    let source = match source {
        PaymentSource::Saved { payment_method_id } => Source::PaymentMethodId(payment_method_id.clone()),
        PaymentSource::Wallet {
            tender,
            provider_payment_method_id,
        } => Source::Wallet(payments::WalletPayment {
            kind: wallet_kind(*tender).into(),
            provider_payment_method_id: provider_payment_method_id.clone(),
        }),
    };
    payments::PaymentSource {
        source: Some(source),
        ..payments::PaymentSource::default()
    }
}

const fn wallet_kind(tender: Tender) -> payments::WalletKind {
    match tender {
        Tender::ApplePay => payments::WalletKind::ApplePay,
        Tender::GooglePay => payments::WalletKind::GooglePay,
        Tender::Card | Tender::Bank => payments::WalletKind::Unspecified,
    }
}

/// Returns the failure of a payment that an event reports as declined. `None` for an event of the previous release.
pub(crate) fn decline(event: payments::PaymentDeclined) -> Option<Failure> {
    (!event.reason.is_empty()).then(|| Failure::declined(event.reason, event.message))
}

/// Returns the failure of a charge that payments rejected.
pub(crate) fn failure_from_error(error: ServiceError) -> Failure {
    let code = match error.code {
        ErrorCode::RuleViolation => FailureCode::RuleViolation,
        ErrorCode::Forbidden => FailureCode::Forbidden,
        _ => FailureCode::Conflict,
    };
    Failure {
        code,
        reason: error.reason.into_owned(),
        message: error.message.into_owned(),
    }
}

/// Returns the error for the consumer.
pub(crate) fn failure(failure: Failure) -> ServiceError {
    let code = match failure.code {
        FailureCode::RuleViolation => ErrorCode::RuleViolation,
        FailureCode::Conflict => ErrorCode::Conflict,
        FailureCode::Forbidden => ErrorCode::Forbidden,
    };
    ServiceError::new(code, failure.reason, failure.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_keeps_the_error_for_later_calls() {
        for code in [
            ErrorCode::RuleViolation,
            ErrorCode::Conflict,
            ErrorCode::Forbidden,
        ] {
            let error = ServiceError::new(code, "CARD_DECLINED", "Your card was declined.");
            assert_eq!(failure(failure_from_error(error.clone())), error);
        }
    }
}
