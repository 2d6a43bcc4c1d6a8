//! Types of the store API.

use proto::ordering::v1 as ordering;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::UnknownValue;
use super::order::Order;
use super::try_convert_all;

/// An order as its store sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(transparent)]
pub(crate) struct StoreOrder(Order);

impl TryFrom<ordering::Order> for StoreOrder {
    type Error = UnknownValue;

    fn try_from(mut order: ordering::Order) -> Result<Self, UnknownValue> {
        // Only the consumer may authenticate the payment.
        order.client_secret.clear();
        Ok(Self(order.try_into()?))
    }
}

/// The orders that a store has to act on.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StoreQueue {
    /// Earliest ready time first.
    pub(crate) orders: Vec<StoreOrder>,
}

impl TryFrom<ordering::ListOrdersResponse> for StoreQueue {
    type Error = UnknownValue;

    fn try_from(list: ordering::ListOrdersResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            orders: try_convert_all(list.orders)?,
        })
    }
}

/// The store of the queue.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueQuery {
    /// All stores of the credential if absent.
    pub(crate) store_id: Option<String>,
}

/// Rejects an order.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct RejectOrderRequest {
    /// A sentence for the consumer.
    pub(crate) reason: String,
}
