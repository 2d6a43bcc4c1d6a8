//! The customer object.

use serde::{Deserialize, Serialize};

use super::{Address, Metadata};

/// A customer, as the API shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Customer {
    pub id: String,
    pub object: String,
    pub address: Option<Address>,
    pub balance: i64,
    pub created: i64,
    pub default_source: Option<String>,
    pub delinquent: bool,
    pub description: Option<String>,
    pub email: Option<String>,
    pub invoice_settings: InvoiceSettings,
    pub livemode: bool,
    pub metadata: Metadata,
    pub name: Option<String>,
    pub phone: Option<String>,
    pub preferred_locales: Vec<String>,
    pub tax_exempt: String,
    /// A deleted customer is shown with its id only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct InvoiceSettings {
    pub default_payment_method: Option<String>,
}
