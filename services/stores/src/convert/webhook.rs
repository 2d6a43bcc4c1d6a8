//! Order events as the payload of webhooks. It has no data of the consumer and no prices, which the store API does not show
//! either.

use kit::messaging::consumer::ConsumeError;
use proto::ordering::v1::{EndReason, OrderEnd, OrderSnapshot, OrderStatus, order_event::Change};
use serde::Serialize;
use types::EventId;

use crate::domain::webhook::{EventKind, WebhookEvent};

#[derive(Debug, Serialize)]
struct Payload<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: &'a str,
    data: OrderData<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OrderData<'a> {
    order_id: &'a str,
    store_id: &'a str,
    status: &'static str,
    version: i64,
    pickup_number: &'a str,
    /// When the order is promised to be ready.
    ready_at: &'a str,
    time_zone: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

/// Returns the event for webhooks, or `None` for a change that they do not report: an order that was never placed, and
/// feedback of the consumer.
pub(crate) fn webhook_event(
    event_id: EventId,
    order: &OrderSnapshot,
    change: &Change,
) -> Result<Option<WebhookEvent>, ConsumeError> {
    let Some(kind) = kind(change) else {
        return Ok(None);
    };
    let payload = Payload {
        kind: kind.as_str(),
        timestamp: &order.changed_at,
        data: OrderData {
            order_id: &order.order_id,
            store_id: &order.store_id,
            status: status(order.status()),
            version: order.version,
            pickup_number: &order.pickup_number,
            ready_at: &order.ready_at,
            time_zone: &order.time_zone,
            reason: end(change).map(|end| reason(end.reason())),
        },
    };
    let payload = serde_json::to_string(&payload).map_err(anyhow::Error::from)?;
    Ok(Some(WebhookEvent {
        event_id,
        kind,
        store_id: order.store_id.parse()?,
        payload,
    }))
}

const fn kind(change: &Change) -> Option<EventKind> {
    Some(match change {
        Change::Placed(_) => EventKind::Placed,
        Change::Accepted(_) => EventKind::Accepted,
        Change::Preparing(_) => EventKind::Preparing,
        Change::Ready(_) => EventKind::Ready,
        Change::Completed(_) => EventKind::Completed,
        Change::Cancelled(_) => EventKind::Cancelled,
        Change::Rejected(_) => EventKind::Rejected,
        Change::Arrived(_) => EventKind::Arrived,
        Change::PaymentFailed(_) => EventKind::PaymentFailed,
        Change::Delayed(_) => EventKind::Delayed,
        Change::Abandoned(_) | Change::Rated(_) => return None,
    })
}

const fn end(change: &Change) -> Option<&OrderEnd> {
    match change {
        Change::Cancelled(cancelled) => cancelled.end.as_ref(),
        Change::Rejected(rejected) => rejected.end.as_ref(),
        _ => None,
    }
}

/// The status as the store API writes it.
const fn status(status: OrderStatus) -> &'static str {
    match status {
        OrderStatus::Unspecified => "Unknown",
        OrderStatus::PaymentPending => "PaymentPending",
        OrderStatus::Scheduled => "Scheduled",
        OrderStatus::Placed => "Placed",
        OrderStatus::Accepted => "Accepted",
        OrderStatus::Preparing => "Preparing",
        OrderStatus::Ready => "Ready",
        OrderStatus::Completed => "Completed",
        OrderStatus::Cancelled => "Cancelled",
        OrderStatus::Rejected => "Rejected",
        OrderStatus::PaymentFailed => "PaymentFailed",
    }
}

/// The reason code as the store API writes it.
const fn reason(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Unspecified => "UNKNOWN",
        EndReason::PlacementFailed | EndReason::PlacementInterrupted => "ORDER_NOT_PLACED",
        EndReason::CancelledByConsumer => "CONSUMER_CANCELLED",
        EndReason::NotAcceptedInTime => "NOT_ACCEPTED",
        EndReason::PaymentHoldExpired => "PAYMENT_HOLD_EXPIRED",
        EndReason::PaymentReturned => "PAYMENT_RETURNED",
        EndReason::PaymentCaptureFailed => "PAYMENT_CAPTURE_FAILED",
        EndReason::RejectedByStore => "STORE_REJECTED",
    }
}
