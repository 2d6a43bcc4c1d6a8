//! A charge: its target state, its state at the provider, and the effect that is due.
//!
//! Both states only move forward, so repeated and reordered updates are harmless. [`Charge::next_effect`] follows from
//! both.

use std::time::Duration;

use jiff::Timestamp;
use secrecy::SecretString;
use types::{ChargeId, ConsumerId, Money, OrderId, PaymentMethodId};

use super::decline::Decline;
use super::payment_method::MethodKind;

/// Assumed duration of a hold whose end the provider does not report.
pub const DEFAULT_HOLD: Duration = Duration::from_hours(7 * 24);

/// State of the charge at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChargeState {
    /// The outcome is unknown, or the provider has not received the request yet.
    Pending,
    /// Waits for the consumer to authenticate.
    RequiresAction,
    /// The amount is held.
    Authorized,
    /// A bank debit was started and has not settled.
    Processing,
    /// The amount was captured, or the debit settled.
    Succeeded,
    Declined(Decline),
    /// Canceled before the capture, by us or by the bank.
    Voided,
    /// The bank returned the debit.
    Returned,
    /// The cardholder disputes the charge.
    Disputed,
    Refunded,
}

/// State that the charge shall reach. A later variant replaces an earlier one, never the reverse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TargetState {
    Authorized,
    Captured,
    /// No money is held or kept, whatever happened before. Final.
    Released,
}

/// A provider call that moves a charge toward its target state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChargeEffect {
    Capture,
    /// Cancels the charge, and makes sure that a delayed request cannot create it.
    Void,
    Refund,
}

/// A change of a charge that other services are notified of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChargeEvent {
    /// The amount is held, or a bank debit was started.
    Authorized,
    /// The payment was declined, or the bank released the hold.
    Declined,
    Settled,
    /// The bank returned the debit.
    Returned,
    Refunded,
    /// The amount that was held can never be captured. The state of the charge does not change.
    CaptureFailed,
}

/// Terms of a charge, fixed at its creation so that each retry sends the provider the same request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeTerms {
    /// `None` after the consumer was removed.
    pub consumer_id: Option<ConsumerId>,
    pub payment_method_id: PaymentMethodId,
    pub method_kind: MethodKind,
    pub provider_customer_id: String,
    pub provider_method_id: String,
    pub amount: Money,
}

/// The charge of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    pub id: ChargeId,
    pub order_id: OrderId,
    /// `None` for a tombstone, which rejects a delayed authorization.
    pub terms: Option<ChargeTerms>,
    /// Id of the provider's object, once known.
    pub provider_id: Option<String>,
    pub state: ChargeState,
    pub target_state: TargetState,
    /// When the bank releases the hold. `None` unless the amount was held.
    pub hold_ends_at: Option<Timestamp>,
    pub version: i64,
}

/// A charge with the secret that the page needs to authenticate it.
#[derive(Debug)]
pub struct ChargeSnapshot {
    pub charge: Charge,
    /// Never stored.
    pub client_secret: Option<SecretString>,
}

/// A request to authorize the amount of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuthorizeCharge {
    pub order_id: OrderId,
    pub consumer_id: ConsumerId,
    pub payment_method_id: PaymentMethodId,
    pub amount: Money,
}

impl ChargeState {
    /// Position in the life of a charge. An update of the same or a lower rank is outdated.
    const fn rank(&self) -> u8 {
        match self {
            Self::Pending => 0,
            Self::RequiresAction => 1,
            Self::Authorized | Self::Processing => 2,
            Self::Succeeded => 3,
            Self::Declined(_) | Self::Voided | Self::Returned | Self::Disputed | Self::Refunded => 4,
        }
    }

    /// Returns the name in the database.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::RequiresAction => "requires_action",
            Self::Authorized => "authorized",
            Self::Processing => "processing",
            Self::Succeeded => "succeeded",
            Self::Declined(_) => "declined",
            Self::Voided => "voided",
            Self::Returned => "returned",
            Self::Disputed => "disputed",
            Self::Refunded => "refunded",
        }
    }
}

impl TargetState {
    /// Returns the name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Authorized => "authorized",
            Self::Captured => "captured",
            Self::Released => "released",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Authorized, Self::Captured, Self::Released]
            .into_iter()
            .find(|target| target.as_str() == name)
    }
}

impl ChargeEffect {
    /// Returns the name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::Void => "void",
            Self::Refund => "refund",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Capture, Self::Void, Self::Refund]
            .into_iter()
            .find(|effect| effect.as_str() == name)
    }
}

impl Charge {
    /// Raises the target state. Returns whether it changed.
    pub fn raise_target_state(&mut self, target: TargetState) -> bool {
        let changed = target > self.target_state;
        self.target_state = self.target_state.max(target);
        changed
    }

    /// Applies the state of the provider's object unless it is outdated. Returns whether the charge changed.
    pub fn apply_provider_state(&mut self, state: ChargeState) -> bool {
        let state = match (&self.state, state) {
            // The provider has one state for every failed debit. A debit that was started has been returned.
            (ChargeState::Processing | ChargeState::Succeeded, ChargeState::Declined(_)) => {
                ChargeState::Returned
            }
            // A held charge cannot be declined, and a captured one cannot be voided: the update is outdated.
            (ChargeState::Authorized, ChargeState::Declined(_))
            | (ChargeState::Succeeded, ChargeState::Voided) => {
                return false;
            }
            (_, state) => state,
        };
        let changed = state.rank() > self.state.rank();
        if changed {
            self.state = state;
        }
        changed
    }

    /// Returns the event to publish when the charge has reached its current state.
    pub const fn event(&self) -> Option<ChargeEvent> {
        match self.state {
            // The order no longer waits for the outcome of a charge that it released.
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
            ChargeState::Refunded => Some(ChargeEvent::Refunded),
            ChargeState::Pending | ChargeState::RequiresAction | ChargeState::Disputed => None,
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
    pub const fn next_effect(&self) -> Option<ChargeEffect> {
        match (self.target_state, &self.state) {
            (
                TargetState::Released,
                ChargeState::Pending | ChargeState::RequiresAction | ChargeState::Authorized,
            ) => Some(ChargeEffect::Void),
            (TargetState::Released, ChargeState::Succeeded) => Some(ChargeEffect::Refund),
            (TargetState::Captured, ChargeState::Authorized) => Some(ChargeEffect::Capture),
            // The page could still confirm a declined object with another card, without an order to pay for.
            (_, ChargeState::Declined(_)) if self.provider_id.is_some() => Some(ChargeEffect::Void),
            // A processing debit cannot be canceled: it settles and is refunded, or the bank returns it.
            _ => None,
        }
    }

    /// Returns until when the effect is retried after transient errors. `None` means without end: a refund, or a void of a
    /// charge that may still be authorized or is not known to have ended.
    pub const fn retry_until(&self, effect: ChargeEffect) -> Option<Timestamp> {
        match (effect, &self.state) {
            (ChargeEffect::Capture | ChargeEffect::Void, ChargeState::Authorized) => self.hold_ends_at,
            _ => None,
        }
    }

    /// Returns whether the charge was released, so that it can no longer be authorized or captured.
    pub const fn is_released(&self) -> bool {
        matches!(self.target_state, TargetState::Released)
    }
}

#[cfg(test)]
mod tests;
