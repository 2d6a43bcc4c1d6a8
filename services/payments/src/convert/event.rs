//! Published events.

use jiff::Timestamp;
use kit::outbox::OutboxEntry;
use proto::events::Event;
use proto::payments::v1 as pb;
use proto::payments::v1::charge_event::Change;

use super::charge::{method_kind, subject_message};
use crate::domain::charge::{Charge, ChargeEvent, ChargeState};
use crate::domain::payment_method::MethodVersion;

/// Builds the outbox entry of an event about a charge. Returns `None` for a tombstone, which has no terms.
pub fn charge_outbox_entry(charge: &Charge, event: ChargeEvent, at: Timestamp) -> Option<OutboxEntry> {
    let event = charge_event(charge, event, at)?;
    let (id, version) = (charge.id.to_string(), charge.version);
    Some(OutboxEntry::new(event.event_type(), &event, id, version, at))
}

fn charge_event(charge: &Charge, event: ChargeEvent, at: Timestamp) -> Option<pb::ChargeEvent> {
    let terms = charge.terms.as_ref()?;
    let consumer_id = match event {
        ChargeEvent::DebtCreated { consumer_id, .. } => consumer_id,
        _ => terms.consumer_id,
    };
    Some(pb::ChargeEvent {
        charge: Some(pb::ChargeSnapshot {
            charge_id: charge.id.to_string(),
            consumer_id: consumer_id.map(|id| id.to_string()).unwrap_or_default(),
            amount_minor_units: terms.amount.minor_units(),
            currency: terms.amount.currency().code().to_owned(),
            changed_at: at.to_string(),
            subject: Some(subject_message(charge.subject)),
            method_kind: method_kind(charge).into(),
        }),
        change: Some(change(charge, event)),
    })
}

fn change(charge: &Charge, event: ChargeEvent) -> Change {
    match event {
        ChargeEvent::Authorized => Change::Authorized(pb::PaymentAuthorized {}),
        ChargeEvent::Declined => Change::Declined(payment_declined(&charge.state)),
        ChargeEvent::Settled => Change::Settled(pb::PaymentSettled {}),
        ChargeEvent::Returned => Change::Returned(pb::PaymentReturned {
            order_ended: charge.is_released() && charge.refunded_minor_units == 0,
        }),
        ChargeEvent::Refunded(refund) => Change::Refunded(pb::RefundDone {
            refund_id: refund.refund_id,
            amount_minor_units: refund.amount.minor_units(),
        }),
        ChargeEvent::RefundFailed(refund) => Change::RefundFailed(pb::RefundFailed {
            refund_id: refund.refund_id,
            amount_minor_units: refund.amount.minor_units(),
        }),
        ChargeEvent::CaptureFailed => Change::CaptureFailed(pb::CaptureFailed {}),
        ChargeEvent::Disputed { amount, respond_by } => Change::Disputed(pb::PaymentDisputed {
            amount_minor_units: amount.minor_units(),
            respond_by: respond_by.map(|at| at.to_string()).unwrap_or_default(),
        }),
        ChargeEvent::DebtCreated {
            debt_id,
            consumer_id,
            amount,
            penalty_fee,
            name,
            refunded,
        } => Change::DebtCreated(pb::DebtCreated {
            debt_id: debt_id.to_string(),
            amount_minor_units: amount.minor_units(),
            penalty_fee_minor_units: penalty_fee.minor_units(),
            name,
            refunded_minor_units: Some(refunded.minor_units()),
            of_removed_consumer: consumer_id.is_some() && is_of_removed_consumer(charge),
        }),
        ChargeEvent::DebtRecovered { debt_id, amount } => Change::DebtRecovered(pb::DebtRecovered {
            debt_id: debt_id.to_string(),
            amount_minor_units: amount.minor_units(),
        }),
    }
}

fn is_of_removed_consumer(charge: &Charge) -> bool {
    let terms = charge.terms.as_ref();
    terms.is_some_and(|terms| terms.consumer_id.is_none())
}

fn payment_declined(state: &ChargeState) -> pb::PaymentDeclined {
    match state {
        ChargeState::Declined(decline) => pb::PaymentDeclined {
            reason: decline.reason.as_str().to_owned(),
            message: decline.message.clone(),
        },
        _ => pb::PaymentDeclined::default(),
    }
}

/// Builds the outbox entry of the event that a payment method was added, changed or removed.
pub fn method_outbox_entry(method: MethodVersion, is_removed: bool, at: Timestamp) -> OutboxEntry {
    let event = method_changed(method, is_removed);
    let (id, version) = (method.id.to_string(), method.version);
    OutboxEntry::new(event.event_type(), &event, id, version, at)
}

fn method_changed(method: MethodVersion, is_removed: bool) -> pb::PaymentMethodEvent {
    pb::PaymentMethodEvent {
        consumer_id: method.consumer_id.to_string(),
        payment_method_id: method.id.to_string(),
        change: Some(pb::payment_method_event::Change::MethodChanged(
            pb::MethodChanged { is_removed },
        )),
    }
}
