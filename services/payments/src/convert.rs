//! Contract to domain and back, every field named.

use std::str::FromStr;

use jiff::Timestamp;
use kit::{ErrorCode, ServiceError};
use proto::payments::v1::charge_event::Change;
use proto::payments::v1::{
    self as pb, AuthorizeChargeRequest, Charge as WireCharge, ChargeState, ListPaymentMethodsResponse,
    PaymentMethod as WireMethod,
};
use proto::values::v1::Money as WireMoney;
use secrecy::ExposeSecret;
use types::{ConsumerId, IdError, Money, PaymentMethodId};

use crate::domain::charge::{Charge, Fact, State, Wanted};
use crate::domain::method::Method;
use crate::ops::authorize;
use crate::ops::refresh::Standing;

/// An id, or the field that is none.
pub fn id<T: FromStr<Err = IdError>>(text: &str, field: &'static str) -> Result<T, ServiceError> {
    text.parse().map_err(|error: IdError| {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "ID_MALFORMED",
            format!("{field}: {error}"),
        )
        .with_field(field)
    })
}

pub fn authorize_request(request: AuthorizeChargeRequest) -> Result<authorize::Request, ServiceError> {
    Ok(authorize::Request {
        order: id(&request.order_id, "orderId")?,
        consumer: id(&request.consumer_id, "consumerId")?,
        method: id(&request.payment_method_id, "paymentMethodId")?,
        amount: amount(request.amount)?,
    })
}

/// An amount that can be charged.
fn amount(amount: Option<WireMoney>) -> Result<Money, ServiceError> {
    let malformed = || {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "AMOUNT_MALFORMED",
            "A positive amount is needed.",
        )
        .with_field("amount")
    };
    let amount = amount.ok_or_else(malformed)?;
    let money = Money::new(
        amount.minor_units,
        amount.currency.parse().map_err(|_| malformed())?,
    );
    if money.is_positive() {
        Ok(money)
    } else {
        Err(malformed())
    }
}

pub fn wire_charge(charge: &Charge) -> WireCharge {
    let decline = match &charge.state {
        State::Declined(decline) => Some(decline),
        _ => None,
    };
    WireCharge {
        order_id: charge.order.to_string(),
        charge_id: charge.id.to_string(),
        state: wire_state(charge).into(),
        amount: charge.terms.as_ref().map(|terms| WireMoney {
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

pub fn wire_standing(standing: &Standing) -> WireCharge {
    let mut wire = wire_charge(&standing.charge);
    if let (State::RequiresAction, Some(secret)) = (&standing.charge.state, &standing.client_secret) {
        wire.client_secret = secret.expose_secret().to_owned();
    }
    wire
}

/// A charge that was let go is closed for whoever asks, whatever is still being done about it.
fn wire_state(charge: &Charge) -> ChargeState {
    match &charge.state {
        State::Refunded => ChargeState::Refunded,
        State::Returned => ChargeState::Returned,
        State::Disputed => ChargeState::Disputed,
        State::Voided => ChargeState::Closed,
        _ if charge.wanted == Wanted::Release => ChargeState::Closed,
        State::Pending => ChargeState::Pending,
        State::RequiresAction => ChargeState::RequiresAction,
        State::Authorized => ChargeState::Authorized,
        State::Processing => ChargeState::Processing,
        State::Succeeded => ChargeState::Succeeded,
        State::Declined(_) => ChargeState::Declined,
    }
}

pub fn wire_methods(methods: &[Method], now: Timestamp) -> ListPaymentMethodsResponse {
    ListPaymentMethodsResponse {
        methods: methods.iter().map(|method| wire_method(method, now)).collect(),
    }
}

pub fn wire_method(method: &Method, now: Timestamp) -> WireMethod {
    let about = &method.description;
    WireMethod {
        payment_method_id: method.id.to_string(),
        r#type: about.kind.as_str().to_owned(),
        institution_name: about.institution_name.clone(),
        last4: about.last4.clone(),
        exp_date: about.expiry.map(|expiry| expiry.to_string()).unwrap_or_default(),
        account_type: about.account_type.clone(),
        is_default: method.is_default,
        expired: about.expiry.is_some_and(|expiry| expiry.is_past(now)),
    }
}

/// Builds the event about a charge. `None` for a tombstone, which has no terms.
pub fn charge_event(charge: &Charge, fact: Fact, at: Timestamp) -> Option<pb::ChargeEvent> {
    let terms = charge.terms.as_ref()?;
    Some(pb::ChargeEvent {
        charge: Some(pb::ChargeSnapshot {
            charge_id: charge.id.to_string(),
            order_id: charge.order.to_string(),
            consumer_id: terms.consumer.map(|id| id.to_string()).unwrap_or_default(),
            amount_minor_units: terms.amount.minor_units(),
            currency: terms.amount.currency().code().to_owned(),
            changed_at: at.to_string(),
        }),
        change: Some(match fact {
            Fact::Authorized => Change::Authorized(pb::PaymentAuthorized {}),
            Fact::Declined => Change::Declined(pb::PaymentDeclined {}),
            Fact::Settled => Change::Settled(pb::PaymentSettled {}),
            Fact::Returned => Change::Returned(pb::PaymentReturned {}),
            Fact::Refunded => Change::Refunded(pb::RefundDone {}),
        }),
    })
}

/// Builds the event that a method was added, changed or removed.
pub fn payment_method_event(consumer: ConsumerId, method: PaymentMethodId) -> pb::PaymentMethodEvent {
    pb::PaymentMethodEvent {
        consumer_id: consumer.to_string(),
        payment_method_id: method.to_string(),
        change: Some(pb::payment_method_event::Change::MethodChanged(pb::MethodChanged {})),
    }
}
