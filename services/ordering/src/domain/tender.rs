use types::text_enum;

text_enum! {
    /// How an order is paid.
    pub enum Tender {
        Card = "card",
        Bank = "bank",
        /// Stored value.
        JoePass = "joepass",
        /// A card in a wallet, for this order only.
        ApplePay = "apple",
        GooglePay = "google",
    }
}

impl Tender {
    /// Returns whether payments charges it.
    #[must_use]
    pub const fn is_charged(self) -> bool {
        match self {
            Self::Card | Self::Bank | Self::ApplePay | Self::GooglePay => true,
            Self::JoePass => false,
        }
    }

    #[must_use]
    pub const fn is_wallet(self) -> bool {
        matches!(self, Self::ApplePay | Self::GooglePay)
    }
}
