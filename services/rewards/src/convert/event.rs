//! Consumed and published events.

use jiff::{Timestamp, tz::TimeZone};
use kit::{consumer::ConsumeError, outbox::OutboxEntry};
use ledger::BalanceAfter;
use proto::values::v1::JourneyStep;
use proto::{
    events::Event as _,
    ordering::v1::{self as ordering, OrderDelayed, OrderEnd, OrderSnapshot, TenderKind},
    payments::v1::{ChargePurpose, ChargeSnapshot, RefundDone},
    rewards::v1::{
        InboxEvent, InboxMessageAdded, NotificationEvent, NotificationParameters, NotificationRequested,
        PointsEarned, PointsEvent, inbox_event, notification_event, points_event,
    },
};
use types::{ConsumerId, Currency, EventId, MessageId, Money, MoneyError};

use crate::domain::{
    inbox::NewMessage,
    message_text::MessageText,
    order::{
        CompletedOrder, DelayedOrder, EndReason, EndStatus, EndedOrder, ReadyOrder, Refund,
        RefundDestination, StoredValue, Tender, UnpaidOrder,
    },
};

pub(crate) fn completed_order(order: OrderSnapshot, now: Timestamp) -> Result<CompletedOrder, ConsumeError> {
    Ok(CompletedOrder {
        order_id: order.order_id.parse()?,
        consumer_id: order.consumer_id.parse()?,
        store_id: order.store_id.parse().ok(),
        earning: money(order.earning_minor_units, &order.currency)?,
        total: money(order.total_minor_units, &order.currency)?,
        is_in_app: order.journey_step() == JourneyStep::App,
        completed_at: changed_at(&order.changed_at, now),
        store_name: order.store_name,
    })
}

pub(crate) fn unpaid_order(order: OrderSnapshot, now: Timestamp) -> Result<UnpaidOrder, ConsumeError> {
    Ok(UnpaidOrder {
        order_id: order.order_id.parse()?,
        consumer_id: order.consumer_id.parse()?,
        amount: money(
            order.total_minor_units - order.stored_value_minor_units,
            &order.currency,
        )?,
        failed_at: changed_at(&order.changed_at, now),
        store_name: order.store_name,
    })
}

pub(crate) fn ready_order(order: OrderSnapshot, now: Timestamp) -> Result<ReadyOrder, ConsumeError> {
    Ok(ReadyOrder {
        order_id: order.order_id.parse()?,
        consumer_id: order.consumer_id.parse()?,
        made_at: changed_at(&order.changed_at, now),
        store_name: order.store_name,
        pickup_number: order.pickup_number,
    })
}

/// # Errors
/// [`ConsumeError::Rejected`] if the promised time or the time zone is invalid.
pub(crate) fn delayed_order(
    order: OrderSnapshot,
    delayed: OrderDelayed,
    now: Timestamp,
) -> Result<DelayedOrder, ConsumeError> {
    let ready_at: Timestamp = order
        .ready_at
        .parse()
        .map_err(|_| ConsumeError::Rejected(format!("invalid ready time {:?}", order.ready_at)))?;
    let zone = TimeZone::get(&order.time_zone)
        .map_err(|_| ConsumeError::Rejected(format!("unknown time zone {:?}", order.time_zone)))?;
    Ok(DelayedOrder {
        order_id: order.order_id.parse()?,
        consumer_id: order.consumer_id.parse()?,
        version: order.version,
        ready_at: ready_at.to_zoned(zone),
        delayed_at: changed_at(&order.changed_at, now),
        is_moved: order.status() == ordering::OrderStatus::Scheduled,
        store_name: order.store_name,
        reason: delayed.reason,
    })
}

/// # Errors
/// [`ConsumeError::Rejected`] if the tender or the end reason is unknown, or an id or the currency is invalid.
pub(crate) fn ended_order(
    order: OrderSnapshot,
    end: OrderEnd,
    status: EndStatus,
    now: Timestamp,
) -> Result<EndedOrder, ConsumeError> {
    Ok(EndedOrder {
        order_id: order.order_id.parse()?,
        consumer_id: order.consumer_id.parse()?,
        status,
        reason: end_reason(end.reason)?,
        is_charged: end.charged,
        message: end.message,
        total: money(order.total_minor_units, &order.currency)?,
        tender: tender(order.tender)?,
        stored_value: stored_value(&order)?,
        ready_at: order.ready_at.parse().ok(),
        ended_at: changed_at(&order.changed_at, now),
        store_name: order.store_name,
    })
}

fn stored_value(order: &OrderSnapshot) -> Result<Option<StoredValue>, ConsumeError> {
    if order.stored_value_minor_units <= 0 || order.stored_value_name.is_empty() {
        return Ok(None);
    }
    Ok(Some(StoredValue {
        amount: money(order.stored_value_minor_units, &order.currency)?,
        name: order.stored_value_name.clone(),
    }))
}

/// Returns `None` if the consumer was removed. The reference contains the event's id, because a charge can be
/// refunded in parts, each with its own event.
pub(crate) fn refund(
    charge: &ChargeSnapshot,
    refund: &RefundDone,
    event_id: EventId,
    now: Timestamp,
) -> Result<Option<Refund>, ConsumeError> {
    if charge.consumer_id.is_empty() {
        return Ok(None);
    }
    let order_id = match &charge.subject {
        Some(subject) if subject.purpose() == ChargePurpose::Order => Some(subject.id.parse()?),
        _ => None,
    };
    Ok(Some(Refund {
        reference: format!("refund:{event_id}"),
        refund_id: format!("{}:{}", charge.charge_id, refund.refund_id),
        consumer_id: charge.consumer_id.parse()?,
        order_id,
        amount: money(refund.amount_minor_units, &charge.currency)?,
        destination: RefundDestination::PaymentMethod,
        refunded_at: changed_at(&charge.changed_at, now),
    }))
}

pub(super) fn money(minor_units: i64, currency: &str) -> Result<Money, ConsumeError> {
    let currency: Currency = currency
        .parse()
        .map_err(|error: MoneyError| ConsumeError::Rejected(error.to_string()))?;
    Ok(Money::new(minor_units, currency))
}

/// Parses the time of a change, so that a delayed event is dated with its change and not its arrival. Returns `now` if
/// the time is missing, malformed or in the future.
pub(crate) fn changed_at(text: &str, now: Timestamp) -> Timestamp {
    text.parse().map_or(now, |at: Timestamp| at.min(now))
}

fn tender(tender: i32) -> Result<Tender, ConsumeError> {
    match TenderKind::try_from(tender) {
        Ok(TenderKind::Card) => Ok(Tender::Card),
        Ok(TenderKind::Bank) => Ok(Tender::Bank),
        Ok(TenderKind::Joepass) => Ok(Tender::JoePass),
        Ok(TenderKind::GiftCard) => Ok(Tender::GiftCard),
        Ok(TenderKind::ApplePay) => Ok(Tender::ApplePay),
        Ok(TenderKind::GooglePay) => Ok(Tender::GooglePay),
        Ok(TenderKind::Unspecified) | Err(_) => {
            Err(ConsumeError::Rejected(format!("unknown tender {tender}")))
        }
    }
}

fn end_reason(reason: i32) -> Result<EndReason, ConsumeError> {
    match ordering::EndReason::try_from(reason) {
        Ok(ordering::EndReason::PlacementFailed) => Ok(EndReason::PlacementFailed),
        Ok(ordering::EndReason::PlacementInterrupted) => Ok(EndReason::PlacementInterrupted),
        Ok(ordering::EndReason::CancelledByConsumer) => Ok(EndReason::CancelledByConsumer),
        Ok(ordering::EndReason::NotAcceptedInTime) => Ok(EndReason::NotAcceptedInTime),
        Ok(ordering::EndReason::PaymentHoldExpired) => Ok(EndReason::PaymentHoldExpired),
        Ok(ordering::EndReason::PaymentReturned) => Ok(EndReason::PaymentReturned),
        Ok(ordering::EndReason::PaymentCaptureFailed) => Ok(EndReason::PaymentCaptureFailed),
        Ok(ordering::EndReason::RejectedByStore) => Ok(EndReason::RejectedByStore),
        Ok(ordering::EndReason::Unspecified) | Err(_) => {
            Err(ConsumeError::Rejected(format!("unknown end reason {reason}")))
        }
    }
}

/// Encodes `PointsEarned`. Its version is the line number of the posting.
pub(crate) fn points_earned(
    order: &CompletedOrder,
    points: i64,
    after: BalanceAfter,
    now: Timestamp,
) -> OutboxEntry {
    let change = PointsEarned {
        order_id: order.order_id.to_string(),
        points,
        balance: after.balance,
        earned_at: order.completed_at.to_string(),
    };
    let event = PointsEvent {
        consumer_id: order.consumer_id.to_string(),
        change: Some(points_event::Change::PointsEarned(change)),
    };
    let consumer_id = order.consumer_id.to_string();
    OutboxEntry::new(event.event_type(), &event, consumer_id, after.line, now)
}

/// Encodes `InboxMessageAdded`. A message is added once, so its version is 1.
pub(crate) fn inbox_message_added(
    consumer_id: ConsumerId,
    message_id: MessageId,
    unseen: u32,
    now: Timestamp,
) -> OutboxEntry {
    let change = InboxMessageAdded {
        message_id: message_id.to_string(),
        unseen,
    };
    let event = InboxEvent {
        consumer_id: consumer_id.to_string(),
        change: Some(inbox_event::Change::MessageAdded(change)),
    };
    OutboxEntry::new(event.event_type(), &event, message_id.to_string(), 1, now)
}

/// Encodes `NotificationRequested` for a message that also goes out by push, SMS or email.
pub(crate) fn notification_requested(
    message: &NewMessage,
    text: MessageText,
    message_id: MessageId,
    now: Timestamp,
) -> OutboxEntry {
    let parameters = NotificationParameters {
        title: text.title,
        body: text.body,
        order_id: message.order_id.map(|id| id.to_string()).unwrap_or_default(),
    };
    let change = NotificationRequested {
        message_id: message_id.to_string(),
        template: message.notification.kind.to_owned(),
        parameters: Some(parameters),
        requested_at: now.to_string(),
        occurred_at: message.at.to_string(),
        useful_until: message.useful_until.map(|at| at.to_string()).unwrap_or_default(),
    };
    let event = NotificationEvent {
        consumer_id: message.consumer_id.to_string(),
        change: Some(notification_event::Change::Requested(change)),
    };
    OutboxEntry::new(event.event_type(), &event, message_id.to_string(), 1, now)
}
