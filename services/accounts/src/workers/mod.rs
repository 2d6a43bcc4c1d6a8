//! Background worker: sends messages and deletes old codes.

use std::{sync::Arc, time::Duration};

use kit::{InternalError, lifecycle::Process};

use crate::{
    Accounts,
    db::{challenges, messages},
    sender::MessageSender,
};

const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Time for one attempt to send. Also the interval between attempts.
const LEASE: Duration = Duration::from_secs(20);
const CHALLENGE_RETENTION: Duration = Duration::from_hours(24);

/// Runs until shutdown. Several replicas may run it.
pub(crate) async fn run(process: Process, cx: Accounts, sender: Arc<dyn MessageSender>) {
    while process.sleep(POLL_INTERVAL).await {
        if let Err(error) = run_once(&cx, sender.as_ref()).await {
            tracing::warn!(%error, "message worker failed; will retry");
        }
    }
}

async fn run_once(cx: &Accounts, sender: &dyn MessageSender) -> Result<(), InternalError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let expired = messages::delete_expired(&mut conn, now).await?;
    if expired > 0 {
        tracing::error!(messages = expired, "messages expired before they were sent");
    }
    challenges::delete_sent_before(&mut conn, now - CHALLENGE_RETENTION).await?;
    for message in messages::lease(&mut conn, now, now + LEASE).await? {
        match sender
            .send(&message.id.to_string(), &message.phone, &message.body)
            .await
        {
            Ok(()) => messages::delete(&mut conn, message.id).await?,
            Err(error) => {
                tracing::warn!(
                    attempts = message.attempts,
                    error = format!("{error:#}"),
                    "message not sent; will retry"
                );
            }
        }
    }
    Ok(())
}
