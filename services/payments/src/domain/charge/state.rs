//! States of a charge, and the transitions between them.

use super::super::decline::Decline;

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
    /// The whole amount was refunded.
    Refunded,
    /// The bank returned the debit: before it settled, afterwards, or after it was refunded.
    Returned,
    /// The cardholder disputes the charge.
    Disputed,
}

impl ChargeState {
    /// Returns the state after the provider reported `reported`, or `None` if that is outdated or changes nothing.
    ///
    /// Declined, voided, returned and disputed are final. A refunded charge can still be returned or disputed.
    #[must_use]
    pub fn after(&self, reported: Self) -> Option<Self> {
        let reported = match (self, reported) {
            // The provider has one state for every failed debit. A debit that was started has been returned.
            (Self::Processing | Self::Succeeded | Self::Refunded, Self::Declined(_)) => Self::Returned,
            (_, reported) => reported,
        };
        let is_later = match (self, &reported) {
            // A held charge cannot be declined, and a captured one cannot be voided: the report is outdated.
            (Self::Authorized, Self::Declined(_))
            | (Self::Processing | Self::Succeeded | Self::Refunded, Self::Voided) => false,
            _ => reported.rank() > self.rank(),
        };
        is_later.then_some(reported)
    }

    /// Position in the life of a charge. A report of the same or a lower rank is outdated.
    pub(super) const fn rank(&self) -> u8 {
        match self {
            Self::Pending => 0,
            Self::RequiresAction => 1,
            Self::Authorized | Self::Processing => 2,
            Self::Succeeded => 3,
            Self::Refunded => 4,
            Self::Declined(_) | Self::Voided | Self::Returned | Self::Disputed => FINAL_RANK,
        }
    }

    /// Returns whether no later state is possible.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        self.rank() == FINAL_RANK
    }

    /// Returns whether the provider holds, moves or has the amount.
    #[must_use]
    pub const fn has_money(&self) -> bool {
        matches!(self, Self::Authorized | Self::Processing | Self::Succeeded)
    }

    /// Returns whether the provider's state is the same, or both have ended without money: the object of a declined charge is
    /// canceled, and that of a returned debit is declined.
    pub fn agrees_with(&self, reported: &Self) -> bool {
        self.as_str() == reported.as_str() || self.has_ended_unpaid() && reported.has_ended_unpaid()
    }

    const fn has_ended_unpaid(&self) -> bool {
        matches!(self, Self::Declined(_) | Self::Voided | Self::Returned)
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
            Self::Refunded => "refunded",
            Self::Returned => "returned",
            Self::Disputed => "disputed",
        }
    }
}

const FINAL_RANK: u8 = 5;
