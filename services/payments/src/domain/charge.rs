//! A charge: its target state, its state at the provider, and the effect that is due.
//!
//! Both states only move forward, so repeated and reordered updates are harmless; [`Charge::reopen`] is the only exception.
//! [`Charge::next_effect`] follows from both.

mod state;
mod target;

use std::time::Duration;

use jiff::Timestamp;
use secrecy::SecretString;
use types::{ChargeId, ConsumerId, DebtId, Money, PaymentMethodId};
use uuid::Uuid;

use super::payment_method::{MethodKind, WalletKind};
use super::subject::{ChargeSubject, Purpose};

pub use state::ChargeState;
pub use target::{ChargeEffect, TargetState};

/// Assumed duration of a hold if the provider does not report its end.
pub const DEFAULT_HOLD: Duration = Duration::from_hours(7 * 24);

/// Duration after the end of a hold in which its void is retried. The void can be planned when the hold ends, and the provider may
/// hold the amount for longer than it reported.
const VOID_AFTER_HOLD: Duration = Duration::from_hours(24);

/// A change of a charge that other services are notified of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChargeEvent {
    /// The amount is held, or a bank debit was started.
    Authorized,
    /// The payment was declined, or the bank released the hold.
    Declined,
    Settled,
    /// The bank returned the debit.
    Returned,
    /// A refund, of the whole charge or a part, is on its way.
    Refunded(RefundSummary),
    /// The consumer's bank did not accept a refund.
    RefundFailed(RefundSummary),
    /// The amount that was held can never be captured. The charge is released.
    CaptureFailed,
    /// The cardholder disputes the charge.
    Disputed {
        amount: Money,
        respond_by: Option<Timestamp>,
    },
    /// The returned charge became a debt, or a consumer owes the debt of a removed one.
    DebtCreated {
        debt_id: DebtId,
        /// Who owes it. `None` until a consumer has the phone number of the removed one.
        consumer_id: Option<ConsumerId>,
        amount: Money,
        penalty_fee: Money,
        name: String,
        /// What was refunded of the returned charge.
        refunded: Money,
    },
    /// The charge paid a debt.
    DebtRecovered {
        debt_id: DebtId,
        amount: Money,
    },
}

/// A refund, as an event names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundSummary {
    /// The caller's id, `release`, or the provider's id.
    pub refund_id: String,
    pub amount: Money,
}

/// When the money of a card is taken. A bank debit starts at once in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capture {
    /// When it is requested; the amount is held until then.
    Later,
    /// With the authorization.
    Now,
}

/// The payment method of a new charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentSource {
    Saved(PaymentMethodId),
    /// The provider's id of a method that a wallet created for this payment.
    Wallet(WalletKind, String),
}

/// Terms of a charge, fixed at its creation so that each retry sends the provider the same request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeTerms {
    /// `None` after the consumer was removed.
    pub consumer_id: Option<ConsumerId>,
    /// `None` for a wallet payment: its method is not saved.
    pub payment_method_id: Option<PaymentMethodId>,
    pub method_kind: MethodKind,
    pub provider_customer_id: String,
    pub provider_method_id: String,
    pub amount: Money,
    pub capture: Capture,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    pub id: ChargeId,
    pub subject: ChargeSubject,
    /// `None` for a tombstone, which rejects a delayed authorization.
    pub terms: Option<ChargeTerms>,
    /// Id of the provider's object, once known.
    pub provider_id: Option<String>,
    pub state: ChargeState,
    pub target_state: TargetState,
    /// When the bank releases the hold. `None` unless the amount was held.
    pub hold_ends_at: Option<Timestamp>,
    /// Sum of the refunds that the provider accepted, in minor units, including those that failed later.
    pub refunded_minor_units: i64,
    pub version: i64,
}

/// A charge with the secret that the client needs to authenticate it.
#[derive(Debug)]
pub struct ChargeSnapshot {
    pub charge: Charge,
    /// Never stored.
    pub client_secret: Option<SecretString>,
}

/// A request to authorize an amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizeCharge {
    pub subject: ChargeSubject,
    pub consumer_id: ConsumerId,
    pub source: PaymentSource,
    pub amount: Money,
    pub capture: Capture,
    pub description: ChargeDescription,
}

/// Maximum number of charges in a response.
pub const MAX_LISTED_CHARGES: usize = 500;

/// A request for a page of charges, in the order of their ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListCharges {
    pub purposes: Vec<Purpose>,
    /// `None` for all.
    pub subject_ids: Option<Vec<Uuid>>,
    pub changed_since: Option<Timestamp>,
    /// The last charge of the previous page.
    pub after: Option<ChargeId>,
}

/// A charge of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCharge {
    pub charge: Charge,
    pub changed_at: Timestamp,
}

/// What a charge pays for, as the consumer sees it if the bank returns the payment.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ChargeDescription {
    /// Name of the store, or "JoePass".
    pub name: String,
    pub items: Vec<ChargeItem>,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ChargeItem {
    pub name: String,
    pub quantity: u32,
}

impl Capture {
    /// Returns the name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Later => "later",
            Self::Now => "now",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Later, Self::Now]
            .into_iter()
            .find(|capture| capture.as_str() == name)
    }

    /// Returns the first target state of a charge.
    pub const fn target_state(self) -> TargetState {
        match self {
            Self::Later => TargetState::Authorized,
            Self::Now => TargetState::Captured,
        }
    }
}

impl PaymentSource {
    /// Returns whether the terms of a charge name this source.
    pub fn is_in(&self, terms: &ChargeTerms) -> bool {
        match self {
            Self::Saved(id) => terms.payment_method_id == Some(*id),
            Self::Wallet(kind, provider_id) => {
                terms.method_kind == MethodKind::Wallet(*kind) && terms.provider_method_id == *provider_id
            }
        }
    }
}

impl Charge {
    /// Creates the charge of a first request.
    pub const fn new(id: ChargeId, subject: ChargeSubject, terms: ChargeTerms) -> Self {
        let target_state = terms.capture.target_state();
        Self {
            id,
            subject,
            terms: Some(terms),
            provider_id: None,
            state: ChargeState::Pending,
            target_state,
            hold_ends_at: None,
            refunded_minor_units: 0,
            version: 1,
        }
    }

    /// Creates a charge that was closed before it was requested: a delayed request is rejected.
    pub const fn tombstone(id: ChargeId, subject: ChargeSubject) -> Self {
        Self {
            id,
            subject,
            terms: None,
            provider_id: None,
            state: ChargeState::Voided,
            target_state: TargetState::Released,
            hold_ends_at: None,
            refunded_minor_units: 0,
            version: 1,
        }
    }

    /// Raises the target state. Returns whether it changed.
    pub fn raise_target_state(&mut self, target: TargetState) -> bool {
        let changed = target > self.target_state;
        self.target_state = self.target_state.max(target);
        changed
    }

    /// Applies the state of the provider's object unless it is outdated. Returns whether the charge changed.
    pub fn apply_provider_state(&mut self, reported: ChargeState) -> bool {
        match self.state.after(reported) {
            Some(state) => {
                self.state = state;
                true
            }
            None => false,
        }
    }

    /// Makes a charge that was voided without an object pending again, if the provider reports an object that can take or has taken
    /// money: after a server error, it can create the object later. Returns whether the charge changed.
    pub fn reopen(&mut self, reported: &ChargeState) -> bool {
        let is_voided_without_object =
            self.state == ChargeState::Voided && self.provider_id.is_none() && self.terms.is_some();
        let has_ended = matches!(reported, ChargeState::Declined(_) | ChargeState::Voided);
        let is_reopened = is_voided_without_object && !has_ended;
        if is_reopened {
            self.state = ChargeState::Pending;
        }
        is_reopened
    }

    /// Records the sum of the refunds, which never decreases. Returns whether the charge changed.
    pub fn record_refunds(&mut self, refunded_minor_units: i64) -> bool {
        let refunded = refunded_minor_units.min(self.amount_minor_units());
        let has_more = refunded > self.refunded_minor_units;
        self.refunded_minor_units = self.refunded_minor_units.max(refunded);
        let is_refunded = self.refunded_minor_units > 0 && self.refundable_minor_units() == 0;
        let has_new_state = is_refunded && self.apply_provider_state(ChargeState::Refunded);
        has_more || has_new_state
    }

    /// Returns the event to publish when the charge has reached its current state. Refunds and disputes have their own.
    pub const fn event(&self) -> Option<ChargeEvent> {
        match self.state {
            // Nothing waits any longer for the outcome of a charge that was released.
            ChargeState::Authorized
            | ChargeState::Processing
            | ChargeState::Declined(_)
            | ChargeState::Voided
                if self.is_released() =>
            {
                None
            }
            ChargeState::Authorized | ChargeState::Processing => Some(ChargeEvent::Authorized),
            // Voided without our request: the bank released the hold.
            ChargeState::Declined(_) | ChargeState::Voided => Some(ChargeEvent::Declined),
            ChargeState::Succeeded => Some(ChargeEvent::Settled),
            ChargeState::Returned => Some(ChargeEvent::Returned),
            ChargeState::Pending
            | ChargeState::RequiresAction
            | ChargeState::Refunded
            | ChargeState::Disputed => None,
        }
    }

    /// Returns the event to publish again if a capture is requested and there is no money to capture. The store accepted
    /// the order, so ordering did not act on the first event.
    pub fn lost_payment_event(&self) -> Option<ChargeEvent> {
        self.event()
            .filter(|_| self.target_state == TargetState::Captured)
            .filter(|event| matches!(event, ChargeEvent::Declined | ChargeEvent::Returned))
    }

    /// Returns the provider call that is due to reach the target state.
    pub fn next_effect(&self) -> Option<ChargeEffect> {
        match (self.target_state, &self.state) {
            (
                TargetState::Released,
                ChargeState::Pending | ChargeState::RequiresAction | ChargeState::Authorized,
            ) => Some(ChargeEffect::Void),
            // The payment of a debt is not given back: the attempt was closed too late and has paid the debt. If the attempt had
            // failed before, `end_recovery` plans the refund.
            (TargetState::Released, ChargeState::Succeeded) if self.subject.purpose() == Purpose::Debt => {
                None
            }
            (TargetState::Released, ChargeState::Succeeded) => {
                (self.refundable_minor_units() > 0).then_some(ChargeEffect::Refund)
            }
            (TargetState::Captured, ChargeState::Authorized) => Some(ChargeEffect::Capture),
            // The client could still confirm a declined object with another card, without an order to pay for.
            (_, ChargeState::Declined(_)) if self.provider_id.is_some() => Some(ChargeEffect::Void),
            // A processing debit cannot be canceled: it settles and is refunded, or the bank returns it.
            _ => None,
        }
    }

    /// Returns until when the effect is retried after transient errors. `None` means without end: a refund, or a void of a
    /// charge that may still be authorized or is not known to have ended.
    pub fn retry_until(&self, effect: ChargeEffect) -> Option<Timestamp> {
        match (effect, &self.state) {
            (ChargeEffect::Capture, ChargeState::Authorized) => self.hold_ends_at,
            (ChargeEffect::Void, ChargeState::Authorized) => self
                .hold_ends_at
                .map(|hold_ends_at| hold_ends_at + VOID_AFTER_HOLD),
            _ => None,
        }
    }

    /// Returns whether the charge was released, so that it can no longer be authorized or captured.
    pub const fn is_released(&self) -> bool {
        matches!(self.target_state, TargetState::Released)
    }

    /// Returns the part of the amount that was not refunded.
    pub fn refundable_minor_units(&self) -> i64 {
        self.amount_minor_units() - self.refunded_minor_units
    }

    /// Returns 0 for a tombstone.
    pub fn amount_minor_units(&self) -> i64 {
        self.terms.as_ref().map_or(0, |terms| terms.amount.minor_units())
    }
}

#[cfg(test)]
mod tests;
