//! A charge: what an order wants of it, what the provider says about it, and what is to be done next.
//!
//! Two things move, each only forward, so that repeated and reordered news is harmless: `wanted` (the order's side)
//! and `state` (the provider's side). [`Charge::next_effect`] follows from both.

use types::{ChargeId, ConsumerId, Money, OrderId, PaymentMethodId};

use super::decline::Decline;
use super::method::MethodKind;

/// What is known of the provider's side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// No outcome known yet.
    Pending,
    /// Waits for the consumer at the provider.
    RequiresAction,
    /// Held, not taken.
    Authorized,
    /// A bank debit under way.
    Processing,
    /// The money is ours.
    Succeeded,
    /// Refused; nothing is held.
    Declined(Decline),
    /// Given up before it was taken; nothing is held.
    Voided,
    /// A bank debit that came back.
    Returned,
    /// The cardholder contests it.
    Disputed,
    /// Taken and given back.
    Refunded,
}

/// What the order wants of its charge. The order of the variants is the order in which they win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// Hold the money.
    Hold,
    /// Take it.
    Capture,
    /// Let it go, whatever has happened. Nothing undoes this.
    Release,
}

/// A call to the provider that must happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Take what is held.
    Capture,
    /// Make sure that nothing is held, now or later.
    Void,
    /// Give back what was taken.
    Refund,
}

/// What others are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The money is held (or a debit is under way).
    Authorized,
    /// There will be no money.
    Declined,
    /// The money is ours.
    Settled,
    /// A debit came back.
    Returned,
    /// The money was given back.
    Refunded,
}

/// What was agreed when the charge was begun; a retry sends the provider the very same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// Who pays; unknown once the consumer was removed.
    pub consumer: Option<ConsumerId>,
    /// With what.
    pub method: PaymentMethodId,
    /// Card or bank.
    pub kind: MethodKind,
    /// The provider's customer.
    pub provider_customer: String,
    /// The provider's payment method.
    pub provider_method: String,
    /// How much.
    pub amount: Money,
}

/// The one charge of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    /// Our id.
    pub id: ChargeId,
    /// Whose charge it is.
    pub order: OrderId,
    /// None: a tombstone, which only keeps a late charge out.
    pub terms: Option<Terms>,
    /// The provider's id, once known.
    pub provider_id: Option<String>,
    /// The provider's side.
    pub state: State,
    /// The order's side.
    pub wanted: Wanted,
    /// Grows with every change.
    pub version: i64,
}

impl State {
    /// How far along it is; news from further back is old news.
    const fn rank(&self) -> u8 {
        match self {
            Self::Pending => 0,
            Self::RequiresAction => 1,
            Self::Authorized | Self::Processing => 2,
            Self::Succeeded => 3,
            Self::Declined(_) | Self::Voided | Self::Returned | Self::Disputed | Self::Refunded => 4,
        }
    }

    /// The name in the database.
    #[must_use]
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

impl Wanted {
    /// The name in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Capture => "capture",
            Self::Release => "release",
        }
    }

    /// The wish of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Hold, Self::Capture, Self::Release]
            .into_iter()
            .find(|wanted| wanted.as_str() == name)
    }
}

impl Charge {
    /// Takes in what the order wants. Returns whether that changed anything.
    pub fn want(&mut self, wanted: Wanted) -> bool {
        let news = wanted > self.wanted;
        self.wanted = self.wanted.max(wanted);
        news
    }

    /// Takes in what the provider's object says, unless it is old news. Returns whether that changed anything.
    pub fn observe(&mut self, seen: State) -> bool {
        let seen = match (&self.state, seen) {
            // The provider has one word for a debit that failed: for us it had begun, so it came back.
            (State::Processing | State::Succeeded, State::Declined(_)) => State::Returned,
            // What is held cannot be declined any more, and what is taken cannot be voided: old news.
            (State::Authorized, State::Declined(_)) | (State::Succeeded, State::Voided) => return false,
            (_, seen) => seen,
        };
        let news = seen.rank() > self.state.rank();
        if news {
            self.state = seen;
        }
        news
    }

    /// What others are to be told once this state was reached.
    #[must_use]
    pub const fn fact(&self) -> Option<Fact> {
        let released = matches!(self.wanted, Wanted::Release);
        match self.state {
            // Nobody waits for the outcome of a charge that the order has let go.
            State::Authorized | State::Processing | State::Declined(_) | State::Voided if released => None,
            State::Authorized | State::Processing => Some(Fact::Authorized),
            // Voided without our asking: the hold ran out at the bank.
            State::Declined(_) | State::Voided => Some(Fact::Declined),
            State::Succeeded => Some(Fact::Settled),
            State::Returned => Some(Fact::Returned),
            State::Refunded => Some(Fact::Refunded),
            State::Pending | State::RequiresAction | State::Disputed => None,
        }
    }

    /// What others are told once more as the order wants money that is gone already. Its store goes on only where the
    /// first news of it came to nothing: lost, refused, or heard by nobody who would call the order off.
    #[must_use]
    pub fn gone_before_capture(&self) -> Option<Fact> {
        let told = self.fact().filter(|_| self.wanted == Wanted::Capture);
        told.filter(|fact| matches!(fact, Fact::Declined | Fact::Returned))
    }

    /// The call that brings the provider's side to what the order wants, if one is due.
    #[must_use]
    pub const fn next_effect(&self) -> Option<Effect> {
        match (self.wanted, &self.state) {
            (Wanted::Release, State::Pending | State::RequiresAction | State::Authorized) => {
                Some(Effect::Void)
            }
            (Wanted::Release, State::Succeeded) => Some(Effect::Refund),
            (Wanted::Capture, State::Authorized) => Some(Effect::Capture),
            // The page could still confirm a declined intent with another card; nobody would know what for.
            (_, State::Declined(_)) if self.provider_id.is_some() => Some(Effect::Void),
            // A debit under way can only be waited for: it settles and is refunded, or comes back.
            _ => None,
        }
    }

    /// Whether a new attempt to authorise may still be made.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.wanted != Wanted::Release
    }
}

#[cfg(test)]
mod tests;
