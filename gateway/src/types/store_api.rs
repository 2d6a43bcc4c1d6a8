//! Types of the store API.

use proto::ordering::v1 as ordering;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::UnknownValue;
use super::order::Order;
use super::page::PageQuery;
use super::{non_empty, try_convert_all};

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

impl StoreOrder {
    /// Returns the id and the version.
    pub(crate) fn version(&self) -> (&str, i64) {
        (&self.0.order_id, self.0.version)
    }
}

/// An order that is no longer in the queue: it was picked up, canceled or rejected.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RemovedOrder {
    pub(crate) order_id: String,
}

/// A store of the credential.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreQueueQuery {
    pub(crate) store_id: String,
}

/// The orders that a store has to act on.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreQueue {
    /// New orders first, then orders in the making, then orders that are ready; each by the time to start.
    pub(crate) orders: Vec<StoreOrder>,
    /// Pass it as `cursor` for the next page; null on the last page.
    #[schema(required)]
    pub(crate) next_cursor: Option<String>,
}

impl TryFrom<ordering::ListOrdersResponse> for StoreQueue {
    type Error = UnknownValue;

    fn try_from(list: ordering::ListOrdersResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            orders: try_convert_all(list.orders)?,
            next_cursor: non_empty(list.next_cursor),
        })
    }
}

/// A page of the queue.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueQuery {
    /// All stores of the credential if absent.
    pub(crate) store_id: Option<String>,
    /// The `nextCursor` of the previous page; the first page if absent.
    pub(crate) cursor: Option<String>,
    /// Orders per page; 100 if absent.
    pub(crate) take: Option<u32>,
}

impl QueueQuery {
    pub(crate) const fn page(&self) -> PageQuery {
        PageQuery {
            take: self.take,
            skip: None,
        }
    }
}

/// Rejects an order.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct RejectOrderRequest {
    /// A sentence for the consumer.
    pub(crate) reason: String,
}

/// Promises a later time for an order. Has either `readyAt` or `minutes`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DelayOrderRequest {
    /// The new promised time.
    #[schema(format = DateTime)]
    pub(crate) ready_at: Option<String>,
    /// From now, rounded up to a whole minute.
    pub(crate) minutes: Option<u32>,
    /// A sentence for the consumer.
    pub(crate) reason: Option<String>,
}
