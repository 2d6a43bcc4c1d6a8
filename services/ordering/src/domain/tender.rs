use types::{Money, limits::MIN_CARD_PART_CENTS};

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

/// Stored value that pays a part of an order. The order's tender pays the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredValuePart {
    /// Empty for JoePass.
    pub balance_id: String,
    pub amount: Money,
}

/// A part of an order's payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenderPart {
    pub tender: Tender,
    /// As in [`Order`](super::order::Order).
    pub payment_method_id: String,
    /// Name of the balance; empty for other tenders.
    pub name: String,
    pub amount: Money,
}

/// How stored value and a card share a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    StoredValueOnly,
    /// Contains the amount that stored value pays.
    Both(Money),
    CardOnly,
}

impl Split {
    /// Stored value pays the requested amount. It pays less if the rest is too low for a card, and the whole total if the
    /// total is not above the requested amount.
    #[must_use]
    pub fn of(total: Money, requested: Money) -> Self {
        let rest = total.minor_units() - requested.minor_units();
        if rest <= 0 {
            return Self::StoredValueOnly;
        }
        let stored = requested.minor_units() - (MIN_CARD_PART_CENTS - rest).max(0);
        if stored > 0 {
            Self::Both(Money::new(stored, total.currency()))
        } else {
            Self::CardOnly
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_card_pays_nothing_or_an_amount_that_the_provider_accepts() {
        for (total, requested, expected) in [
            (516, 400, Split::Both(Money::usd(400))),
            (516, 466, Split::Both(Money::usd(466))),
            (516, 467, Split::Both(Money::usd(466))),
            (516, 515, Split::Both(Money::usd(466))),
            (516, 516, Split::StoredValueOnly),
            (516, 900, Split::StoredValueOnly),
            (50, 30, Split::CardOnly),
            (0, 30, Split::StoredValueOnly),
        ] {
            let split = Split::of(Money::usd(total), Money::usd(requested));
            assert_eq!(split, expected, "{requested} of {total}");
        }
    }

    proptest! {
        #[test]
        fn stored_value_never_pays_more_than_requested(total in 0..20_000_i64, requested in 1..20_000_i64) {
            match Split::of(Money::usd(total), Money::usd(requested)) {
                Split::StoredValueOnly => prop_assert!(requested >= total),
                Split::Both(stored) => {
                    let stored = stored.minor_units();
                    prop_assert!(0 < stored && stored <= requested && total - stored >= MIN_CARD_PART_CENTS);
                }
                Split::CardOnly => prop_assert!(total <= MIN_CARD_PART_CENTS),
            }
        }
    }
}
