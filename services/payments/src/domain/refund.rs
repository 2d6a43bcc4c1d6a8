//! Refunds of charges, full and in parts.

use types::{ChargeId, Money, RefundId};

use super::charge::RefundSummary;
use super::subject::ChargeSubject;

/// Request id of the refund of a released charge.
pub const RELEASE: &str = "release";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundState {
    /// Not requested from the provider yet, or its outcome is unknown.
    Planned,
    /// On its way to a bank account.
    Pending,
    Succeeded,
    /// The consumer's bank did not accept it. Its amount is added to JoePass.
    Failed,
    /// The charge was returned, disputed, or refunded at the provider, before the refund was executed.
    Canceled,
}

/// A refund of a charge or of a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    pub id: RefundId,
    pub charge_id: ChargeId,
    /// The caller's id, or [`RELEASE`]. `None` if the refund was created at the provider.
    pub request_id: Option<String>,
    pub amount: Money,
    pub provider_id: Option<String>,
    pub state: RefundState,
}

/// The provider's description of a refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderRefund {
    pub provider_id: String,
    /// From the metadata of the provider's object.
    pub request_id: Option<String>,
    pub amount: Money,
    /// Pending, succeeded or failed.
    pub state: RefundState,
}

/// A request to refund a part of a charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundCharge {
    pub subject: ChargeSubject,
    pub amount: Money,
    /// Unique for the charge.
    pub refund_id: String,
}

impl RefundState {
    const ALL: [Self; 5] = [
        Self::Planned,
        Self::Pending,
        Self::Succeeded,
        Self::Failed,
        Self::Canceled,
    ];

    /// Returns the name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Pending => "pending",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// Returns whether the provider accepted the refund, even if the consumer's bank did not.
    pub const fn is_accepted(self) -> bool {
        matches!(self, Self::Pending | Self::Succeeded | Self::Failed)
    }

    /// Returns the state after the provider reported `reported`, or `None` if that is outdated or changes nothing. A refund
    /// can fail after it succeeded.
    pub fn after(self, reported: Self) -> Option<Self> {
        let rank = |state| match state {
            Self::Planned => 0,
            Self::Canceled => 1,
            Self::Pending => 2,
            Self::Succeeded => 3,
            Self::Failed => 4,
        };
        (rank(reported) > rank(self)).then_some(reported)
    }
}

impl Refund {
    pub fn summary(&self) -> RefundSummary {
        RefundSummary {
            refund_id: self
                .request_id
                .clone()
                .or_else(|| self.provider_id.clone())
                .unwrap_or_default(),
            amount: self.amount,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_failed_refund_stays_failed_and_a_repeated_report_changes_nothing() {
        use RefundState::{Canceled, Failed, Pending, Planned, Succeeded};
        for (from, reported, expected) in [
            (Planned, Pending, Some(Pending)),
            (Planned, Failed, Some(Failed)),
            (Pending, Succeeded, Some(Succeeded)),
            (Succeeded, Failed, Some(Failed)),
            (Canceled, Succeeded, Some(Succeeded)),
            (Failed, Succeeded, None),
            (Succeeded, Pending, None),
            (Pending, Pending, None),
        ] {
            assert_eq!(from.after(reported), expected, "{from:?} {reported:?}");
        }
    }

    fn any_state() -> impl Strategy<Value = RefundState> {
        prop::sample::select(RefundState::ALL.as_slice())
    }

    proptest! {
        #[test]
        fn the_order_of_reports_does_not_matter(mut reports in prop::collection::vec(any_state(), 1..6)) {
            let apply = |reports: &[RefundState]| {
                reports.iter().fold(RefundState::Planned, |state, report| state.after(*report).unwrap_or(state))
            };
            let first = apply(&reports);
            reports.reverse();
            prop_assert_eq!(first, apply(&reports));
            prop_assert_eq!(RefundState::from_name(first.as_str()), Some(first));
        }
    }
}
