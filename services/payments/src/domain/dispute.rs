//! Disputes of cardholders.

use jiff::Timestamp;
use types::Money;

/// The provider's statuses, by stage: an inquiry, a closed inquiry, which can still become a chargeback, a chargeback, and its end.
const STAGES: [&[&str]; 4] = [
    &["warning_needs_response", "warning_under_review"],
    &["warning_closed"],
    &["needs_response", "under_review"],
    &["won", "lost", "prevented"],
];

/// The provider's description of a dispute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispute {
    pub provider_id: String,
    pub amount: Money,
    /// Code of the provider, for example `fraudulent`.
    pub reason: String,
    /// As at the provider: `needs_response`, `under_review`, `won`, `lost` …
    pub status: String,
    /// Until when evidence can be sent.
    pub respond_by: Option<Timestamp>,
}

impl Dispute {
    /// Returns the statuses of later stages. A dispute with one of them does not get this status: the report is outdated.
    pub fn later_statuses(&self) -> Vec<String> {
        let stage = STAGES
            .iter()
            .position(|statuses| statuses.contains(&self.status.as_str()));
        // An unknown status replaces every other one.
        let later = stage.map_or(&[][..], |stage| &STAGES[stage + 1..]);
        later.concat().into_iter().map(ToOwned::to_owned).collect()
    }
}
