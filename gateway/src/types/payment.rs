//! Payment methods. Card numbers never reach this API.

use proto::giftcards::v1 as giftcards;
use proto::payments::v1 as payments;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::{PaymentType, UnknownValue};
use super::{non_empty, try_convert_all};

/// A payment method as the payment selector shows it (specification section 3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentMethod {
    /// Value for `paymentMethod.paymentMethodId`.
    pub(crate) payment_method_id: String,
    /// The same as `paymentMethodId`.
    pub(crate) id: String,
    #[serde(rename = "type")]
    pub(crate) kind: PaymentType,
    /// "Visa ···· 4242", "JoePass".
    pub(crate) display_name: String,
    /// "Credit Card", "Bank Account", "`JoeBucks`" or "Gift Card".
    pub(crate) name: String,
    /// MM/YY; cards only.
    #[schema(required)]
    pub(crate) exp_date: Option<String>,
    /// Brand of the card or name of the bank.
    #[schema(required)]
    pub(crate) institution_name: Option<String>,
    #[schema(required)]
    pub(crate) last4: Option<String>,
    /// "checking" or "savings"; bank accounts only.
    #[schema(required)]
    pub(crate) account_type: Option<String>,
    /// Available balance in cents; joebucks only.
    #[schema(required)]
    pub(crate) amount: Option<i64>,
    pub(crate) is_default: bool,
    pub(crate) expired: bool,
    /// Only stores of this company accept it; null if all stores do.
    #[schema(required)]
    pub(crate) company_id: Option<String>,
    #[schema(required)]
    pub(crate) company_name: Option<String>,
    /// "joebucks" for JoePass, otherwise the same as `paymentMethodId`. A joebucks method with another value is a gift card.
    pub(crate) payment_id: String,
    /// The drawing on a gift card; null for other methods.
    #[schema(required)]
    pub(crate) gift_card_image: Option<String>,
    /// Only this store accepts it; null if others do as well.
    #[schema(required)]
    pub(crate) store_id: Option<String>,
}

impl TryFrom<payments::PaymentMethod> for PaymentMethod {
    type Error = UnknownValue;

    fn try_from(method: payments::PaymentMethod) -> Result<Self, UnknownValue> {
        let (kind, name) = match method.r#type.as_str() {
            "card" => (PaymentType::Card, "Credit Card"),
            "bank" => (PaymentType::Bank, "Bank Account"),
            _ => return Err(UnknownValue("payment method type")),
        };
        let institution = non_empty(method.institution_name).map(display_brand);
        let display_name = format!("{} ···· {}", institution.as_deref().unwrap_or(name), method.last4);
        Ok(Self {
            id: method.payment_method_id.clone(),
            payment_id: method.payment_method_id.clone(),
            payment_method_id: method.payment_method_id,
            kind,
            display_name,
            name: name.to_owned(),
            exp_date: non_empty(method.exp_date),
            institution_name: institution,
            last4: non_empty(method.last4),
            account_type: non_empty(method.account_type),
            amount: None,
            is_default: method.is_default,
            expired: method.expired,
            company_id: None,
            company_name: None,
            gift_card_image: None,
            store_id: None,
        })
    }
}

/// Returns the display name of a card brand. Bank names are returned unchanged.
fn display_brand(institution: String) -> String {
    match institution.as_str() {
        "visa" => "Visa",
        "mastercard" => "Mastercard",
        "amex" => "American Express",
        "discover" => "Discover",
        "diners" => "Diners Club",
        "jcb" => "JCB",
        "unionpay" => "UnionPay",
        _ => return institution,
    }
    .to_owned()
}

/// Returns the name of a gift card, with the last characters of its code if it has one.
fn card_name(code_suffix: &str) -> String {
    match code_suffix {
        "" => "Gift card".to_owned(),
        suffix => format!("Gift card ···· {suffix}"),
    }
}

impl From<giftcards::Balance> for PaymentMethod {
    fn from(balance: giftcards::Balance) -> Self {
        let company_name = non_empty(balance.company_name.clone());
        let card_name = || card_name(&balance.code_suffix);
        let payment_id = match balance.kind() {
            giftcards::BalanceKind::Joepass => "joebucks",
            _ => &balance.balance_id,
        };
        let payment_id = payment_id.to_owned();
        let (display_name, name) = match (&company_name, balance.kind()) {
            (Some(company), _) => (format!("{company} card"), "Gift Card"),
            (None, giftcards::BalanceKind::GiftCard) => (card_name(), "Gift Card"),
            (None, giftcards::BalanceKind::PhysicalGiftCard) => (card_name(), "Physical Gift Card"),
            (None, _) => ("JoePass".to_owned(), "JoeBucks"),
        };
        Self {
            id: balance.balance_id.clone(),
            payment_method_id: balance.balance_id,
            kind: PaymentType::Joebucks,
            display_name,
            name: name.to_owned(),
            exp_date: None,
            institution_name: None,
            last4: None,
            account_type: None,
            amount: Some(balance.available.map_or(0, |available| available.minor_units)),
            is_default: false,
            expired: false,
            company_id: non_empty(balance.company_id),
            company_name,
            payment_id,
            gift_card_image: non_empty(balance.design),
            store_id: None,
        }
    }
}

/// The consumer's payment methods.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentMethodList {
    /// In display order: joebucks first, then saved methods.
    pub(crate) payment_methods: Vec<PaymentMethod>,
}

impl TryFrom<payments::ListPaymentMethodsResponse> for PaymentMethodList {
    type Error = UnknownValue;

    fn try_from(list: payments::ListPaymentMethodsResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            payment_methods: try_convert_all(list.methods)?,
        })
    }
}

/// A saved payment method.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentMethodRequest {
    pub(crate) payment_method_id: String,
}

/// The payment provider's browser script.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProviderScript {
    /// The key that identifies us to the provider in the browser.
    pub(crate) publishable_key: String,
    pub(crate) script_url: String,
}

/// What the client needs to save a card at the payment provider.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetupIntent {
    /// The client's card element confirms the setup intent with it.
    pub(crate) client_secret: String,
    /// The key that identifies us to the provider in the browser.
    pub(crate) publishable_key: String,
    /// Address of the provider's script.
    pub(crate) script_url: String,
}

/// What the client needs to link a bank account at the payment provider.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BankSession {
    /// The provider's dialog links the account with it.
    pub(crate) client_secret: String,
    /// The key that identifies us to the provider in the browser.
    pub(crate) publishable_key: String,
    /// Address of the provider's script.
    pub(crate) script_url: String,
    /// Authorizes debits from the account. Show it before the consumer links the account.
    pub(crate) mandate: String,
    /// Agrees to the fee for returned payments. Show it with the mandate.
    pub(crate) fee_consent: String,
}

/// Saves the payment method of a setup that the client confirmed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavePaymentMethodRequest {
    /// Id of the confirmed setup intent.
    pub(crate) setup_intent_id: String,
    /// Makes the method the default.
    pub(crate) is_default: Option<bool>,
}

/// Selects a payment method.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentMethodQuery {
    pub(crate) payment_method_id: String,
}

/// Which payment methods to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListPaymentMethodsQuery {
    /// Omit gift cards of companies other than this store's.
    pub(crate) store_id: Option<String>,
    /// Omit stored value.
    pub(crate) exclude_joebucks: Option<bool>,
    /// Only methods of this kind.
    #[serde(rename = "type")]
    #[param(inline)]
    pub(crate) kind: Option<MethodFilter>,
    /// Listed first, even if another parameter would omit it. Not marked as default unless it is.
    pub(crate) include_default_payment_method_id: Option<String>,
}

/// Kind of payment methods to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MethodFilter {
    All,
    /// Cards and banks, without stored value.
    External,
    Card,
    Bank,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(kind: &str, institution: &str) -> Result<PaymentMethod, UnknownValue> {
        PaymentMethod::try_from(payments::PaymentMethod {
            r#type: kind.to_owned(),
            institution_name: institution.to_owned(),
            last4: "4242".to_owned(),
            ..Default::default()
        })
    }

    #[test]
    fn cards_are_displayed_with_their_brand() {
        assert_eq!(method("card", "visa").unwrap().display_name, "Visa ···· 4242");
        assert_eq!(method("card", "").unwrap().display_name, "Credit Card ···· 4242");
    }

    #[test]
    fn an_unknown_type_is_an_error() {
        assert!(method("check", "").is_err());
    }
}
