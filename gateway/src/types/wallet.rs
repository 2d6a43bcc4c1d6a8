//! Stored value.

use proto::giftcards::v1 as giftcards;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::UnknownValue;
use super::money::{Money, cents};
use super::page::PageQuery;
use super::payment::PaymentMethod;
use super::{non_empty, try_convert_all};

/// The consumer's stored value.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Wallet {
    /// JoePass first, then gift cards and company cards.
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

/// What a balance belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) enum BalanceKind {
    JoePass,
    GiftCard,
    PhysicalGiftCard,
    CompanyCard,
}

impl TryFrom<i32> for BalanceKind {
    type Error = UnknownValue;

    fn try_from(kind: i32) -> Result<Self, UnknownValue> {
        use giftcards::BalanceKind as Kind;
        match Kind::try_from(kind) {
            Ok(Kind::Joepass) => Ok(Self::JoePass),
            Ok(Kind::GiftCard) => Ok(Self::GiftCard),
            Ok(Kind::PhysicalGiftCard) => Ok(Self::PhysicalGiftCard),
            Ok(Kind::CompanyCard) => Ok(Self::CompanyCard),
            Ok(Kind::Unspecified) | Err(_) => Err(UnknownValue("balance kind")),
        }
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
    pub(crate) method_type: String,
    /// Available amount.
    pub(crate) balance: Money,
    /// Held for orders that the store has not accepted yet.
    pub(crate) held: Money,
    /// Only stores of this company accept it; null if all stores do.
    #[schema(required)]
    pub(crate) company_id: Option<String>,
    #[schema(required)]
    pub(crate) company_name: Option<String>,
    pub(crate) kind: BalanceKind,
    /// Bought by bank debits that have not settled yet.
    pub(crate) pending: Money,
    /// Whether checkout offers it. Only company cards can be inactive.
    pub(crate) is_active: bool,
    /// Null for JoePass.
    #[schema(required)]
    pub(crate) gift_card_id: Option<String>,
    /// The drawing on a gift card; null for other balances.
    #[schema(required)]
    pub(crate) design: Option<String>,
    /// The last four characters of a gift card's code; null for other balances and for cards that consumers bought for
    /// themselves.
    #[schema(required)]
    pub(crate) code_suffix: Option<String>,
}

impl TryFrom<giftcards::Balance> for Balance {
    type Error = UnknownValue;

    fn try_from(balance: giftcards::Balance) -> Result<Self, UnknownValue> {
        Ok(Self {
            id: balance.balance_id,
            method_type: balance.r#type,
            kind: balance.kind.try_into()?,
            pending: balance.pending.try_into()?,
            is_active: balance.is_active,
            gift_card_id: non_empty(balance.gift_card_id),
            design: non_empty(balance.design),
            code_suffix: non_empty(balance.code_suffix),
            balance: balance.available.try_into()?,
            held: balance.held.try_into()?,
            company_id: non_empty(balance.company_id),
            company_name: non_empty(balance.company_name),
        })
    }
}

/// A page of the ledger. The amounts of all transactions of a balance sum to it.
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
    /// For example `top_up`, `order_held`, `order_released`, `order_refunded`, `counter_payment`, `gift_card`,
    /// `company_card`, `deal_bonus`, `refund_credit`, `purchase_returned`, `gift`.
    pub(crate) kind: String,
    /// Negative if the balance decreased.
    pub(crate) amount: Money,
    /// Of the balance that the transaction belongs to.
    pub(crate) balance_after: Money,
    #[schema(format = DateTime)]
    pub(crate) at: String,
    /// A sentence: "Order at Sunset & Maltman".
    pub(crate) title: String,
    /// The order that the transaction belongs to.
    #[schema(required)]
    pub(crate) order_id: Option<String>,
    /// Current state of a hold: "held", "paid", "released" or "refunded". Null for other transactions.
    #[schema(required)]
    pub(crate) state: Option<String>,
    pub(crate) balance_id: String,
    pub(crate) balance_kind: BalanceKind,
    /// "JoePass", "Gift card", "Intelligentsia card".
    pub(crate) balance_name: String,
    /// The store of an order or of a payment at the counter. Null for other transactions.
    #[schema(required)]
    pub(crate) store_id: Option<String>,
    /// The purchase that added the value. Null for other transactions.
    #[schema(required)]
    pub(crate) purchase_id: Option<String>,
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
            balance_id: transaction.balance_id,
            balance_kind: transaction.balance_kind.try_into()?,
            balance_name: transaction.balance_name,
            store_id: non_empty(transaction.store_id),
            purchase_id: non_empty(transaction.purchase_id),
        })
    }
}

/// Which transactions to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct TransactionsQuery {
    /// All balances if absent.
    pub(crate) balance_id: Option<String>,
    /// Number of entries.
    pub(crate) take: Option<u32>,
    /// Number of entries to skip.
    pub(crate) skip: Option<u32>,
}

impl TransactionsQuery {
    pub(crate) const fn page(&self) -> PageQuery {
        PageQuery {
            take: self.take,
            skip: self.skip,
        }
    }
}

/// What the consumer can add to a balance, and how.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddFundsOptions {
    /// Suggested amounts in cents.
    pub(crate) presets: Vec<i64>,
    /// Cents.
    pub(crate) minimum: i64,
    /// Cents.
    pub(crate) maximum: i64,
    /// Saved cards and bank accounts. Apple Pay and Google Pay are offered in addition where the device has them.
    pub(crate) methods: Vec<PaymentMethod>,
    pub(crate) auto_reload: AutoReload,
    /// Limits of an automatic reload, in cents.
    pub(crate) auto_reload_minimum: i64,
    pub(crate) auto_reload_maximum: i64,
    pub(crate) auto_reload_maximum_threshold: i64,
}

impl AddFundsOptions {
    pub(crate) fn new(
        options: giftcards::AddFundsOptions,
        methods: Vec<PaymentMethod>,
    ) -> Result<Self, UnknownValue> {
        let cents = |amount: Option<proto::values::v1::Money>| amount.map_or(0, |amount| amount.minor_units);
        Ok(Self {
            presets: options
                .presets
                .into_iter()
                .map(|preset| preset.minor_units)
                .collect(),
            minimum: cents(options.minimum),
            maximum: cents(options.maximum),
            methods,
            auto_reload: options.auto_reload.unwrap_or_default().try_into()?,
            auto_reload_minimum: cents(options.auto_reload_minimum),
            auto_reload_maximum: cents(options.auto_reload_maximum),
            auto_reload_maximum_threshold: cents(options.auto_reload_maximum_threshold),
        })
    }
}

/// When JoePass is reloaded automatically.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AutoReload {
    pub(crate) enabled: bool,
    /// JoePass is reloaded when it falls below this amount.
    pub(crate) threshold: Money,
    pub(crate) amount: Money,
    #[schema(required)]
    pub(crate) payment_method_id: Option<String>,
    #[schema(required, format = DateTime)]
    pub(crate) paused_until: Option<String>,
    /// Until then, no reload happens because the phone or a payment method changed.
    #[schema(required, format = DateTime)]
    pub(crate) frozen_until: Option<String>,
}

impl TryFrom<giftcards::AutoReload> for AutoReload {
    type Error = UnknownValue;

    fn try_from(rule: giftcards::AutoReload) -> Result<Self, UnknownValue> {
        Ok(Self {
            enabled: rule.enabled,
            threshold: rule.threshold.try_into()?,
            amount: rule.amount.try_into()?,
            payment_method_id: non_empty(rule.payment_method_id),
            paused_until: non_empty(rule.paused_until),
            frozen_until: non_empty(rule.frozen_until),
        })
    }
}

/// Sets when JoePass is reloaded automatically.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetAutoReloadRequest {
    pub(crate) enabled: bool,
    /// Cents.
    pub(crate) threshold: i64,
    /// Cents.
    pub(crate) amount: i64,
    pub(crate) payment_method_id: String,
    /// Pauses the rule until then, up to 31 days from now; absent or null ends a pause.
    #[serde(default)]
    #[schema(format = DateTime)]
    pub(crate) paused_until: Option<String>,
}

impl From<SetAutoReloadRequest> for giftcards::SetAutoReloadRequest {
    fn from(request: SetAutoReloadRequest) -> Self {
        Self {
            enabled: request.enabled,
            threshold: Some(cents(request.threshold)),
            amount: Some(cents(request.amount)),
            payment_method_id: request.payment_method_id,
            paused_until: request.paused_until.unwrap_or_default(),
        }
    }
}
