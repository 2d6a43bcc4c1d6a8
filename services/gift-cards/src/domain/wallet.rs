//! A consumer's balances and their transactions.

use jiff::Timestamp;
use types::{BalanceId, EntryId, Money, OrderId, PurchaseId, StoreId};

use super::{
    auto_reload::AutoReload,
    gift_card::{CompanyCard, GiftCard, GiftCardKind},
    hold::HoldState,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    pub id: BalanceId,
    pub source: BalanceSource,
    pub available: Money,
    /// Held for orders that no store has accepted yet.
    pub held: Money,
    /// Bought by bank debits that have not settled yet.
    pub pending: Money,
}

/// What a balance belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BalanceSource {
    JoePass,
    GiftCard(GiftCard),
    CompanyCard(CompanyCard),
}

impl BalanceSource {
    /// Returns whether checkout offers the balance.
    #[must_use]
    pub const fn is_active(&self) -> bool {
        match self {
            Self::JoePass | Self::GiftCard(_) => true,
            Self::CompanyCard(card) => card.is_active,
        }
    }

    /// Returns the name for the consumer: "JoePass", "Gift card", "Intelligentsia card".
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::JoePass => "JoePass".to_owned(),
            Self::GiftCard(card) if card.kind == GiftCardKind::Physical => "Physical gift card".to_owned(),
            Self::GiftCard(_) => "Gift card".to_owned(),
            Self::CompanyCard(card) => format!("{} card", card.company_name),
        }
    }
}

/// What a transaction is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Order {
        id: OrderId,
        /// Current state of the order's hold.
        hold_state: Option<HoldState>,
        store_id: Option<StoreId>,
    },
    Purchase(PurchaseId),
    CounterPayment {
        store_id: Option<StoreId>,
    },
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    pub id: EntryId,
    /// Type of the posting: `order_held`, `gift`.
    pub kind: String,
    /// Signed.
    pub amount: Money,
    /// Of the balance that the transaction belongs to.
    pub balance_after: Money,
    pub at: Timestamp,
    pub title: String,
    pub balance_id: BalanceId,
    pub source: BalanceSource,
    pub subject: Subject,
}

/// Which transactions to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionFilter {
    All,
    /// Only those that belong to orders.
    Orders,
}

/// What a consumer can add to a balance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddFundsOptions {
    /// Suggested amounts.
    pub presets: Vec<Money>,
    pub minimum: Money,
    pub maximum: Money,
    /// `None` if the consumer never set it.
    pub auto_reload: Option<AutoReload>,
}
