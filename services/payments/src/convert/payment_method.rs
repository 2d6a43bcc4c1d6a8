//! Payment methods.

use jiff::Timestamp;
use proto::payments::v1 as pb;
use secrecy::ExposeSecret;

use crate::domain::payment_method::{PaymentMethod, SetupIntent};
use crate::domain::setup::BankSession;

pub fn payment_methods(methods: &[PaymentMethod], now: Timestamp) -> pb::ListPaymentMethodsResponse {
    pb::ListPaymentMethodsResponse {
        methods: methods.iter().map(|method| payment_method(method, now)).collect(),
    }
}

pub fn payment_method(method: &PaymentMethod, now: Timestamp) -> pb::PaymentMethod {
    let description = &method.description;
    pb::PaymentMethod {
        payment_method_id: method.id.to_string(),
        r#type: description.kind.as_str().to_owned(),
        institution_name: description.institution_name.clone(),
        last4: description.last4.clone(),
        exp_date: description
            .expiry
            .map(|expiry| expiry.to_string())
            .unwrap_or_default(),
        account_type: description.account_type.clone(),
        is_default: method.is_default,
        expired: description.expiry.is_some_and(|expiry| expiry.is_past(now)),
        added_at: method.added_at.to_string(),
    }
}

pub fn setup_intent(secret: &SetupIntent) -> pb::SetupIntent {
    pb::SetupIntent {
        client_secret: secret.client_secret.expose_secret().to_owned(),
        publishable_key: secret.publishable_key.clone(),
    }
}

pub fn bank_session(session: &BankSession) -> pb::BankSession {
    pb::BankSession {
        client_secret: session.client_secret.expose_secret().to_owned(),
        publishable_key: session.publishable_key.clone(),
        mandate_text: session.consent.mandate_text.clone(),
        fee_consent_text: session.consent.fee_consent_text.clone(),
    }
}
