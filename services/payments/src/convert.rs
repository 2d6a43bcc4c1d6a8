//! Conversion between the contract and domain types.

use std::str::FromStr;

use jiff::Timestamp;
use kit::{ErrorCode, ServiceError, outbox::OutboxEntry};
use proto::events::Event;
use proto::payments::v1 as pb;
use proto::payments::v1::charge_event::Change;
use proto::values::v1::Money as PbMoney;
use secrecy::ExposeSecret;
use types::{IdError, Money};

use crate::domain::charge::{AuthorizeCharge, Charge, ChargeEvent, ChargeSnapshot, ChargeState};
use crate::domain::payment_method::{MethodVersion, PaymentMethod, SetupIntent};

/// Parses an id of a request.
///
/// # Errors
/// `ID_MALFORMED` with the name of the field.
pub fn parse_id<T: FromStr<Err = IdError>>(text: &str, field: &'static str) -> Result<T, ServiceError> {
    text.parse().map_err(|error: IdError| {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "ID_MALFORMED",
            format!("{field}: {error}"),
        )
        .with_field(field)
    })
}

pub fn authorize_charge(request: &pb::AuthorizeChargeRequest) -> Result<AuthorizeCharge, ServiceError> {
    Ok(AuthorizeCharge {
        order_id: parse_id(&request.order_id, "orderId")?,
        consumer_id: parse_id(&request.consumer_id, "consumerId")?,
        payment_method_id: parse_id(&request.payment_method_id, "paymentMethodId")?,
        amount: positive_amount(request.amount.as_ref())?,
    })
}

fn positive_amount(amount: Option<&PbMoney>) -> Result<Money, ServiceError> {
    amount
        .and_then(|amount| Some(Money::new(amount.minor_units, amount.currency.parse().ok()?)))
        .filter(|amount| amount.is_positive())
        .ok_or_else(|| {
            ServiceError::new(
                ErrorCode::InvalidRequest,
                "AMOUNT_MALFORMED",
                "The amount must be greater than zero.",
            )
            .with_field("amount")
        })
}

pub fn charge(charge: &Charge) -> pb::Charge {
    let decline = match &charge.state {
        ChargeState::Declined(decline) => Some(decline),
        _ => None,
    };
    pb::Charge {
        order_id: charge.order_id.to_string(),
        charge_id: charge.id.to_string(),
        state: charge_state(charge).into(),
        amount: charge.terms.as_ref().map(|terms| PbMoney {
            minor_units: terms.amount.minor_units(),
            currency: terms.amount.currency().code().to_owned(),
        }),
        client_secret: String::new(),
        decline_reason: decline
            .map(|decline| decline.reason.as_str().to_owned())
            .unwrap_or_default(),
        decline_message: decline.map(|decline| decline.message.clone()).unwrap_or_default(),
    }
}

pub fn charge_snapshot(snapshot: &ChargeSnapshot) -> pb::Charge {
    let client_secret = match (&snapshot.charge.state, &snapshot.client_secret) {
        (ChargeState::RequiresAction, Some(secret)) => secret.expose_secret().to_owned(),
        _ => String::new(),
    };
    pb::Charge {
        client_secret,
        ..charge(&snapshot.charge)
    }
}

/// A released charge is closed for callers, even before the provider has voided it.
fn charge_state(charge: &Charge) -> pb::ChargeState {
    match &charge.state {
        ChargeState::Refunded => pb::ChargeState::Refunded,
        ChargeState::Returned => pb::ChargeState::Returned,
        ChargeState::Disputed => pb::ChargeState::Disputed,
        ChargeState::Voided => pb::ChargeState::Closed,
        _ if charge.is_released() => pb::ChargeState::Closed,
        ChargeState::Pending => pb::ChargeState::Pending,
        ChargeState::RequiresAction => pb::ChargeState::RequiresAction,
        ChargeState::Authorized => pb::ChargeState::Authorized,
        ChargeState::Processing => pb::ChargeState::Processing,
        ChargeState::Succeeded => pb::ChargeState::Succeeded,
        ChargeState::Declined(_) => pb::ChargeState::Declined,
    }
}

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
    }
}

pub fn setup_intent(secret: &SetupIntent) -> pb::SetupIntent {
    pb::SetupIntent {
        client_secret: secret.client_secret.expose_secret().to_owned(),
        publishable_key: secret.publishable_key.clone(),
    }
}

/// Builds the outbox entry of an event about a charge. Returns `None` for a tombstone, which has no terms.
pub fn charge_outbox_entry(charge: &Charge, event: ChargeEvent, at: Timestamp) -> Option<OutboxEntry> {
    let event = charge_event(charge, event, at)?;
    let (id, version) = (charge.id.to_string(), charge.version);
    Some(OutboxEntry::new(event.event_type(), &event, id, version, at))
}

fn charge_event(charge: &Charge, event: ChargeEvent, at: Timestamp) -> Option<pb::ChargeEvent> {
    let terms = charge.terms.as_ref()?;
    Some(pb::ChargeEvent {
        charge: Some(pb::ChargeSnapshot {
            charge_id: charge.id.to_string(),
            order_id: charge.order_id.to_string(),
            consumer_id: terms.consumer_id.map(|id| id.to_string()).unwrap_or_default(),
            amount_minor_units: terms.amount.minor_units(),
            currency: terms.amount.currency().code().to_owned(),
            changed_at: at.to_string(),
        }),
        change: Some(match event {
            ChargeEvent::Authorized => Change::Authorized(pb::PaymentAuthorized {}),
            ChargeEvent::Declined => Change::Declined(pb::PaymentDeclined {}),
            ChargeEvent::Settled => Change::Settled(pb::PaymentSettled {}),
            ChargeEvent::Returned => Change::Returned(pb::PaymentReturned {}),
            ChargeEvent::Refunded => Change::Refunded(pb::RefundDone {}),
            ChargeEvent::CaptureFailed => Change::CaptureFailed(pb::CaptureFailed {}),
        }),
    })
}

/// Builds the outbox entry of the event that a payment method was added, changed or removed.
pub fn method_outbox_entry(method: MethodVersion, at: Timestamp) -> OutboxEntry {
    let event = method_changed(method);
    let (id, version) = (method.id.to_string(), method.version);
    OutboxEntry::new(event.event_type(), &event, id, version, at)
}

fn method_changed(method: MethodVersion) -> pb::PaymentMethodEvent {
    pb::PaymentMethodEvent {
        consumer_id: method.consumer_id.to_string(),
        payment_method_id: method.id.to_string(),
        change: Some(pb::payment_method_event::Change::MethodChanged(
            pb::MethodChanged {},
        )),
    }
}
