//! Stored value: what it is worth and every cent that moved.

use proto::giftcards::v1 as giftcards;
use serde::Serialize;
use utoipa::ToSchema;

use super::money::Money;
use super::present;

/// The consumer's stored value.
#[derive(Debug, Serialize, ToSchema)]
pub struct Wallet {
    /// JoePass first.
    pub balances: Vec<Balance>,
}

impl From<giftcards::Wallet> for Wallet {
    fn from(wallet: giftcards::Wallet) -> Self {
        Self {
            balances: wallet.balances.into_iter().map(Balance::from).collect(),
        }
    }
}

/// A balance that can pay.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Balance {
    /// Its id: the `paymentMethodId` of an order.
    pub id: String,
    /// "joebucks".
    #[serde(rename = "type")]
    pub kind: String,
    /// What can be spent.
    pub balance: Money,
    /// Held by orders that no store has accepted yet.
    pub held: Money,
    /// The company whose stores take it; null for everywhere.
    #[schema(required)]
    pub company_id: Option<String>,
    /// That company's name.
    #[schema(required)]
    pub company_name: Option<String>,
}

impl From<giftcards::Balance> for Balance {
    fn from(balance: giftcards::Balance) -> Self {
        Self {
            id: balance.balance_id,
            kind: balance.r#type,
            balance: balance.available.into(),
            held: balance.held.into(),
            company_id: present(balance.company_id),
            company_name: present(balance.company_name),
        }
    }
}

/// The ledger read back: the sum of all lines is the balance.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransactionHistory {
    /// Newest first.
    pub transactions: Vec<Transaction>,
}

impl From<giftcards::ListTransactionsResponse> for TransactionHistory {
    fn from(list: giftcards::ListTransactionsResponse) -> Self {
        Self {
            transactions: list.transactions.into_iter().map(Transaction::from).collect(),
        }
    }
}

/// One movement.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Transaction {
    /// Its id.
    pub transaction_id: String,
    /// For code: top_up, order_held, order_released, order_refunded, gift.
    pub kind: String,
    /// Signed.
    pub amount: Money,
    /// What was there after it.
    pub balance_after: Money,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
    /// A sentence: "Order at Sunset & Maltman".
    pub title: String,
    /// The order that it is for.
    #[schema(required)]
    pub order_id: Option<String>,
    /// What it stands for now: held, paid or released.
    #[schema(required)]
    pub state: Option<String>,
}

impl From<giftcards::Transaction> for Transaction {
    fn from(transaction: giftcards::Transaction) -> Self {
        Self {
            transaction_id: transaction.transaction_id,
            kind: transaction.kind,
            amount: transaction.amount.into(),
            balance_after: transaction.balance_after.into(),
            at: transaction.at,
            title: transaction.title,
            order_id: present(transaction.order_id),
            state: present(transaction.state),
        }
    }
}
