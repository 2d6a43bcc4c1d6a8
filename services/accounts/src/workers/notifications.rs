//! Sends notifications concurrently, so that a slow one delays no other. Each channel has its own limit of concurrent sends,
//! so that a provider that does not respond delays no other channel.
//!
//! Text messages and emails whose outcome is unknown are not sent again. Pushes are: the device shows a repeated one once.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use kit::{InternalError, lifecycle::Process};
use tokio::task::JoinSet;

use super::{attempts::count_notification, messages::retry_delay};
use crate::{
    Accounts,
    db::{
        notifications::{self, EndState, Notification},
        push_subscriptions, settings,
    },
    domain::{
        notification::{Channel, is_urgent, path, quiet_until},
        push::PushSubscription,
        stop_token::stop_token,
    },
    sender::{SEND_TIMEOUT, SendError, Senders, email::Email, push::PushError, push_message::PushMessage},
};

const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Longer than two attempts: an email server is connected to before the email is sent.
const LEASE: Duration = Duration::from_secs(40);
/// Number of notifications of a channel that are sent at the same time.
const MAX_CONCURRENT: usize = 32;

const _: () = assert!(SEND_TIMEOUT.as_secs() * 2 < LEASE.as_secs());

/// What happens to a due notification, as the consumer's settings and sessions are now.
enum Decision {
    SendTo(Target),
    /// The consumer turned the channel off, was removed or signed out on the device, or a later event of the order makes it
    /// outdated.
    Withhold,
    /// The quiet hours last until then.
    Postpone(Timestamp),
}

enum Target {
    Push(PushSubscription),
    Sms(String),
    Email(String),
}

pub(super) async fn run(process: Process, cx: Accounts, senders: Arc<Senders>) {
    let mut channels = Channel::ALL.map(|channel| (channel, JoinSet::new()));
    while process.sleep(POLL_INTERVAL).await {
        if let Err(error) = end_interrupted(&cx).await {
            tracing::warn!(%error, "interrupted notifications not ended; will retry");
        }
        for (channel, sending) in &mut channels {
            while let Some(result) = sending.try_join_next() {
                log_panic(result);
            }
            match lease(&cx, *channel, MAX_CONCURRENT - sending.len()).await {
                Ok(leased) => {
                    for notification in leased {
                        sending.spawn(send(cx.clone(), Arc::clone(&senders), notification));
                    }
                }
                Err(error) => tracing::warn!(%error, "notifications not leased; will retry"),
            }
        }
    }
    for (_, mut sending) in channels {
        while let Some(result) = sending.join_next().await {
            log_panic(result);
        }
    }
}

fn log_panic(result: Result<(), tokio::task::JoinError>) {
    if let Err(error) = result {
        tracing::error!(%error, "sender of notifications panicked");
    }
}

async fn end_interrupted(cx: &Accounts) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let interrupted = notifications::end_interrupted(&mut conn).await?;
    if interrupted > 0 {
        tracing::error!(
            notifications = interrupted,
            "notifications interrupted; they may have been sent"
        );
    }
    Ok(())
}

async fn lease(cx: &Accounts, channel: Channel, free: usize) -> Result<Vec<Notification>, InternalError> {
    let limit = i64::try_from(free).unwrap_or(i64::MAX);
    if limit == 0 {
        return Ok(Vec::new());
    }
    let mut conn = cx.pool.acquire().await?;
    Ok(notifications::lease(&mut conn, channel, cx.clock.now(), LEASE, limit).await?)
}

async fn send(cx: Accounts, senders: Arc<Senders>, notification: Notification) {
    let result = send_and_record(&cx, &senders, &notification).await;
    if let Err(error) = result {
        tracing::warn!(%error, channel = notification.channel, "notification not sent, or its result not recorded");
    }
}

async fn send_and_record(
    cx: &Accounts,
    senders: &Senders,
    notification: &Notification,
) -> Result<(), InternalError> {
    let target = match decide(cx, notification).await? {
        Decision::SendTo(target) => target,
        Decision::Withhold => {
            let mut conn = cx.pool.acquire().await?;
            return Ok(notifications::end(&mut conn, notification, EndState::Withheld).await?);
        }
        Decision::Postpone(until) => {
            let mut conn = cx.pool.acquire().await?;
            return Ok(notifications::postpone(&mut conn, notification, until).await?);
        }
    };
    let mut conn = cx.pool.acquire().await?;
    if !notifications::begin_sending(&mut conn, notification, LEASE).await? {
        return Ok(());
    }
    drop(conn);
    let sent = match tokio::time::timeout(LEASE / 2, send_to(cx, senders, notification, &target)).await {
        Ok(sent) => sent,
        Err(elapsed) => Err(SendError::Unclear(elapsed.into()).into()),
    };
    count_notification(&notification.channel, &sent);
    record(cx, notification, sent).await
}

async fn decide(cx: &Accounts, notification: &Notification) -> Result<Decision, InternalError> {
    let (consumer, now) = (notification.consumer_id, cx.clock.now());
    let mut conn = cx.pool.acquire().await?;
    let Some(contact) = settings::find_contact(&mut conn, consumer).await? else {
        return Ok(Decision::Withhold);
    };
    let zone = cx.notifications.zone_of(&contact.time_zone);
    if let Some(until) = quiet_until(&notification.template, now, &zone) {
        return Ok(Decision::Postpone(until));
    }
    if is_urgent(&notification.template) && notifications::is_outdated(&mut conn, notification).await? {
        return Ok(Decision::Withhold);
    }
    let target = match Channel::parse(&notification.channel) {
        Some(Channel::Push) if contact.push => {
            let device = push_subscriptions::find(&mut conn, consumer, notification.target_id, now).await?;
            device.map(Target::Push)
        }
        Some(Channel::Sms) if contact.sms => Some(Target::Sms(contact.phone)),
        Some(Channel::Email) if contact.email && !contact.email_address.is_empty() => {
            Some(Target::Email(contact.email_address))
        }
        _ => None,
    };
    Ok(target.map_or(Decision::Withhold, Decision::SendTo))
}

async fn send_to(
    cx: &Accounts,
    senders: &Senders,
    notification: &Notification,
    target: &Target,
) -> Result<(), PushError> {
    let id = notification.message_id.to_string();
    let (title, body) = (&notification.title, &notification.body);
    let origin = &cx.notifications.origin;
    let path = path(&notification.template, &notification.order_id);
    let stop_token = |channel| stop_token(&cx.secret, notification.consumer_id, channel);
    match target {
        Target::Push(subscription) => {
            let left = notification.expires_at.duration_since(cx.clock.now());
            let message = PushMessage {
                id,
                consumer_id: notification.consumer_id.to_string(),
                title: title.clone(),
                body: body.clone(),
                path,
                stop_token: stop_token(Channel::Push),
                device_id: notification.target_id,
                expires_at: notification.expires_at,
                seconds_to_live: left.as_secs().max(0).unsigned_abs(),
            };
            senders.push.send(subscription, &message).await
        }
        Target::Sms(phone) => {
            let stop = stop_token(Channel::Sms);
            let text = format!(
                "{title}. {body} {origin}{path}\nStop texts: {origin}/account/stop-notifications?token={stop}"
            );
            Ok(senders.messages.send(&id, phone, &text).await?)
        }
        Target::Email(address) => {
            let Some(sender) = &senders.email else {
                let error = anyhow::anyhow!("no mail server is configured");
                return Err(SendError::Permanent(error).into());
            };
            let stop = stop_token(Channel::Email);
            let email = Email {
                id,
                to: address.clone(),
                subject: title.clone(),
                text: format!(
                    "{body}\n\n{origin}{path}\n\nDon't want these emails? Stop them with one tap:\n\
                     {origin}/account/stop-notifications?token={stop}\n"
                ),
                stop_url: Some(format!(
                    "{origin}/api/consumer/user/stop-notifications?token={stop}"
                )),
            };
            Ok(sender.send(&email).await?)
        }
    }
}

async fn record(
    cx: &Accounts,
    notification: &Notification,
    sent: Result<(), PushError>,
) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let (channel, attempts, now) = (&*notification.channel, notification.attempts, cx.clock.now());
    let is_repeatable = channel == Channel::Push.as_str();
    let state = match sent {
        Ok(()) => EndState::Sent,
        Err(PushError::Gone) => {
            push_subscriptions::delete(&mut conn, notification.target_id).await?;
            EndState::Withheld
        }
        Err(PushError::Send(SendError::Transient(error))) => {
            tracing::warn!(
                channel,
                attempts,
                error = format!("{error:#}"),
                "notification not sent; will retry"
            );
            let delay = retry_delay(attempts);
            return Ok(notifications::retry_after(&mut conn, notification, now, delay).await?);
        }
        Err(PushError::Send(SendError::Unclear(error))) if is_repeatable => {
            tracing::warn!(
                channel,
                attempts,
                error = format!("{error:#}"),
                "push may have failed; will retry"
            );
            let delay = retry_delay(attempts);
            return Ok(notifications::retry_after(&mut conn, notification, now, delay).await?);
        }
        Err(PushError::Send(SendError::Unclear(error))) => {
            tracing::error!(
                channel,
                error = format!("{error:#}"),
                "notification may have been sent"
            );
            EndState::Unclear
        }
        Err(PushError::Send(SendError::Permanent(error))) => {
            tracing::error!(channel, error = format!("{error:#}"), "notification rejected");
            EndState::Rejected
        }
    };
    Ok(notifications::end(&mut conn, notification, state).await?)
}
