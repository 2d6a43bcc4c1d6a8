//! An order's claim on a promo: `claimed -> released`, or closed before anything was claimed.

use types::{ConsumerId, Money};

/// What an order claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stake {
    /// The promo.
    pub code: String,
    /// Whose claim; nobody's once they left.
    pub consumer: Option<ConsumerId>,
    /// What it was claimed on.
    pub subtotal: Money,
    /// What it takes off.
    pub amount: Money,
}

/// An order's claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// It stands.
    Claimed(Stake),
    /// It was given back.
    Released(Stake),
    /// It never was, and never will be.
    Closed,
}
