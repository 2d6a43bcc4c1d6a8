//! The result of a comparison of charges with the provider's.

use std::fmt;

use types::ChargeId;

/// A difference that is not repaired automatically.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProviderDifference {
    /// We have money that the provider does not list.
    MissingAtProvider,
    /// The provider has money for a charge that is not in this database. Another system may use the same provider account.
    UnknownHere,
    /// One of both has money.
    State,
}

#[derive(Debug, Default)]
pub struct Comparison {
    /// Number of the provider's charges.
    pub compared: usize,
    /// Charges that got the provider's state.
    pub updated: Vec<ChargeId>,
    pub differences: Vec<(ChargeId, ProviderDifference)>,
    /// Charges that could not be compared.
    pub failed: Vec<ChargeId>,
}

impl fmt::Display for ProviderDifference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::MissingAtProvider => "missing at the provider",
            Self::UnknownHere => "unknown here, with money at the provider",
            Self::State => "money at one side only",
        })
    }
}
