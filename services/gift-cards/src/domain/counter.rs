//! Payments at the counter with a PIN.

use jiff::Timestamp;
use types::{CounterPaymentId, CredentialId, Money, StoreId};

/// A PIN that the consumer shows at the counter.
#[derive(Clone, PartialEq, Eq)]
pub struct CounterPin {
    pub pin: String,
    pub expires_at: Timestamp,
    pub store_name: String,
    /// What the consumer can spend.
    pub available: Money,
}

impl std::fmt::Debug for CounterPin {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("CounterPin")
    }
}

#[derive(Clone)]
pub struct RedeemCounterPin {
    pub store_id: StoreId,
    /// The terminal or staff session.
    pub credential_id: CredentialId,
    pub pin: String,
    pub amount: Money,
    pub idempotency_key: String,
}

impl std::fmt::Debug for RedeemCounterPin {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("RedeemCounterPin")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterPayment {
    pub id: CounterPaymentId,
    pub store_id: StoreId,
    pub store_name: String,
    pub credential_id: CredentialId,
    pub amount: Money,
    pub paid_at: Timestamp,
}
