//! Why a payment was declined.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclineReason {
    /// The bank gave no reason that the consumer can act on.
    CardDeclined,
    InsufficientFunds,
    ExpiredCard,
    IncorrectCvc,
    /// The consumer did not pass the bank's authentication.
    AuthenticationFailed,
    /// The payment method or its customer no longer exists at the provider.
    MethodUnknown,
    /// The provider rejected the request itself.
    ProviderError,
}

/// A decline by the bank or the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decline {
    pub reason: DeclineReason,
    /// A sentence for the consumer.
    pub message: String,
}

impl DeclineReason {
    const ALL: [Self; 7] = [
        Self::CardDeclined,
        Self::InsufficientFunds,
        Self::ExpiredCard,
        Self::IncorrectCvc,
        Self::AuthenticationFailed,
        Self::MethodUnknown,
        Self::ProviderError,
    ];

    /// Returns the name in the contract and the database.
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

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }

    /// Returns a sentence for the consumer. The provider's texts are not used, because not all of them are meant for
    /// consumers.
    const fn message(self) -> &'static str {
        match self {
            Self::CardDeclined => "Your card was declined. Try another payment method.",
            Self::InsufficientFunds => "Your card has insufficient funds. Try another payment method.",
            Self::ExpiredCard => "Your card has expired. Try another payment method.",
            Self::IncorrectCvc => "Your card's security code is incorrect. Try another payment method.",
            Self::AuthenticationFailed => {
                "Your bank couldn't verify this payment. Try again or choose another payment method."
            }
            Self::MethodUnknown => "This payment method is no longer available. Choose another one.",
            Self::ProviderError => "We couldn't charge this payment method. Try another one.",
        }
    }
}

impl Decline {
    pub fn new(reason: DeclineReason) -> Self {
        Self {
            reason,
            message: reason.message().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_parsed_from_its_name() {
        for reason in DeclineReason::ALL {
            assert_eq!(DeclineReason::from_name(reason.as_str()), Some(reason));
        }
        assert_eq!(DeclineReason::from_name("card_declined"), None);
    }
}
