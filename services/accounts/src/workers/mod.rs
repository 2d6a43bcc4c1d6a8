//! What runs by itself: sending messages, and forgetting what is of no use any more.

use std::{sync::Arc, time::Duration};

use kit::{InternalError, lifecycle::Process};

use crate::{
    Accounts,
    db::{challenges, messages},
    sender::MessageSender,
};

const EVERY: Duration = Duration::from_millis(250);
const LEASE: Duration = Duration::from_secs(20);
const FORGET_AFTER: Duration = Duration::from_secs(86_400);

/// Starts the worker on a tracked task. Several replicas may run it.
pub fn start(process: &Process, cx: &Accounts, sender: Arc<dyn MessageSender>) {
    let (own, cx) = (process.clone(), cx.clone());
    drop(process.spawn(async move {
        while own.sleep(EVERY).await {
            if let Err(fault) = turn(&cx, sender.as_ref()).await {
                tracing::warn!(error = %fault, "sending failed, trying again");
            }
        }
    }));
}

async fn turn(cx: &Accounts, sender: &dyn MessageSender) -> Result<(), InternalError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let given_up = messages::give_up(&mut conn, now).await?;
    if given_up > 0 {
        tracing::error!(
            messages = given_up,
            "messages were not sent while they were of use"
        );
    }
    challenges::forget(&mut conn, now - FORGET_AFTER).await?;
    for message in messages::claim(&mut conn, now, now + LEASE).await? {
        match sender
            .send(&message.id.to_string(), &message.phone, &message.body)
            .await
        {
            Ok(()) => messages::delete(&mut conn, message.id).await?,
            Err(error) => {
                tracing::warn!(
                    attempts = message.attempts,
                    error = format!("{error:#}"),
                    "message not sent yet"
                );
            }
        }
    }
    Ok(())
}
