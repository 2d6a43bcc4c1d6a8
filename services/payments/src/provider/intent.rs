//! Conversion of the provider's objects to domain types.

use jiff::Timestamp;
use secrecy::SecretString;
use stripe_shared::{
    ApiErrors, Charge, PaymentIntent, PaymentIntentStatus, PaymentMethod, PaymentMethodCardWalletType,
    PaymentMethodType, PaymentMethodUsBankAccount,
};
use types::ChargeId;

use super::send::error_code;
use super::{ProviderCharge, ProviderError, refunds};
use crate::domain::charge::ChargeState;
use crate::domain::decline::{Decline, DeclineReason};
use crate::domain::payment_method::{Expiry, MethodDescription, MethodKind, WalletKind};
use crate::domain::subject::Purpose;

/// Metadata key of our charge id.
pub const CHARGE_ID: &str = "charge_id";

/// Returns the metadata key of the id of what a charge pays for.
pub const fn subject_key(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Order => "order_id",
        Purpose::TopUp | Purpose::GiftCard | Purpose::CompanyCard => "purchase_id",
        Purpose::Debt => "recovery_id",
    }
}

/// Converts a payment intent. Its latest charge must be expanded to detect refunds and disputes.
///
/// # Errors
/// [`ProviderError::OutcomeUnknown`] for a status that this version does not know.
pub fn provider_charge(intent: PaymentIntent) -> Result<ProviderCharge, ProviderError> {
    let state = state(&intent)?;
    Ok(with_state(intent, state))
}

/// Converts the error response of a declined authorization. Most of them contain the payment intent.
pub fn declined_charge(error: ApiErrors) -> ProviderCharge {
    let state = ChargeState::Declined(decline(&error));
    match error.payment_intent {
        Some(intent) => with_state(intent, state),
        None => ProviderCharge::without_object(state),
    }
}

/// Returns our charge id from the metadata of a payment intent.
pub fn charge_id(intent: &PaymentIntent) -> Option<ChargeId> {
    intent.metadata.get(CHARGE_ID).and_then(|id| id.parse().ok())
}

fn with_state(intent: PaymentIntent, state: ChargeState) -> ProviderCharge {
    ProviderCharge {
        charge_id: charge_id(&intent),
        provider_id: Some(intent.id.to_string()),
        hold_ends_at: hold_ends_at(&intent),
        refunded_minor_units: latest_charge(&intent).map_or(0, refunds::refunded_minor_units),
        refunds: latest_charge(&intent).map(refunds::refunds).unwrap_or_default(),
        disputes: Vec::new(),
        state,
        client_secret: intent.client_secret.map(SecretString::from),
    }
}

/// Returns the time before which the latest charge must be captured. Only the expanded charge of an authorized card has
/// one.
fn hold_ends_at(intent: &PaymentIntent) -> Option<Timestamp> {
    let card = latest_charge(intent)?
        .payment_method_details
        .as_ref()?
        .card
        .as_ref()?;
    Timestamp::from_second(card.capture_before?).ok()
}

/// Returns the latest charge if it is expanded.
fn latest_charge(intent: &PaymentIntent) -> Option<&Charge> {
    intent.latest_charge.as_ref()?.as_object()
}

fn state(intent: &PaymentIntent) -> Result<ChargeState, ProviderError> {
    Ok(match &intent.status {
        PaymentIntentStatus::RequiresConfirmation => ChargeState::Pending,
        PaymentIntentStatus::RequiresAction => ChargeState::RequiresAction,
        PaymentIntentStatus::RequiresCapture => ChargeState::Authorized,
        PaymentIntentStatus::Processing => ChargeState::Processing,
        PaymentIntentStatus::Canceled => ChargeState::Voided,
        PaymentIntentStatus::Succeeded => state_after_success(intent),
        PaymentIntentStatus::RequiresPaymentMethod => match &intent.last_payment_error {
            Some(error) => ChargeState::Declined(decline(error)),
            None => ChargeState::Pending,
        },
        status => {
            return Err(ProviderError::OutcomeUnknown {
                cause: format!("unknown payment intent status {}", status.as_str()),
                is_server_error: false,
            });
        }
    })
}

fn state_after_success(intent: &PaymentIntent) -> ChargeState {
    let Some(charge) = latest_charge(intent) else {
        return ChargeState::Succeeded;
    };
    let is_bank_debit = charge
        .payment_method_details
        .as_ref()
        .is_some_and(|details| details.us_bank_account.is_some());
    match (charge.disputed, charge.refunded) {
        // The provider reports a debit that was returned after it settled as a lost dispute.
        (true, _) if is_bank_debit => ChargeState::Returned,
        (true, _) => ChargeState::Disputed,
        (false, true) => ChargeState::Refunded,
        (false, false) => ChargeState::Succeeded,
    }
}

fn decline(error: &ApiErrors) -> Decline {
    let decline_code = error.decline_code.as_deref().unwrap_or_default();
    Decline::new(match (error_code(error), decline_code) {
        (_, "insufficient_funds") => DeclineReason::InsufficientFunds,
        ("expired_card", _) | (_, "expired_card") => DeclineReason::ExpiredCard,
        ("incorrect_cvc" | "invalid_cvc", _) | (_, "incorrect_cvc") => DeclineReason::IncorrectCvc,
        ("payment_intent_authentication_failure" | "authentication_required", _)
        | (_, "authentication_required") => DeclineReason::AuthenticationFailed,
        // Reasons such as lost, stolen or fraudulent must not be shown: the person who uses the card may not be its
        // owner.
        _ => DeclineReason::CardDeclined,
    })
}

/// Converts a card or US bank account. Returns `None` for other types, which we do not accept.
pub fn method_description(method: PaymentMethod) -> Option<MethodDescription> {
    let provider_id = method.id.to_string();
    match method.type_ {
        PaymentMethodType::Card => method.card.map(|card| MethodDescription {
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
        PaymentMethodType::UsBankAccount => method
            .us_bank_account
            .map(|account| bank_description(provider_id, account)),
        _ => None,
    }
}

/// Returns the wallet that created a payment method, if we accept it.
pub fn wallet_kind(method: &PaymentMethod) -> Option<WalletKind> {
    match method.card.as_ref()?.wallet.as_ref()?.type_ {
        PaymentMethodCardWalletType::ApplePay => Some(WalletKind::ApplePay),
        PaymentMethodCardWalletType::GooglePay => Some(WalletKind::GooglePay),
        _ => None,
    }
}

fn bank_description(provider_id: String, account: PaymentMethodUsBankAccount) -> MethodDescription {
    MethodDescription {
        provider_id,
        kind: MethodKind::Bank,
        institution_name: account.bank_name.unwrap_or_default(),
        last4: account.last4.unwrap_or_default(),
        expiry: None,
        account_type: account
            .account_type
            .map(|account_type| account_type.to_string())
            .unwrap_or_default(),
    }
}
