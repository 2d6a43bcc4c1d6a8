//! Placing an order.

use proto::ordering::v1 as ordering;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cart::Cart;
use super::money::Money;
use super::order::Order;
use super::payment::ProviderScript;
use super::payment_choice::{PaymentChoice, StoredValuePart};

/// Places the order that the consumer has confirmed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlaceOrderRequest {
    pub(crate) cart: Cart,
    pub(crate) payment_method: PaymentChoice,
    /// Pays first, if the payment method is a card or a wallet.
    pub(crate) stored_value: Option<StoredValuePart>,
    /// Create a new key if the cart, payment, tip or time changes, and after a final rejection. Repeat the request with the
    /// same key after a timeout or a 5xx.
    pub(crate) idempotency_key: String,
    /// The total that the consumer agreed to, from the quote shown.
    pub(crate) expected_total: Money,
    /// The ready time that the consumer agreed to, from the quote shown.
    #[schema(format = DateTime)]
    pub(crate) expected_ready_at: String,
    /// Description of the car, for curbside pickup.
    pub(crate) vehicle: Option<String>,
    /// Name called out at the counter.
    pub(crate) pickup_name: Option<String>,
}

impl From<PlaceOrderRequest> for ordering::PlaceOrderRequest {
    fn from(request: PlaceOrderRequest) -> Self {
        Self {
            cart: Some(request.cart.into()),
            tender: Some(request.payment_method.into()),
            stored_value: request.stored_value.map(Into::into),
            idempotency_key: request.idempotency_key,
            expected_total: Some(request.expected_total.into()),
            expected_ready_at: request.expected_ready_at,
            vehicle: request.vehicle.unwrap_or_default(),
            pickup_name: request.pickup_name.unwrap_or_default(),
            ..Self::default()
        }
    }
}

/// The placed order, and the provider's script if the consumer has to authenticate the payment.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlacedOrder {
    #[serde(flatten)]
    pub(crate) order: Order,
    /// Set together with `clientSecret`: the script that uses it.
    #[schema(required)]
    pub(crate) provider_script: Option<ProviderScript>,
}
