//! The provider's words in ours: objects, states, declines.

use secrecy::SecretString;
use stripe_shared::{
    ApiErrors, PaymentIntent, PaymentIntentStatus, PaymentMethod, PaymentMethodType,
    PaymentMethodUsBankAccount,
};

use super::Snapshot;
use super::send::code;
use crate::domain::charge::State;
use crate::domain::decline::{Decline, Reason};
use crate::domain::method::{Description, Expiry, MethodKind};

/// Where an object of the provider notes our ids.
pub const CHARGE_NOTE: &str = "charge_id";
/// Likewise.
pub const ORDER_NOTE: &str = "order_id";

/// What a payment intent says. Its latest charge must be expanded, or refunds and disputes go unseen.
pub fn snapshot(intent: PaymentIntent) -> Snapshot {
    Snapshot {
        state: state(&intent),
        charge: intent.metadata.get(CHARGE_NOTE).and_then(|id| id.parse().ok()),
        provider_id: Some(intent.id.to_string()),
        client_secret: intent.client_secret.map(SecretString::from),
    }
}

/// What a decline at creation says: the intent exists, and was refused.
pub fn declined(error: ApiErrors) -> Snapshot {
    let decline = decline(&error);
    match error.payment_intent {
        Some(intent) => Snapshot {
            state: State::Declined(decline),
            ..snapshot(intent)
        },
        None => Snapshot::without_object(State::Declined(decline)),
    }
}

fn state(intent: &PaymentIntent) -> State {
    match &intent.status {
        PaymentIntentStatus::RequiresAction => State::RequiresAction,
        PaymentIntentStatus::RequiresCapture => State::Authorized,
        PaymentIntentStatus::Processing => State::Processing,
        PaymentIntentStatus::Canceled => State::Voided,
        PaymentIntentStatus::Succeeded => after_success(intent),
        PaymentIntentStatus::RequiresPaymentMethod => intent
            .last_payment_error
            .as_deref()
            .map_or(State::Pending, |error| State::Declined(decline(error))),
        // Created and not confirmed, or a word of tomorrow: no outcome yet.
        _ => State::Pending,
    }
}

fn after_success(intent: &PaymentIntent) -> State {
    let Some(charge) = intent
        .latest_charge
        .as_ref()
        .and_then(|charge| charge.as_object())
    else {
        return State::Succeeded;
    };
    let by_bank = charge
        .payment_method_details
        .as_ref()
        .is_some_and(|details| details.us_bank_account.is_some());
    match (charge.refunded, charge.disputed) {
        (true, _) => State::Refunded,
        // A debit that comes back after it settled does so as a dispute that is already lost.
        (false, true) if by_bank => State::Returned,
        (false, true) => State::Disputed,
        (false, false) => State::Succeeded,
    }
}

fn decline(error: &ApiErrors) -> Decline {
    let word = error.decline_code.as_deref().unwrap_or_default();
    Decline::new(match (code(error), word) {
        (_, "insufficient_funds") => Reason::InsufficientFunds,
        ("expired_card", _) | (_, "expired_card") => Reason::ExpiredCard,
        ("incorrect_cvc" | "invalid_cvc", _) | (_, "incorrect_cvc") => Reason::IncorrectCvc,
        ("payment_intent_authentication_failure" | "authentication_required", _)
        | (_, "authentication_required") => Reason::AuthenticationFailed,
        // Lost, stolen, fraudulent …: not for us to tell whoever holds the card.
        _ => Reason::CardDeclined,
    })
}

/// A payment method that we can use: a card, or a US bank account.
pub fn description(method: PaymentMethod) -> Option<Description> {
    let provider_id = method.id.to_string();
    match method.type_ {
        PaymentMethodType::Card => method.card.map(|card| Description {
            provider_id,
            kind: MethodKind::Card,
            institution_name: card.brand,
            last4: card.last4,
            expiry: Some(Expiry {
                month: i16::try_from(card.exp_month).unwrap_or(12).clamp(1, 12),
                year: i16::try_from(card.exp_year).unwrap_or_default(),
            }),
            account_type: card.funding,
        }),
        PaymentMethodType::UsBankAccount => method.us_bank_account.map(|account| bank(provider_id, account)),
        _ => None,
    }
}

fn bank(provider_id: String, account: PaymentMethodUsBankAccount) -> Description {
    Description {
        provider_id,
        kind: MethodKind::Bank,
        institution_name: account.bank_name.unwrap_or_default(),
        last4: account.last4.unwrap_or_default(),
        expiry: None,
        account_type: account
            .account_type
            .map(|kind| kind.to_string())
            .unwrap_or_default(),
    }
}
