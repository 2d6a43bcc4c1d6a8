use jiff::Timestamp;
use types::{ConsumerId, Money};

use super::{
    cart::CartDraft,
    journey_step::JourneyStep,
    tender::{StoredValuePart, Tender},
};

/// The command to place an order that a consumer has confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceOrder {
    pub consumer_id: ConsumerId,
    pub idempotency_key: String,
    /// Hash of the request without its key: detects a key that is used for a different request.
    pub request_hash: Vec<u8>,
    pub cart: CartDraft,
    pub tender: Tender,
    /// Id of the payment method or, for stored value, of the balance; empty for JoePass and wallets.
    pub payment_method_id: String,
    /// The provider's id of the method that a wallet created for this payment; empty for other tenders. Not stored.
    pub wallet_payment_method_id: String,
    /// Stored value that pays before the tender.
    pub stored_value: Option<StoredValuePart>,
    /// The total that the consumer agreed to.
    pub expected_total: Money,
    /// The ready time that the consumer agreed to.
    pub expected_ready_at: Timestamp,
    pub vehicle: String,
    /// Name called out at the counter.
    pub pickup_name: String,
    pub journey_step: JourneyStep,
}

impl PlaceOrder {
    /// Operation name of the idempotency keys.
    pub const OPERATION: &str = "place_order";
}
