//! Types of the store API.

use proto::ordering::v1 as ordering;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::UnknownValue;
use super::page::PageQuery;
use super::store_order::StoreOrder;
use super::store_schedule::Schedule;
use super::{non_empty, try_convert_all};

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

/// A scheduled order as its store sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScheduledOrder {
    pub(crate) order: StoreOrder,
    /// Whether the store is closed at the promised time, because its hours changed: move or reject the order.
    pub(crate) is_outside_hours: bool,
}

impl TryFrom<ordering::ScheduledOrder> for ScheduledOrder {
    type Error = UnknownValue;

    fn try_from(scheduled: ordering::ScheduledOrder) -> Result<Self, UnknownValue> {
        Ok(Self {
            order: scheduled.order.unwrap_or_default().try_into()?,
            is_outside_hours: scheduled.is_outside_hours,
        })
    }
}

/// The orders that a store makes later.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScheduledOrderList {
    /// By promised time.
    pub(crate) orders: Vec<ScheduledOrder>,
}

impl TryFrom<ordering::ListScheduledOrdersResponse> for ScheduledOrderList {
    type Error = UnknownValue;

    fn try_from(list: ordering::ListScheduledOrdersResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            orders: try_convert_all(list.orders)?,
        })
    }
}

/// A changed schedule, with the scheduled orders that its staff have to look at.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangedSchedule {
    pub(crate) schedule: Schedule,
    /// Those marked with `isOutsideHours` are promised for a time at which the store is now closed. Null if they cannot be read at the
    /// moment: the schedule is changed nevertheless, and `GET /store-api/stores/{id}/scheduled-orders` has them later.
    #[schema(required)]
    pub(crate) scheduled: Option<ScheduledOrderList>,
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

/// Promises another time for a scheduled order.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RescheduleOrderRequest {
    /// The new promised time.
    #[schema(format = DateTime)]
    pub(crate) ready_at: String,
    /// A sentence for the consumer.
    pub(crate) reason: Option<String>,
}
