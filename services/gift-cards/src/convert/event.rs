//! Encodes events for the outbox.

use jiff::Timestamp;
use kit::{InternalError, outbox::OutboxEntry};
use ledger::BalanceAfter;
use proto::{
    events::Event as _,
    giftcards::v1::{self as pb, balance_event, purchase_event::Change},
};
use types::{BalanceId, ConsumerId, Currency, GiftCardId, Money};

use crate::domain::{
    auto_reload::AutoReload,
    failed_refund::FailedRefund,
    hold::RefundHold,
    purchase::{Failure, Item, Purchase, PurchaseState},
};

/// Versions of the events about a purchase, in their order.
mod version {
    pub(super) const ENDED: i64 = 1;
    pub(super) const DELIVERED: i64 = 2;
    pub(super) const RETURNED: i64 = 3;
}

/// Encodes `BalanceChanged`. Its version is the line number of the posting that changed the balance.
pub(crate) fn balance_changed(
    consumer_id: ConsumerId,
    balance_id: BalanceId,
    after: BalanceAfter,
    at: Timestamp,
) -> OutboxEntry {
    let change = pb::BalanceChanged {
        available_minor_units: after.balance,
        currency: Currency::Usd.code().to_owned(),
        changed_at: at.to_string(),
    };
    let change = balance_event::Change::BalanceChanged(change);
    balance_entry(consumer_id, balance_id, change, after.line, at)
}

/// Encodes `BalanceChanged` for a statement that computes the balance and the version. Returns the event, and the index of the balance
/// in its payload: a varint of 9 bytes, which suffices for each balance that is not negative.
///
/// # Errors
/// The payload does not have such a varint.
pub(crate) fn balance_changed_without_balance(
    consumer_id: ConsumerId,
    balance_id: BalanceId,
    at: Timestamp,
) -> Result<(OutboxEntry, i32), InternalError> {
    let placeholder = BalanceAfter {
        line: 0,
        balance: i64::MAX,
    };
    let entry = balance_changed(consumer_id, balance_id, placeholder, at);
    let encoded = &[u8::MAX; 8];
    // All other fields are ASCII text, which has no such bytes.
    let index = entry
        .payload
        .windows(encoded.len())
        .position(|bytes| bytes == encoded);
    let index = index.ok_or_else(|| InternalError::invariant_violated("no balance in BalanceChanged"))?;
    let index = i32::try_from(index).map_err(InternalError::invariant_violated)?;
    Ok((entry, index))
}

pub(crate) fn refund_credited(
    refund: &FailedRefund,
    consumer_id: ConsumerId,
    balance_id: BalanceId,
    after: BalanceAfter,
    at: Timestamp,
) -> OutboxEntry {
    let change = pb::RefundCredited {
        amount_minor_units: refund.amount.minor_units(),
        currency: refund.amount.currency().code().to_owned(),
        order_id: refund.order_id.map(|id| id.to_string()).unwrap_or_default(),
        credited_at: at.to_string(),
        refund_id: refund.id.clone(),
    };
    let change = balance_event::Change::RefundCredited(change);
    balance_entry(consumer_id, balance_id, change, after.line, at)
}

pub(crate) fn hold_refunded(
    refund: &RefundHold,
    balance_name: String,
    consumer_id: ConsumerId,
    balance_id: BalanceId,
    after: BalanceAfter,
    at: Timestamp,
) -> OutboxEntry {
    let change = pb::HoldRefunded {
        amount_minor_units: refund.amount.minor_units(),
        currency: refund.amount.currency().code().to_owned(),
        order_id: refund.order_id.to_string(),
        refund_id: refund.refund_id.clone(),
        balance_name,
        refunded_at: at.to_string(),
    };
    let change = balance_event::Change::HoldRefunded(change);
    balance_entry(consumer_id, balance_id, change, after.line, at)
}

fn balance_entry(
    consumer_id: ConsumerId,
    balance_id: BalanceId,
    change: balance_event::Change,
    version: i64,
    at: Timestamp,
) -> OutboxEntry {
    let event = pb::BalanceEvent {
        consumer_id: consumer_id.to_string(),
        balance_id: balance_id.to_string(),
        change: Some(change),
    };
    OutboxEntry::new(event.event_type(), &event, balance_id.to_string(), version, at)
}

pub(crate) fn gift_card_issued(purchase: &Purchase, id: GiftCardId, at: Timestamp) -> OutboxEntry {
    let change = Change::GiftCardIssued(pb::GiftCardIssued {});
    purchase_entry(snapshot(purchase, Some(id), at), change, version::ENDED, at)
}

pub(crate) fn gift_card_delivered(
    purchase: &Purchase,
    id: GiftCardId,
    recipient: Option<ConsumerId>,
    at: Timestamp,
) -> OutboxEntry {
    let recipient = recipient.filter(|recipient| *recipient != purchase.consumer_id);
    let change = Change::GiftCardDelivered(pb::GiftCardDelivered {
        recipient_id: recipient.map(|id| id.to_string()).unwrap_or_default(),
        value_minor_units: purchase.value.minor_units(),
    });
    purchase_entry(snapshot(purchase, Some(id), at), change, version::DELIVERED, at)
}

pub(crate) fn auto_reloaded(purchase: &Purchase, after: BalanceAfter, at: Timestamp) -> OutboxEntry {
    let change = Change::AutoReloaded(pb::AutoReloaded {
        balance_minor_units: after.balance,
    });
    purchase_entry(snapshot(purchase, None, at), change, version::ENDED, at)
}

/// Encodes `AutoReloadFailed`. Without an end of the pause, the rule was turned off.
pub(crate) fn auto_reload_failed(
    purchase: &Purchase,
    failure: &Failure,
    paused_until: Option<Timestamp>,
    at: Timestamp,
) -> OutboxEntry {
    let change = reload_failure(failure, paused_until);
    purchase_entry(snapshot(purchase, None, at), change, version::ENDED, at)
}

/// Encodes `AutoReloadFailed` of a reload that did not begin.
pub(crate) fn auto_reload_not_started(
    rule: &AutoReload,
    failure: &Failure,
    paused_until: Timestamp,
    at: Timestamp,
) -> OutboxEntry {
    let snapshot = pb::PurchaseSnapshot {
        purchase_id: String::new(),
        consumer_id: rule.consumer_id.to_string(),
        amount_minor_units: rule.amount.minor_units(),
        currency: rule.amount.currency().code().to_owned(),
        gift_card_id: String::new(),
        company_name: String::new(),
        changed_at: at.to_string(),
    };
    purchase_entry(
        snapshot,
        reload_failure(failure, Some(paused_until)),
        version::ENDED,
        at,
    )
}

fn reload_failure(failure: &Failure, paused_until: Option<Timestamp>) -> Change {
    Change::AutoReloadFailed(pb::AutoReloadFailed {
        reason: failure.reason.clone(),
        message: failure.message.clone(),
        paused_until: paused_until.map(|until| until.to_string()).unwrap_or_default(),
        turned_off: paused_until.is_none(),
    })
}

pub(crate) fn purchase_returned(
    purchase: &Purchase,
    shortfall: Money,
    is_reload_paused: bool,
    at: Timestamp,
) -> OutboxEntry {
    let change = Change::PurchaseReturned(pb::PurchaseReturned {
        shortfall_minor_units: shortfall.minor_units(),
        was_pending: purchase.state != PurchaseState::Completed,
        auto_reload_paused: is_reload_paused,
    });
    purchase_entry(snapshot(purchase, None, at), change, version::RETURNED, at)
}

/// Encodes `PurchaseConfirmed` of a purchase that has not been completed yet.
pub(crate) fn purchase_confirmed(purchase: &Purchase, at: Timestamp) -> OutboxEntry {
    let change = Change::PurchaseConfirmed(pb::PurchaseConfirmed {
        was_pending: purchase.state == PurchaseState::Processing,
    });
    let card = match &purchase.item {
        Item::GiftCard { id, .. } => Some(*id),
        Item::TopUp { .. } | Item::CompanyCard { .. } => None,
    };
    purchase_entry(snapshot(purchase, card, at), change, version::ENDED, at)
}

fn snapshot(purchase: &Purchase, card: Option<GiftCardId>, at: Timestamp) -> pb::PurchaseSnapshot {
    pb::PurchaseSnapshot {
        purchase_id: purchase.id.to_string(),
        consumer_id: purchase.consumer_id.to_string(),
        amount_minor_units: purchase.amount.minor_units(),
        currency: purchase.amount.currency().code().to_owned(),
        gift_card_id: card.map(|id| id.to_string()).unwrap_or_default(),
        company_name: match &purchase.item {
            Item::CompanyCard { company_name, .. } => company_name.clone(),
            Item::TopUp { .. } | Item::GiftCard { .. } => String::new(),
        },
        changed_at: at.to_string(),
    }
}

fn purchase_entry(
    snapshot: pb::PurchaseSnapshot,
    change: Change,
    version: i64,
    at: Timestamp,
) -> OutboxEntry {
    let aggregate_id = if snapshot.purchase_id.is_empty() {
        snapshot.consumer_id.clone()
    } else {
        snapshot.purchase_id.clone()
    };
    let event = pb::PurchaseEvent {
        purchase: Some(snapshot),
        change: Some(change),
    };
    OutboxEntry::new(event.event_type(), &event, aggregate_id, version, at)
}
