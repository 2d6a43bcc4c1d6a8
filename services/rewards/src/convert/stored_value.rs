//! Consumed events about stored value.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, require_field};
use proto::giftcards::v1::{BalanceEvent, PurchaseEvent, balance_event, purchase_event::Change};
use types::EventId;

use super::event::{changed_at, money};
use crate::domain::{
    order::{Refund, RefundDestination, RefundedOrder},
    stored_value::{StoredValueChange, StoredValueChangeKind},
};

/// Returns `None` if the buyer is not notified about the change: they see it at once, or another event follows.
pub(crate) fn purchase_change(
    event: PurchaseEvent,
    event_id: EventId,
    now: Timestamp,
) -> Result<Option<StoredValueChange>, ConsumeError> {
    let Some(change) = event.change else {
        return Ok(None);
    };
    let purchase = require_field(event.purchase, "purchase")?;
    let cents = |cents: i64| money(cents, &purchase.currency);
    let amount = cents(purchase.amount_minor_units)?;
    let kind = match change {
        Change::GiftCardIssued(_) => return Ok(None),
        Change::GiftCardDelivered(_) => StoredValueChangeKind::GiftCardDelivered { amount },
        Change::AutoReloaded(reloaded) => StoredValueChangeKind::AutoReloaded {
            amount,
            balance: cents(reloaded.balance_minor_units)?,
        },
        Change::AutoReloadFailed(failed) => StoredValueChangeKind::AutoReloadFailed {
            amount,
            explanation: failed.message,
            is_turned_off: failed.turned_off,
        },
        // Payments publishes the debt.
        Change::PurchaseReturned(returned) if returned.shortfall_minor_units > 0 => return Ok(None),
        Change::PurchaseReturned(returned) => StoredValueChangeKind::PurchaseReturned {
            amount,
            was_pending: returned.was_pending,
            is_reload_paused: returned.auto_reload_paused,
        },
        Change::PurchaseConfirmed(confirmed) => StoredValueChangeKind::PurchaseConfirmed {
            amount,
            is_gift_card: !purchase.gift_card_id.is_empty(),
            was_pending: confirmed.was_pending,
        },
    };
    Ok(Some(StoredValueChange {
        consumer_id: purchase.consumer_id.parse()?,
        reference: event_id.to_string(),
        at: changed_at(&purchase.changed_at, now),
        kind,
    }))
}

/// Returns `None` for other changes of a purchase, and if the recipient of the gift card is not another consumer.
pub(crate) fn received_gift_card(
    event: &PurchaseEvent,
    now: Timestamp,
) -> Result<Option<StoredValueChange>, ConsumeError> {
    let (Some(purchase), Some(Change::GiftCardDelivered(delivered))) = (&event.purchase, &event.change)
    else {
        return Ok(None);
    };
    if delivered.recipient_id.is_empty() || delivered.recipient_id == purchase.consumer_id {
        return Ok(None);
    }
    Ok(Some(StoredValueChange {
        consumer_id: delivered.recipient_id.parse()?,
        reference: format!("gift_card_received:{}", purchase.gift_card_id),
        at: changed_at(&purchase.changed_at, now),
        kind: StoredValueChangeKind::GiftCardReceived {
            amount: money(delivered.value_minor_units, &purchase.currency)?,
        },
    }))
}

/// Returns `None` for other changes of a balance.
pub(crate) fn refund_credited(
    event: BalanceEvent,
    event_id: EventId,
    revoked_points: i64,
    now: Timestamp,
) -> Result<Option<StoredValueChange>, ConsumeError> {
    let Some(balance_event::Change::RefundCredited(credited)) = event.change else {
        return Ok(None);
    };
    let order_id = match credited.order_id.as_str() {
        "" => None,
        id => Some(id.parse()?),
    };
    Ok(Some(StoredValueChange {
        consumer_id: event.consumer_id.parse()?,
        reference: event_id.to_string(),
        at: changed_at(&credited.credited_at, now),
        kind: StoredValueChangeKind::RefundCredited {
            amount: money(credited.amount_minor_units, &credited.currency)?,
            order_id,
            revoked_points,
        },
    }))
}

/// Returns `None` if no order was refunded, or an earlier release published the event.
pub(crate) fn credited_order(
    event: &BalanceEvent,
    now: Timestamp,
) -> Result<Option<RefundedOrder>, ConsumeError> {
    let Some(balance_event::Change::RefundCredited(credited)) = &event.change else {
        return Ok(None);
    };
    if credited.order_id.is_empty() || credited.refund_id.is_empty() {
        return Ok(None);
    }
    Ok(Some(RefundedOrder {
        order_id: credited.order_id.parse()?,
        refund_id: credited.refund_id.clone(),
        consumer_id: event.consumer_id.parse()?,
        amount: money(credited.amount_minor_units, &credited.currency)?,
        refunded_at: changed_at(&credited.credited_at, now),
    }))
}

/// Returns `None` for other changes of a balance.
pub(crate) fn hold_refund(event: BalanceEvent, now: Timestamp) -> Result<Option<Refund>, ConsumeError> {
    let Some(balance_event::Change::HoldRefunded(refunded)) = event.change else {
        return Ok(None);
    };
    // Payments may use the same id for its part of the refund.
    let refund_id = format!("stored-value:{}", refunded.refund_id);
    Ok(Some(Refund {
        reference: format!("refund:{}:{refund_id}", refunded.order_id),
        refund_id,
        consumer_id: event.consumer_id.parse()?,
        order_id: Some(refunded.order_id.parse()?),
        amount: money(refunded.amount_minor_units, &refunded.currency)?,
        refunded_at: changed_at(&refunded.refunded_at, now),
        destination: RefundDestination::StoredValue(refunded.balance_name),
    }))
}
