//! What stores' own systems see and send.

use proto::ordering::v1 as ordering;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::order::Order;

/// An order as its store sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(transparent)]
pub struct StoreOrder(Order);

impl From<ordering::Order> for StoreOrder {
    fn from(mut order: ordering::Order) -> Self {
        // The consumer's own: a store has no business authenticating a payment.
        order.client_secret.clear();
        Self(order.into())
    }
}

/// The orders that a store has to do something about.
#[derive(Debug, Serialize, ToSchema)]
pub struct StoreQueue {
    /// Soonest promise first.
    pub orders: Vec<StoreOrder>,
}

impl From<ordering::ListOrdersResponse> for StoreQueue {
    fn from(list: ordering::ListOrdersResponse) -> Self {
        Self {
            orders: list.orders.into_iter().map(StoreOrder::from).collect(),
        }
    }
}

/// Which store's queue.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub struct QueueQuery {
    /// All that the credential speaks for where absent.
    pub store_id: Option<String>,
}

/// Why an order is not made.
#[derive(Debug, Deserialize, ToSchema)]
pub struct RejectOrderRequest {
    /// A sentence for the consumer.
    pub reason: String,
}
