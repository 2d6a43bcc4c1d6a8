//! Sends the messages with gift cards that are due.

use std::{sync::Arc, time::Duration};

use kit::{InternalError, backoff::Backoff, outbox};

use crate::{
    GiftCards, convert,
    db::{deliveries, purchases},
    domain::{
        gift_card::Delivery,
        purchase::{Item, Purchase},
    },
    sender::{GiftMessage, GiftMessageSender, SEND_TIMEOUT, SendError},
};

const BATCH_SIZE: i64 = 20;
/// Longer than an attempt to send, so that no other replica sends the message at the same time.
const LEASE: Duration = Duration::from_mins(1);
const RETRY: Backoff = Backoff::new(Duration::from_secs(5), Duration::from_hours(1));
/// After so many attempts, about three days, an operator is notified. Attempts continue: the card is paid.
const ALARM_ATTEMPTS: i32 = 80;

const _: () = assert!(SEND_TIMEOUT.as_secs() < LEASE.as_secs());

/// Returns the number of messages that it attempted to send.
pub async fn deliver_gift_cards(
    cx: &GiftCards,
    sender: &Arc<dyn GiftMessageSender>,
) -> Result<usize, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let due = deliveries::lease_due(&mut conn, cx.clock.now(), LEASE, BATCH_SIZE).await?;
    drop(conn);
    let count = due.len();
    for delivery in due {
        deliver(cx, sender, &delivery).await?;
    }
    Ok(count)
}

async fn deliver(
    cx: &GiftCards,
    sender: &Arc<dyn GiftMessageSender>,
    delivery: &Delivery,
) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let purchase = purchases::find(&mut conn, delivery.purchase_id).await?;
    drop(conn);
    let message = purchase.as_ref().and_then(|purchase| message(cx, purchase));
    let (Some(purchase), Some(message)) = (purchase, message) else {
        return Err(InternalError::invariant_violated("a delivery without recipient"));
    };
    let id = delivery.gift_card_id.to_string();
    let attempt = sender.send(&id, &message);
    match tokio::time::timeout(SEND_TIMEOUT, attempt).await {
        Ok(Ok(())) => {
            kit::fault_point::reach("delivery.sent");
            finish(cx, &purchase, delivery).await
        }
        Ok(Err(error)) => retry_later(cx, delivery, &error).await,
        Err(elapsed) => retry_later(cx, delivery, &SendError(elapsed.into())).await,
    }
}

fn message(cx: &GiftCards, purchase: &Purchase) -> Option<GiftMessage> {
    let Item::GiftCard {
        id,
        recipient,
        message,
        design,
        ..
    } = &purchase.item
    else {
        return None;
    };
    Some(GiftMessage {
        recipient: recipient.clone(),
        amount: purchase.value,
        code: cx.secret.gift_code(*id),
        text: message.clone(),
        design: design.clone(),
    })
}

/// Records that the message was sent, and erases the recipient.
async fn finish(cx: &GiftCards, purchase: &Purchase, delivery: &Delivery) -> Result<(), InternalError> {
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    if deliveries::delete(&mut tx, delivery.gift_card_id).await? {
        purchases::erase_recipient(&mut tx, purchase.id).await?;
        let event = convert::gift_card_delivered(purchase, delivery.gift_card_id, now);
        outbox::append(&mut tx, event).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn retry_later(cx: &GiftCards, delivery: &Delivery, error: &SendError) -> Result<(), InternalError> {
    let (gift_card_id, attempts) = (delivery.gift_card_id, delivery.attempts);
    if attempts >= ALARM_ATTEMPTS {
        tracing::error!(%gift_card_id, attempts, %error, "gift card not delivered; will retry");
    } else {
        tracing::warn!(%gift_card_id, attempts, %error, "gift card not delivered; will retry");
    }
    let delay = RETRY.delay_after(u32::try_from(attempts).unwrap_or_default());
    let mut conn = cx.pool.acquire().await?;
    Ok(deliveries::retry_at(&mut conn, gift_card_id, cx.clock.now() + delay).await?)
}
