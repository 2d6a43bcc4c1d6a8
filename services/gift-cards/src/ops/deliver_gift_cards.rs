//! Sends the messages with gift cards that are due.

use std::{error::Error, sync::Arc, time::Duration};

use kit::{InternalError, backoff::Backoff, metrics::Counter, outbox};
use types::ConsumerId;

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
/// Time to find the recipient among the consumers.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(10);
/// Longer than an attempt to send, so that no other replica sends the message at the same time.
const LEASE: Duration = Duration::from_mins(1);
const RETRY: Backoff = Backoff::new(Duration::from_secs(5), Duration::from_hours(1));
/// Attempts (about 35 seconds) after which a card is sent without looking up its recipient: a late card is worse than a missing
/// notification.
const MAX_LOOKUP_ATTEMPTS: i32 = 4;
/// After so many attempts, about three days, an operator is notified. Attempts continue: the card is paid.
const ALARM_ATTEMPTS: i32 = 80;

static ATTEMPTS: Counter = Counter::new(
    "gift_cards.delivery.attempts",
    "Attempts to send gift cards by result",
);

const _: () = assert!(LOOKUP_TIMEOUT.as_secs() + SEND_TIMEOUT.as_secs() < LEASE.as_secs());

/// Sends the messages concurrently, so that each is sent within its lease and a slow one delays no other. Returns the number of
/// messages that it attempted to send.
pub async fn deliver_gift_cards(
    cx: &GiftCards,
    sender: &Arc<dyn GiftMessageSender>,
) -> Result<usize, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let due = deliveries::lease_due(&mut conn, LEASE, BATCH_SIZE).await?;
    drop(conn);
    let count = due.len();
    let tasks: Vec<_> = due
        .into_iter()
        .map(|delivery| {
            let (task_cx, task_sender) = (cx.clone(), Arc::clone(sender));
            cx.process.spawn(async move {
                if let Err(error) = deliver(&task_cx, &task_sender, &delivery).await {
                    let gift_card_id = delivery.gift_card_id;
                    tracing::warn!(%gift_card_id, %error, "gift card delivery not recorded; will retry");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.map_err(InternalError::invariant_violated)?;
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
    let recipient = match find_recipient(cx, &message).await {
        Ok(recipient) => recipient,
        Err(error) if delivery.attempts < MAX_LOOKUP_ATTEMPTS => {
            return retry_later(cx, delivery, &error).await;
        }
        Err(error) => {
            let gift_card_id = delivery.gift_card_id;
            tracing::warn!(%gift_card_id, %error, "recipient lookup failed; sending without a notification");
            None
        }
    };
    let id = delivery.gift_card_id.to_string();
    let attempt = sender.send(&id, &message);
    let sent = tokio::time::timeout(SEND_TIMEOUT, attempt)
        .await
        .unwrap_or_else(|elapsed| Err(SendError(elapsed.into())));
    let result = if sent.is_ok() { "sent" } else { "not_sent" };
    ATTEMPTS.add(1, &[("result", result)]);
    match sent {
        Ok(()) => {
            kit::fault_point::reach("delivery.sent");
            finish(cx, &purchase, delivery, recipient).await
        }
        Err(error) => retry_later(cx, delivery, &error).await,
    }
}

async fn find_recipient(cx: &GiftCards, message: &GiftMessage) -> Result<Option<ConsumerId>, InternalError> {
    let lookup = cx.clients.accounts.find_recipient(&message.recipient);
    tokio::time::timeout(LOOKUP_TIMEOUT, lookup)
        .await
        .unwrap_or_else(|elapsed| Err(anyhow::Error::from(elapsed).into()))
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

/// Records that the message was sent, and erases the recipient's address.
async fn finish(
    cx: &GiftCards,
    purchase: &Purchase,
    delivery: &Delivery,
    recipient: Option<ConsumerId>,
) -> Result<(), InternalError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    if deliveries::delete(&mut tx, delivery.gift_card_id).await? {
        purchases::erase_recipient(&mut tx, purchase.id).await?;
        let event = convert::gift_card_delivered(purchase, delivery.gift_card_id, recipient, now);
        outbox::append(&mut tx, event).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn retry_later(
    cx: &GiftCards,
    delivery: &Delivery,
    error: &(dyn Error + Send + Sync),
) -> Result<(), InternalError> {
    let (gift_card_id, attempts) = (delivery.gift_card_id, delivery.attempts);
    if attempts >= ALARM_ATTEMPTS {
        tracing::error!(%gift_card_id, attempts, %error, "gift card not delivered; will retry");
    } else {
        tracing::warn!(%gift_card_id, attempts, %error, "gift card not delivered; will retry");
    }
    let delay = RETRY.delay_after(u32::try_from(attempts).unwrap_or_default());
    let mut conn = cx.pool.acquire().await?;
    Ok(deliveries::retry_after(&mut conn, gift_card_id, delay).await?)
}
