//! Stored value.

use proto::giftcards::v1 as giftcards;
use serde::Serialize;
use utoipa::ToSchema;

use super::enums::UnknownValue;
use super::money::Money;
use super::{non_empty, try_convert_all};

/// The consumer's stored value.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Wallet {
    /// JoePass first.
    pub(crate) balances: Vec<Balance>,
}

impl TryFrom<giftcards::Wallet> for Wallet {
    type Error = UnknownValue;

    fn try_from(wallet: giftcards::Wallet) -> Result<Self, UnknownValue> {
        Ok(Self {
            balances: try_convert_all(wallet.balances)?,
        })
    }
}

/// A balance of stored value.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Balance {
    /// The `paymentMethodId` of an order.
    pub(crate) id: String,
    /// "joebucks".
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// Available amount.
    pub(crate) balance: Money,
    /// Held for orders that the store has not accepted yet.
    pub(crate) held: Money,
    /// The company whose stores accept it; null for all stores.
    #[schema(required)]
    pub(crate) company_id: Option<String>,
    #[schema(required)]
    pub(crate) company_name: Option<String>,
}

impl TryFrom<giftcards::Balance> for Balance {
    type Error = UnknownValue;

    fn try_from(balance: giftcards::Balance) -> Result<Self, UnknownValue> {
        Ok(Self {
            id: balance.balance_id,
            kind: balance.r#type,
            balance: balance.available.try_into()?,
            held: balance.held.try_into()?,
            company_id: non_empty(balance.company_id),
            company_name: non_empty(balance.company_name),
        })
    }
}

/// A page of the ledger. The amounts of all transactions sum to the balance.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TransactionHistory {
    /// Newest first.
    pub(crate) transactions: Vec<Transaction>,
}

impl TryFrom<giftcards::ListTransactionsResponse> for TransactionHistory {
    type Error = UnknownValue;

    fn try_from(list: giftcards::ListTransactionsResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            transactions: try_convert_all(list.transactions)?,
        })
    }
}

/// A transaction of stored value.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Transaction {
    pub(crate) transaction_id: String,
    /// For example `top_up`, `order_held`, `order_released`, `order_refunded`, gift.
    pub(crate) kind: String,
    /// Negative if the balance decreased.
    pub(crate) amount: Money,
    pub(crate) balance_after: Money,
    #[schema(format = DateTime)]
    pub(crate) at: String,
    /// A sentence: "Order at Sunset & Maltman".
    pub(crate) title: String,
    /// The order that the transaction belongs to.
    #[schema(required)]
    pub(crate) order_id: Option<String>,
    /// Current state of a hold: "held", "paid" or "released". Null for other transactions.
    #[schema(required)]
    pub(crate) state: Option<String>,
}

impl TryFrom<giftcards::Transaction> for Transaction {
    type Error = UnknownValue;

    fn try_from(transaction: giftcards::Transaction) -> Result<Self, UnknownValue> {
        Ok(Self {
            transaction_id: transaction.transaction_id,
            kind: transaction.kind,
            amount: transaction.amount.try_into()?,
            balance_after: transaction.balance_after.try_into()?,
            at: transaction.at,
            title: transaction.title,
            order_id: non_empty(transaction.order_id),
            state: non_empty(transaction.state),
        })
    }
}
