use serde_json::{Value, json};

/// A payment choice as in the API.
#[derive(Debug, Clone, PartialEq)]
pub struct Tender(pub Value);

impl Tender {
    pub fn card(method: &str) -> Self {
        Self(json!({ "type": "card", "paymentMethodId": method }))
    }

    pub fn joepass(balance: &str) -> Self {
        Self(json!({ "type": "joebucks", "paymentMethodId": balance }))
    }
}
