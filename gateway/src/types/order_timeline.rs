//! What all services recorded about an order, for operators.

use proto::operations::v1 as operations;
use proto::ordering::v1 as ordering;
use serde::Serialize;
use utoipa::ToSchema;

use super::{convert_all, non_empty};

/// The records of all services about an order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderTimeline {
    pub(crate) order_id: String,
    /// Status, store, total and tender in one sentence.
    pub(crate) state: String,
    /// Why the order ended; null for other orders.
    #[schema(required)]
    pub(crate) reason: Option<String>,
    /// By time.
    pub(crate) records: Vec<OrderRecord>,
    /// A sentence for each event that a service should have consumed and has no record of.
    pub(crate) not_consumed: Vec<String>,
    /// Services that did not respond, so that their records are missing.
    pub(crate) not_read: Vec<String>,
}

impl From<ordering::OrderTimeline> for OrderTimeline {
    fn from(timeline: ordering::OrderTimeline) -> Self {
        Self {
            order_id: timeline.order_id,
            state: timeline.state,
            reason: non_empty(timeline.reason),
            records: convert_all(timeline.records),
            not_consumed: timeline.not_consumed,
            not_read: timeline.not_read,
        }
    }
}

/// A record of a service: a status, charge, effect or posting, or an event with its delivery.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderRecord {
    #[schema(format = DateTime)]
    pub(crate) at: String,
    pub(crate) service: String,
    pub(crate) text: String,
    /// Null if unknown.
    #[schema(required)]
    pub(crate) trace_id: Option<String>,
}

impl From<operations::OrderRecord> for OrderRecord {
    fn from(record: operations::OrderRecord) -> Self {
        Self {
            at: record.at,
            service: record.service,
            text: record.text,
            trace_id: non_empty(record.trace_id),
        }
    }
}
