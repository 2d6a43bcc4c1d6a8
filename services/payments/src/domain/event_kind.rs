//! Kinds of events about charges, as the audit's log of events names them.

use super::charge::{Charge, ChargeEvent};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    Authorized,
    Declined,
    Settled,
    Returned,
    Refunded,
    RefundFailed,
    CaptureFailed,
    Disputed,
    DebtCreated,
    DebtRecovered,
}

impl EventKind {
    pub const ALL: [Self; 10] = [
        Self::Authorized,
        Self::Declined,
        Self::Settled,
        Self::Returned,
        Self::Refunded,
        Self::RefundFailed,
        Self::CaptureFailed,
        Self::Disputed,
        Self::DebtCreated,
        Self::DebtRecovered,
    ];

    /// Returns the name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Authorized => "authorized",
            Self::Declined => "declined",
            Self::Settled => "settled",
            Self::Returned => "returned",
            Self::Refunded => "refunded",
            Self::RefundFailed => "refund_failed",
            Self::CaptureFailed => "capture_failed",
            Self::Disputed => "disputed",
            Self::DebtCreated => "debt_created",
            Self::DebtRecovered => "debt_recovered",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl ChargeEvent {
    pub const fn kind(&self) -> EventKind {
        match self {
            Self::Authorized => EventKind::Authorized,
            Self::Declined => EventKind::Declined,
            Self::Settled => EventKind::Settled,
            Self::Returned => EventKind::Returned,
            Self::Refunded(_) => EventKind::Refunded,
            Self::RefundFailed(_) => EventKind::RefundFailed,
            Self::CaptureFailed => EventKind::CaptureFailed,
            Self::Disputed { .. } => EventKind::Disputed,
            Self::DebtCreated { .. } => EventKind::DebtCreated,
            Self::DebtRecovered { .. } => EventKind::DebtRecovered,
        }
    }

    /// Returns the amount that the event reports: its own, or that of the charge.
    pub fn amount_minor_units(&self, charge: &Charge) -> i64 {
        match self {
            Self::Authorized | Self::Declined | Self::Settled | Self::Returned | Self::CaptureFailed => {
                charge.amount_minor_units()
            }
            Self::Refunded(refund) | Self::RefundFailed(refund) => refund.amount.minor_units(),
            Self::Disputed { amount, .. }
            | Self::DebtCreated { amount, .. }
            | Self::DebtRecovered { amount, .. } => amount.minor_units(),
        }
    }
}
