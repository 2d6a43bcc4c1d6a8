//! Gift cards and company cards.

use jiff::Timestamp;
use types::{BalanceId, CompanyId, ConsumerId, GiftCardId, PurchaseId, text_enum};

text_enum! {
    pub enum GiftCardKind {
        /// Bought in the app.
        Digital = "digital",
        Physical = "physical",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GiftCard {
    pub id: GiftCardId,
    pub kind: GiftCardKind,
    pub balance_id: BalanceId,
    pub code_suffix: String,
    /// Name of the drawing.
    pub design: String,
    /// Who has added the card to the wallet.
    pub consumer_id: Option<ConsumerId>,
}

/// A new gift card. Its code and PIN are stored as keyed hashes.
#[derive(Debug, Clone)]
pub struct NewGiftCard {
    pub card: GiftCard,
    pub code_hash: Option<Vec<u8>>,
    pub pin_hash: Option<Vec<u8>>,
    pub purchase_id: Option<PurchaseId>,
    pub issued_at: Timestamp,
}

/// The card of a company. A consumer has at most one per company.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyCard {
    pub id: GiftCardId,
    pub company_id: CompanyId,
    pub company_name: String,
    pub balance_id: BalanceId,
    /// Whether checkout offers it.
    pub is_active: bool,
}

/// A message with the code of a gift card that is not sent yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub gift_card_id: GiftCardId,
    pub purchase_id: PurchaseId,
    pub attempts: i32,
}

/// Names of the drawings on gift cards.
pub const DESIGNS: &[&str] = &[
    "classic",
    "birthday",
    "thank-you",
    "congratulations",
    "holiday",
    "love",
];

/// Returns whether there is a drawing with this name.
#[must_use]
pub fn is_design(name: &str) -> bool {
    DESIGNS.contains(&name)
}
