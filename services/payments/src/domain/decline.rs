//! Why a payment was declined, in the contract's words.

/// The reasons that callers tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The bank said no and gave no reason that helps the consumer.
    CardDeclined,
    /// Not enough money.
    InsufficientFunds,
    /// The card is past its date.
    ExpiredCard,
    /// The security code is wrong.
    IncorrectCvc,
    /// The consumer did not get through the bank's authentication.
    AuthenticationFailed,
    /// The provider does not know the payment method any more.
    MethodUnknown,
    /// The provider refused the request itself.
    ProviderError,
}

/// A refusal by bank or provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decline {
    /// For code.
    pub reason: Reason,
    /// A sentence for the person.
    pub message: String,
}

impl Reason {
    const ALL: [Self; 7] = [
        Self::CardDeclined,
        Self::InsufficientFunds,
        Self::ExpiredCard,
        Self::IncorrectCvc,
        Self::AuthenticationFailed,
        Self::MethodUnknown,
        Self::ProviderError,
    ];

    /// As it stands in contract and database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CardDeclined => "CARD_DECLINED",
            Self::InsufficientFunds => "INSUFFICIENT_FUNDS",
            Self::ExpiredCard => "EXPIRED_CARD",
            Self::IncorrectCvc => "INCORRECT_CVC",
            Self::AuthenticationFailed => "AUTHENTICATION_FAILED",
            Self::MethodUnknown => "PAYMENT_METHOD_UNKNOWN",
            Self::ProviderError => "PROVIDER_ERROR",
        }
    }

    /// The reason of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }

    /// Our own sentence: what a provider writes is not always meant for the consumer.
    const fn sentence(self) -> &'static str {
        match self {
            Self::CardDeclined => "Your card was declined. Try another payment method.",
            Self::InsufficientFunds => "There is not enough money on this card for the order.",
            Self::ExpiredCard => "This card has expired.",
            Self::IncorrectCvc => "The card's security code is wrong.",
            Self::AuthenticationFailed => "Your bank could not confirm that it is you.",
            Self::MethodUnknown => "This payment method does not exist any more. Choose another one.",
            Self::ProviderError => "This payment method could not be charged. Try another one.",
        }
    }
}

impl Decline {
    /// A decline for this reason, with its sentence.
    #[must_use]
    pub fn new(reason: Reason) -> Self {
        Self {
            reason,
            message: reason.sentence().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_found_by_its_name() {
        for reason in Reason::ALL {
            assert_eq!(Reason::from_name(reason.as_str()), Some(reason));
        }
        assert_eq!(Reason::from_name("card_declined"), None);
    }
}
