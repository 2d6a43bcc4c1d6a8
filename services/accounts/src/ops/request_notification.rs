use kit::InternalError;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Accounts,
    db::{notifications, push_subscriptions, settings},
    domain::notification::{Channel, RequestedNotification, is_sent_by},
};

/// Queues a notification on the channels that the consumer turned on, and for push on each signed-in device. Does nothing
/// if the consumer was removed, if the notification has expired, or on a channel where the message was queued before.
pub async fn request_notification(
    cx: &Accounts,
    tx: &mut PgConnection,
    notification: &RequestedNotification,
) -> Result<(), InternalError> {
    let now = cx.clock.now();
    let consumer = notification.consumer_id;
    let Some(contact) = settings::find_contact(tx, consumer).await? else {
        return Ok(());
    };
    let mut targets = Vec::new();
    if contact.sms {
        targets.push((Channel::Sms, Uuid::nil()));
    }
    if contact.email && cx.notifications.has_email && !contact.email_address.is_empty() {
        targets.push((Channel::Email, Uuid::nil()));
    }
    if contact.push && cx.notifications.has_push {
        let devices = push_subscriptions::list(tx, consumer, now).await?;
        targets.extend(devices.into_iter().map(|device| (Channel::Push, device)));
    }
    targets.retain(|(channel, _)| is_sent_by(&notification.template, *channel));
    let schedule = notification.schedule(&cx.notifications.zone_of(&contact.time_zone));
    if schedule.expires_at <= now {
        return Ok(());
    }
    for (channel, target) in targets {
        notifications::insert(tx, notification, channel, target, schedule, now).await?;
    }
    Ok(())
}
