//! Events for the outbox.

use jiff::Timestamp;
use kit::{InternalError, outbox::OutboxEntry};
use proto::{
    events::Event,
    ordering::v1::{self as pb, order_event::Change},
};

use super::order::{journey_step, status, tender};
use crate::domain::{
    end::{EndReason, OrderEnd},
    feedback::OrderFeedback,
    order::Order,
    status::Status,
};

/// Returns the event for the order's new status.
///
/// # Errors
/// If the order is not placed yet, or ended without a reason.
pub(crate) fn order_changed(
    order: &Order,
    end: Option<&OrderEnd>,
    at: Timestamp,
) -> Result<OutboxEntry, InternalError> {
    let end = || {
        end.map(order_end)
            .map(Some)
            .ok_or_else(|| InternalError::invariant_violated("an order ended without a reason"))
    };
    let change = match order.status {
        Status::PaymentPending => {
            return Err(InternalError::invariant_violated("no event for a pending order"));
        }
        Status::Scheduled | Status::Placed => Change::Placed(pb::OrderPlaced {}),
        Status::Accepted => Change::Accepted(pb::OrderAccepted {}),
        Status::Preparing => Change::Preparing(pb::OrderPreparing {}),
        Status::Ready => Change::Ready(pb::OrderReady {}),
        Status::Completed => Change::Completed(completed(order)),
        Status::Cancelled => Change::Cancelled(pb::OrderCancelled { end: end()? }),
        Status::Rejected => Change::Rejected(pb::OrderRejected { end: end()? }),
        Status::PaymentFailed => Change::Abandoned(pb::OrderAbandoned { end: end()? }),
    };
    Ok(outbox_entry(order, change, at))
}

pub(crate) fn order_arrived(order: &Order, at: Timestamp) -> OutboxEntry {
    outbox_entry(order, Change::Arrived(pb::OrderArrived {}), at)
}

pub(crate) fn order_payment_failed(order: &Order, at: Timestamp) -> OutboxEntry {
    outbox_entry(order, Change::PaymentFailed(pb::OrderPaymentFailed {}), at)
}

pub(crate) fn order_delayed(order: &Order, previous_ready_at: Timestamp, at: Timestamp) -> OutboxEntry {
    let delayed = pb::OrderDelayed {
        previous_ready_at: previous_ready_at.to_string(),
        reason: order.delay_reason.clone(),
    };
    outbox_entry(order, Change::Delayed(delayed), at)
}

/// Omits the message, which other services do not need.
pub(crate) fn order_rated(order: &Order, feedback: &OrderFeedback, at: Timestamp) -> OutboxEntry {
    let rated = pb::OrderRated {
        rating: feedback.rating.into(),
        order_ready: feedback.order_ready.code().into(),
        order_correct: feedback.order_correct.code().into(),
    };
    outbox_entry(order, Change::Rated(rated), at)
}

fn outbox_entry(order: &Order, change: Change, at: Timestamp) -> OutboxEntry {
    let event = pb::OrderEvent {
        order: Some(snapshot(order, at)),
        change: Some(change),
    };
    OutboxEntry::new(
        event.event_type(),
        &event,
        order.id.to_string(),
        order.version,
        at,
    )
}

fn snapshot(order: &Order, at: Timestamp) -> pb::OrderSnapshot {
    let totals = &order.totals;
    pb::OrderSnapshot {
        order_id: order.id.to_string(),
        consumer_id: order.consumer_id.to_string(),
        store_id: order.store_id.to_string(),
        status: status(order.status).into(),
        version: order.version,
        changed_at: at.to_string(),
        tender: tender(order.tender).into(),
        total_minor_units: totals.total.minor_units(),
        earning_minor_units: totals.subtotal.minor_units() - totals.discount.minor_units(),
        currency: totals.total.currency().code().to_owned(),
        store_name: order.store_name.clone(),
        ready_at: order.ready_at.to_string(),
        time_zone: order.time_zone.clone(),
        pickup_number: order.pickup_number().to_string(),
        first_ready_at: order.first_ready_at().to_string(),
        journey_step: journey_step(order.journey_step).into(),
        stored_value_minor_units: order.stored_value_amount().minor_units(),
        stored_value_name: order.stored_value_name.clone(),
    }
}

fn completed(order: &Order) -> pb::OrderCompleted {
    let items = order.lines.iter().map(|line| pb::ItemCount {
        item_id: line.item_id.clone(),
        quantity: line.quantity,
    });
    pb::OrderCompleted {
        items: items.collect(),
    }
}

fn order_end(end: &OrderEnd) -> pb::OrderEnd {
    let reason = match end.reason {
        EndReason::PlacementFailed(_) => pb::EndReason::PlacementFailed,
        EndReason::PlacementInterrupted => pb::EndReason::PlacementInterrupted,
        EndReason::CancelledByConsumer => pb::EndReason::CancelledByConsumer,
        EndReason::NotAcceptedInTime => pb::EndReason::NotAcceptedInTime,
        EndReason::PaymentHoldExpired => pb::EndReason::PaymentHoldExpired,
        EndReason::PaymentReturned => pb::EndReason::PaymentReturned,
        EndReason::PaymentCaptureFailed => pb::EndReason::PaymentCaptureFailed,
        EndReason::RejectedByStore => pb::EndReason::RejectedByStore,
    };
    pb::OrderEnd {
        reason: reason.into(),
        charged: end.is_charged,
        message: end.message.to_string(),
    }
}
