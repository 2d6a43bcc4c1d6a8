//! Claws back the value of a purchase after its bank debit was returned.

use jiff::Timestamp;
use kit::{InternalError, outbox};
use ledger::{BalanceAfter, account};
use sqlx::PgConnection;
use types::{BalanceId, Money};

use super::removed_buyer::anonymize_if_removed;
use crate::{
    GiftCards, convert,
    db::{
        accounts::{self, account_id},
        auto_reload, gift_cards, postings, purchases,
    },
    domain::purchase::{Failure, Item, Purchase, PurchaseState},
    ops::publish_balance_changed::publish_balance_changed,
};

/// Ends a purchase as returned. Value that was still pending is not issued, and a consumer who was removed is not
/// notified of it. Value that was issued is taken back as far as it was not spent; the event reports the rest, which the
/// consumer owes. The rule of an automatic reload is paused, because the bank would return the next one as well.
///
/// A gift card that its recipient has redeemed keeps its value: the buyer owes all of it.
pub(in crate::ops) async fn claw_back(
    cx: &GiftCards,
    conn: &mut PgConnection,
    purchase: Purchase,
    now: Timestamp,
) -> Result<(), InternalError> {
    let was_issued = purchase.state == PurchaseState::Completed;
    let failure = returned();
    let is_changed = purchases::advance(conn, &purchase, PurchaseState::Returned, Some(&failure), now)
        .await?
        .is_some();
    if !is_changed {
        return Ok(());
    }
    if !was_issued && anonymize_if_removed(conn, purchase.consumer_id, now).await? {
        return Ok(());
    }
    let is_reload_paused = purchase.is_automatic && pause_reloads(cx, conn, &purchase, now).await?;
    let shortfall = if was_issued {
        take_back(conn, &purchase, now).await?
    } else {
        Money::ZERO
    };
    tracing::info!(purchase_id = %purchase.id, %shortfall, "purchase returned by the bank");
    let event = convert::purchase_returned(&purchase, shortfall, is_reload_paused, now);
    outbox::append(conn, event).await?;
    Ok(())
}

/// Pauses the rule of a reload. Returns `false` if the consumer has turned the rule off, chosen another method or paused it for longer.
async fn pause_reloads(
    cx: &GiftCards,
    conn: &mut PgConnection,
    purchase: &Purchase,
    now: Timestamp,
) -> Result<bool, InternalError> {
    let until = now + cx.rules.auto_reload_freeze();
    let (consumer_id, method_id) = (purchase.consumer_id, &purchase.payment_method_id);
    let paused_until = auto_reload::pause(conn, consumer_id, method_id, until, now).await?;
    Ok(paused_until == Some(until))
}

/// Returns the part of the amount that was spent.
async fn take_back(
    conn: &mut PgConnection,
    purchase: &Purchase,
    now: Timestamp,
) -> Result<Money, InternalError> {
    let shortfall = match purchase.balance_id {
        Some(balance_id) if can_take_back(conn, purchase, now).await? => {
            take_from(conn, purchase, balance_id, now).await?
        }
        _ => purchase.amount,
    };
    postings::post_shortfall(conn, purchase.id, shortfall, now).await?;
    Ok(shortfall)
}

/// Cancels a gift card that was not redeemed. Returns `false` if someone other than the buyer has it.
async fn can_take_back(
    conn: &mut PgConnection,
    purchase: &Purchase,
    now: Timestamp,
) -> Result<bool, InternalError> {
    let Item::GiftCard { id, .. } = &purchase.item else {
        return Ok(true);
    };
    gift_cards::lock(conn, *id).await?;
    let holder = gift_cards::find(conn, *id)
        .await?
        .and_then(|card| card.consumer_id);
    match holder {
        None => {
            gift_cards::cancel(conn, *id, now).await?;
            Ok(true)
        }
        Some(holder) => Ok(holder == purchase.consumer_id),
    }
}

async fn take_from(
    conn: &mut PgConnection,
    purchase: &Purchase,
    balance_id: BalanceId,
    now: Timestamp,
) -> Result<Money, InternalError> {
    let account = account_id(balance_id);
    let available = account::lock_balance(conn, account).await?.unwrap_or_default();
    let amount = available.min(purchase.amount.minor_units());
    let bonus = (available - amount).min(purchase.bonus().minor_units());
    let posted = postings::post_return(
        conn,
        purchase.id,
        account,
        (Money::usd(bonus), Money::usd(amount)),
        now,
    )
    .await?;
    if let Some(after) = posted.and_then(|posted| posted.from) {
        publish(conn, balance_id, after, now).await?;
    }
    purchase
        .amount
        .minus(Money::usd(amount))
        .map_err(InternalError::invariant_violated)
}

async fn publish(
    conn: &mut PgConnection,
    balance_id: BalanceId,
    after: BalanceAfter,
    now: Timestamp,
) -> Result<(), InternalError> {
    if let Some(consumer_id) = accounts::consumer_of(conn, balance_id).await? {
        publish_balance_changed(conn, consumer_id, balance_id, after, now).await?;
    }
    Ok(())
}

fn returned() -> Failure {
    Failure::conflict(
        "PAYMENT_RETURNED",
        "Your bank returned the payment for this purchase.",
    )
}
