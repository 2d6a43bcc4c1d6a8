//! Cards, bank accounts and their owners, as the API shows them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::form::Form;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Address {
    pub city: Option<String>,
    pub country: Option<String>,
    pub line1: Option<String>,
    pub line2: Option<String>,
    pub postal_code: Option<String>,
    pub state: Option<String>,
}

impl From<&Form> for Address {
    fn from(form: &Form) -> Self {
        Self {
            city: form.owned("city"),
            country: form.owned("country"),
            line1: form.owned("line1"),
            line2: form.owned("line2"),
            postal_code: form.owned("postal_code"),
            state: form.owned("state"),
        }
    }
}

/// The owner of a card or bank account.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct BillingDetails {
    pub address: Address,
    pub email: Option<String>,
    pub name: Option<String>,
    pub phone: Option<String>,
    pub tax_id: Option<String>,
}

impl BillingDetails {
    /// Applies the parameters `billing_details[…]`.
    pub fn apply(&mut self, form: &Form) {
        if let Some(address) = form.within("billing_details.address") {
            self.address = Address::from(&address);
        }
        for (path, field) in [
            ("billing_details.email", &mut self.email),
            ("billing_details.name", &mut self.name),
            ("billing_details.phone", &mut self.phone),
        ] {
            if form.has(path) {
                *field = form.owned(path);
            }
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Card {
    pub brand: String,
    pub checks: Value,
    pub country: String,
    pub display_brand: String,
    pub exp_month: i64,
    pub exp_year: i64,
    pub fingerprint: String,
    pub funding: String,
    pub generated_from: Option<Value>,
    pub last4: String,
    pub networks: Value,
    pub three_d_secure_usage: Value,
    pub wallet: Option<Value>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UsBankAccount {
    pub account_holder_type: String,
    pub account_type: String,
    pub bank_name: String,
    pub financial_connections_account: Option<String>,
    pub fingerprint: String,
    pub last4: String,
    pub networks: Value,
    pub routing_number: String,
    pub status_details: Option<Value>,
}
