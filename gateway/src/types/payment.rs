//! Payment methods. Card numbers never come here.

use proto::giftcards::v1 as giftcards;
use proto::payments::v1 as payments;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::present;
use super::words::PaymentType;

/// A payment method in the one shape that the selector shows (specification section 3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentMethod {
    /// What to pay with: goes into `paymentMethod.paymentMethodId`.
    pub payment_method_id: String,
    /// The same.
    pub id: String,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: PaymentType,
    /// "Visa ···· 4242", "JoePass".
    pub display_name: String,
    /// What kind is called: "Credit Card", "Bank Account", "JoeBucks", "Gift Card".
    pub name: String,
    /// MM/YY; cards only.
    #[schema(required)]
    pub exp_date: Option<String>,
    /// Brand of the card or name of the bank.
    #[schema(required)]
    pub institution_name: Option<String>,
    /// Last four digits.
    #[schema(required)]
    pub last4: Option<String>,
    /// checking or savings; banks only.
    #[schema(required)]
    pub account_type: Option<String>,
    /// Cents that can be spent; joebucks only.
    #[schema(required)]
    pub amount: Option<i64>,
    /// The consumer's default.
    pub is_default: bool,
    /// Cards whose month has passed.
    pub expired: bool,
    /// The company whose stores take it; null for everywhere.
    #[schema(required)]
    pub company_id: Option<String>,
    /// That company's name.
    #[schema(required)]
    pub company_name: Option<String>,
}

impl From<payments::PaymentMethod> for PaymentMethod {
    fn from(method: payments::PaymentMethod) -> Self {
        let bank = method.r#type == "bank";
        let institution = present(method.institution_name).map(brand);
        let called = if bank { "Bank Account" } else { "Credit Card" };
        let display_name = format!(
            "{} ···· {}",
            institution.as_deref().unwrap_or(called),
            method.last4
        );
        Self {
            id: method.payment_method_id.clone(),
            payment_method_id: method.payment_method_id,
            kind: if bank {
                PaymentType::Bank
            } else {
                PaymentType::Card
            },
            display_name,
            name: called.to_owned(),
            exp_date: present(method.exp_date),
            institution_name: institution,
            last4: present(method.last4),
            account_type: present(method.account_type),
            amount: None,
            is_default: method.is_default,
            expired: method.expired,
            company_id: None,
            company_name: None,
        }
    }
}

/// The provider has code words for brands; people have names.
fn brand(word: String) -> String {
    match word.as_str() {
        "visa" => "Visa",
        "mastercard" => "Mastercard",
        "amex" => "American Express",
        "discover" => "Discover",
        "diners" => "Diners Club",
        "jcb" => "JCB",
        "unionpay" => "UnionPay",
        _ => return word,
    }
    .to_owned()
}

impl From<giftcards::Balance> for PaymentMethod {
    fn from(balance: giftcards::Balance) -> Self {
        let company_name = present(balance.company_name);
        Self {
            id: balance.balance_id.clone(),
            payment_method_id: balance.balance_id,
            kind: PaymentType::Joebucks,
            display_name: company_name
                .as_ref()
                .map_or_else(|| "JoePass".to_owned(), |name| format!("{name} card")),
            name: if company_name.is_some() {
                "Gift Card"
            } else {
                "JoeBucks"
            }
            .to_owned(),
            exp_date: None,
            institution_name: None,
            last4: None,
            account_type: None,
            amount: Some(balance.available.map_or(0, |available| available.minor_units)),
            is_default: false,
            expired: false,
            company_id: present(balance.company_id),
            company_name,
        }
    }
}

/// The consumer's payment methods, in the order to show.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentMethodList {
    /// Joebucks first, then what is saved.
    pub payment_methods: Vec<PaymentMethod>,
}

impl From<payments::ListPaymentMethodsResponse> for PaymentMethodList {
    fn from(list: payments::ListPaymentMethodsResponse) -> Self {
        Self {
            payment_methods: list.methods.into_iter().map(PaymentMethod::from).collect(),
        }
    }
}

/// Names a saved payment method.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentMethodRequest {
    /// It.
    pub payment_method_id: String,
}

/// Where the provider's script is, and what its calls are authenticated with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderScript {
    /// The provider's public key.
    pub publishable_key: String,
    /// Where the provider's script is loaded from.
    pub script_url: String,
}

/// What the provider's script in the page needs to take a card.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardSecret {
    /// Of a set-up intent; the page's card element confirms it.
    pub client_secret: String,
    /// The provider's public key.
    pub publishable_key: String,
    /// Where the provider's script is loaded from.
    pub script_url: String,
}

/// One saved method.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub struct PaymentMethodQuery {
    /// It.
    pub payment_method_id: String,
}

/// What to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub struct ListPaymentMethodsQuery {
    /// Leave out company cards that this store does not take.
    pub store_id: Option<String>,
    /// Leave out stored value.
    pub exclude_joebucks: Option<bool>,
    /// "external" leaves out stored value.
    #[serde(rename = "type")]
    #[param(inline)]
    pub kind: Option<MethodScope>,
    /// Put first and marked, even where it would be left out.
    pub include_default_payment_method_id: Option<String>,
}

/// Which methods are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MethodScope {
    /// Everything.
    All,
    /// What the provider holds: cards and banks.
    External,
    /// Cards alone.
    Card,
    /// Banks alone.
    Bank,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_called_as_people_call_it() {
        let card = |brand: &str| {
            PaymentMethod::from(payments::PaymentMethod {
                r#type: "card".to_owned(),
                institution_name: brand.to_owned(),
                last4: "4242".to_owned(),
                ..Default::default()
            })
        };
        assert_eq!(card("visa").display_name, "Visa ···· 4242");
        assert_eq!(card("").display_name, "Credit Card ···· 4242");
    }
}
