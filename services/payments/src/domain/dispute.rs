//! Disputes of cardholders.

use jiff::Timestamp;
use types::Money;

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
