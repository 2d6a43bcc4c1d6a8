//! The state that a charge shall reach, and the provider calls that move it there.

/// State that the charge shall reach. A greater variant replaces a smaller one, never the reverse.
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
    /// Refunds what was not refunded yet.
    Refund,
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
