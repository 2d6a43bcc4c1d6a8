//! The charge of a purchase, as payments reports it.

#[derive(Clone, PartialEq, Eq)]
pub enum Charge {
    /// The provider has not reported an outcome.
    Pending,
    RequiresAction {
        client_secret: String,
    },
    /// A bank debit was started.
    Processing,
    Succeeded,
    Declined {
        reason: String,
        message: String,
    },
    /// Voided, refunded, returned, or closed before it was created.
    Ended,
}

impl std::fmt::Debug for Charge {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Pending => "Pending",
            Self::RequiresAction { .. } => "RequiresAction",
            Self::Processing => "Processing",
            Self::Succeeded => "Succeeded",
            Self::Declined { .. } => "Declined",
            Self::Ended => "Ended",
        })
    }
}
