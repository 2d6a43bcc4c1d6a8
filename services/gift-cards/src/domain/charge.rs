//! The charge of a purchase, as payments reports it.

/// Lets the page authenticate a payment at the provider. Neither stored nor logged.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ClientSecret(String);

impl ClientSecret {
    #[must_use]
    pub const fn new(secret: String) -> Self {
        Self(secret)
    }

    #[must_use]
    pub fn expose(self) -> String {
        self.0
    }
}

impl std::fmt::Debug for ClientSecret {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("ClientSecret")
    }
}

#[derive(Clone, PartialEq, Eq)]
pub enum Charge {
    /// The provider has not reported an outcome.
    Pending,
    RequiresAction {
        client_secret: ClientSecret,
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
