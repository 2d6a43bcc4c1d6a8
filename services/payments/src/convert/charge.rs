//! Charges.

use kit::{ErrorCode, ServiceError, parse_id};
use proto::payments::v1 as pb;
use proto::values::v1::Money as PbMoney;
use secrecy::ExposeSecret;
use types::Money;

use super::malformed;
use crate::domain::charge::{
    AuthorizeCharge, Capture, Charge, ChargeDescription, ChargeItem, ChargeSnapshot, ChargeState,
    ListCharges, ListedCharge, MAX_LISTED_CHARGES, PaymentSource, TargetState,
};
use crate::domain::payment_method::{MethodKind, WalletKind};
use crate::domain::refund::{RELEASE, RefundCharge};
use crate::domain::subject::{ChargeSubject, Purpose};

/// Maximum length of the id of a refund.
const MAX_REFUND_ID_CHARS: usize = 64;
/// Maximum length of the id of the provider's payment method.
const MAX_PROVIDER_ID_CHARS: usize = 255;

pub fn authorize_charge(request: &pb::AuthorizeChargeRequest) -> Result<AuthorizeCharge, ServiceError> {
    let subject = charge_subject(request.subject.as_ref())?;
    if subject.purpose() == Purpose::Debt {
        return Err(malformed("subject"));
    }
    Ok(AuthorizeCharge {
        subject,
        consumer_id: parse_id(&request.consumer_id, "consumerId")?,
        source: payment_source(request.source.as_ref())?,
        amount: positive_amount(request.amount.as_ref())?,
        capture: match request.capture() {
            pb::Capture::Later => Capture::Later,
            pb::Capture::Now => Capture::Now,
            pb::Capture::Unspecified => return Err(malformed("capture")),
        },
        description: description(request.description.as_ref()),
    })
}

pub fn refund_charge(request: pb::RefundChargeRequest) -> Result<RefundCharge, ServiceError> {
    let is_length_valid = (1..=MAX_REFUND_ID_CHARS).contains(&request.refund_id.chars().count());
    // The id of the refund of a released charge is reserved.
    if !is_length_valid || request.refund_id == RELEASE {
        return Err(malformed("refundId"));
    }
    Ok(RefundCharge {
        subject: charge_subject(request.subject.as_ref())?,
        amount: positive_amount(request.amount.as_ref())?,
        refund_id: request.refund_id,
    })
}

pub fn charge_subject(subject: Option<&pb::ChargeSubject>) -> Result<ChargeSubject, ServiceError> {
    let subject = subject.ok_or_else(|| malformed("subject"))?;
    let id = &subject.id;
    Ok(match subject.purpose() {
        pb::ChargePurpose::Order => ChargeSubject::Order(parse_id(id, "subject.id")?),
        pb::ChargePurpose::TopUp => ChargeSubject::TopUp(parse_id(id, "subject.id")?),
        pb::ChargePurpose::GiftCard => ChargeSubject::GiftCard(parse_id(id, "subject.id")?),
        pb::ChargePurpose::CompanyCard => ChargeSubject::CompanyCard(parse_id(id, "subject.id")?),
        pb::ChargePurpose::Debt => ChargeSubject::Debt(parse_id(id, "subject.id")?),
        pb::ChargePurpose::Unspecified => return Err(malformed("subject")),
    })
}

pub(super) fn subject_message(subject: ChargeSubject) -> pb::ChargeSubject {
    let purpose = match subject.purpose() {
        Purpose::Order => pb::ChargePurpose::Order,
        Purpose::TopUp => pb::ChargePurpose::TopUp,
        Purpose::GiftCard => pb::ChargePurpose::GiftCard,
        Purpose::CompanyCard => pb::ChargePurpose::CompanyCard,
        Purpose::Debt => pb::ChargePurpose::Debt,
    };
    pb::ChargeSubject {
        purpose: purpose.into(),
        id: subject.to_string(),
    }
}

pub fn payment_source(source: Option<&pb::PaymentSource>) -> Result<PaymentSource, ServiceError> {
    use pb::payment_source::Source;
    match source.and_then(|source| source.source.as_ref()) {
        Some(Source::PaymentMethodId(id)) => Ok(PaymentSource::Saved(parse_id(id, "paymentMethodId")?)),
        Some(Source::Wallet(wallet)) => {
            let kind = match wallet.kind() {
                pb::WalletKind::ApplePay => WalletKind::ApplePay,
                pb::WalletKind::GooglePay => WalletKind::GooglePay,
                pb::WalletKind::Unspecified => return Err(malformed("source")),
            };
            let id = &wallet.provider_payment_method_id;
            // The id becomes a part of the provider's URL.
            let is_id = id.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
            if id.is_empty() || id.len() > MAX_PROVIDER_ID_CHARS || !is_id {
                return Err(malformed("walletPaymentMethodId"));
            }
            Ok(PaymentSource::Wallet(kind, id.clone()))
        }
        None => Err(malformed("source")),
    }
}

fn description(description: Option<&pb::ChargeDescription>) -> ChargeDescription {
    description.map_or_else(ChargeDescription::default, |description| ChargeDescription {
        name: description.name.clone(),
        items: description
            .items
            .iter()
            .map(|item| ChargeItem {
                name: item.name.clone(),
                quantity: item.quantity,
            })
            .collect(),
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

pub fn money(amount: Money) -> PbMoney {
    PbMoney {
        minor_units: amount.minor_units(),
        currency: amount.currency().code().to_owned(),
    }
}

pub fn charge(charge: &Charge) -> pb::Charge {
    let decline = match &charge.state {
        ChargeState::Declined(decline) => Some(decline),
        _ => None,
    };
    let terms = charge.terms.as_ref();
    pb::Charge {
        charge_id: charge.id.to_string(),
        state: charge_state(charge).into(),
        amount: terms.map(|terms| money(terms.amount)),
        client_secret: String::new(),
        decline_reason: decline
            .map(|decline| decline.reason.as_str().to_owned())
            .unwrap_or_default(),
        decline_message: decline.map(|decline| decline.message.clone()).unwrap_or_default(),
        subject: Some(subject_message(charge.subject)),
        refunded: terms.map(|terms| money(Money::new(charge.refunded_minor_units, terms.amount.currency()))),
        method_kind: method_kind(charge).into(),
        is_capture_requested: charge.target_state == TargetState::Captured,
        changed_at: String::new(),
    }
}

pub fn listed_charge(listed: &ListedCharge) -> pb::Charge {
    pb::Charge {
        changed_at: listed.changed_at.to_string(),
        ..charge(&listed.charge)
    }
}

pub fn list_charges(request: &pb::ListChargesRequest) -> Result<ListCharges, ServiceError> {
    if request.subject_ids.len() > MAX_LISTED_CHARGES {
        return Err(malformed("subjectIds"));
    }
    let subjects: Result<Vec<ChargeSubject>, ServiceError> = request
        .purposes()
        .flat_map(|purpose| {
            request.subject_ids.iter().map(move |id| pb::ChargeSubject {
                purpose: purpose.into(),
                id: id.clone(),
            })
        })
        .map(|subject| charge_subject(Some(&subject)))
        .collect();
    let purposes: Result<Vec<Purpose>, ServiceError> = request.purposes().map(purpose).collect();
    let (purposes, subjects) = (purposes?, subjects?);
    if purposes.is_empty() {
        return Err(malformed("purposes"));
    }
    Ok(ListCharges {
        purposes,
        subject_ids: (!subjects.is_empty()).then(|| subjects.iter().map(|subject| subject.uuid()).collect()),
        changed_since: match request.changed_since.as_str() {
            "" => None,
            text => Some(text.parse().map_err(|_| malformed("changedSince"))?),
        },
        after: match request.after.as_str() {
            "" => None,
            id => Some(parse_id(id, "after")?),
        },
    })
}

fn purpose(purpose: pb::ChargePurpose) -> Result<Purpose, ServiceError> {
    Ok(match purpose {
        pb::ChargePurpose::Order => Purpose::Order,
        pb::ChargePurpose::TopUp => Purpose::TopUp,
        pb::ChargePurpose::GiftCard => Purpose::GiftCard,
        pb::ChargePurpose::CompanyCard => Purpose::CompanyCard,
        pb::ChargePurpose::Debt => Purpose::Debt,
        pb::ChargePurpose::Unspecified => return Err(malformed("purposes")),
    })
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

pub(super) const fn method_kind(charge: &Charge) -> pb::MethodKind {
    match &charge.terms {
        None => pb::MethodKind::Unspecified,
        Some(terms) => match terms.method_kind {
            MethodKind::Card => pb::MethodKind::Card,
            MethodKind::Bank => pb::MethodKind::Bank,
            MethodKind::Wallet(WalletKind::ApplePay) => pb::MethodKind::ApplePay,
            MethodKind::Wallet(WalletKind::GooglePay) => pb::MethodKind::GooglePay,
        },
    }
}

/// A released charge is closed for callers, even before the provider has voided it.
const fn charge_state(charge: &Charge) -> pb::ChargeState {
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
