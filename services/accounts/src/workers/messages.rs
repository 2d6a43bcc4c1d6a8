//! Sends queued messages concurrently, so that a slow one delays no other.

use std::{sync::Arc, time::Duration};

use kit::{InternalError, lifecycle::Process};
use tokio::task::JoinSet;

use super::attempts::{SIGN_IN_CODE, count_requested};
use crate::{
    Accounts,
    db::messages::{self, Message},
    sender::{MessageSender, SEND_TIMEOUT, SendError},
};

/// Finds messages that another replica queued and did not send, and those that are sent again.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Time for the transaction of a new message to end.
const INSERT_TIME: Duration = Duration::from_millis(30);
/// Longer than `SEND_TIMEOUT`, so that no other replica sends the message at the same time.
const LEASE: Duration = Duration::from_secs(20);
const MAX_CONCURRENT: usize = 32;
const MIN_RETRY_DELAY: Duration = Duration::from_secs(1);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(30);

const _: () = assert!(SEND_TIMEOUT.as_secs() < LEASE.as_secs());

pub(super) async fn run(process: Process, cx: Accounts, sender: Arc<dyn MessageSender>) {
    let mut sending = JoinSet::new();
    while wait(&process).await {
        while let Some(result) = sending.try_join_next() {
            log_panic(result);
        }
        match lease(&cx, MAX_CONCURRENT - sending.len()).await {
            Ok(leased) => {
                for message in leased {
                    sending.spawn(send(cx.clone(), Arc::clone(&sender), message));
                }
            }
            Err(error) => tracing::warn!(%error, "messages not leased; will retry"),
        }
    }
    while let Some(result) = sending.join_next().await {
        log_panic(result);
    }
}

/// Returns false when shutdown is requested.
async fn wait(process: &Process) -> bool {
    tokio::select! {
        is_running = process.sleep(POLL_INTERVAL) => is_running,
        () = messages::wait_for_insert() => process.sleep(INSERT_TIME).await,
    }
}

/// The lease of the message expires, and it is sent again.
fn log_panic(result: Result<(), tokio::task::JoinError>) {
    if let Err(error) = result {
        tracing::error!(%error, "sender panicked; will retry");
    }
}

async fn lease(cx: &Accounts, free: usize) -> Result<Vec<Message>, InternalError> {
    let limit = i64::try_from(free).unwrap_or(i64::MAX);
    if limit == 0 {
        return Ok(Vec::new());
    }
    let mut conn = cx.pool.acquire().await?;
    Ok(messages::lease(&mut conn, cx.clock.now(), LEASE, limit).await?)
}

async fn send(cx: Accounts, sender: Arc<dyn MessageSender>, message: Message) {
    let id = message.id.to_string();
    let attempt = sender.send(&id, &message.phone, &message.body);
    let result = tokio::time::timeout(SEND_TIMEOUT, attempt)
        .await
        .unwrap_or_else(|elapsed| Err(SendError::Transient(elapsed.into())));
    count_requested(SIGN_IN_CODE, &result);
    let recorded = record(&cx, &message, result).await;
    if let Err(error) = recorded {
        tracing::warn!(%error, "message result not recorded; the message is sent again when its lease expires");
    }
}

async fn record(
    cx: &Accounts,
    message: &Message,
    result: Result<(), SendError>,
) -> Result<(), InternalError> {
    let attempts = message.attempts;
    let mut conn = cx.pool.acquire().await?;
    match result {
        Ok(()) => messages::delete(&mut conn, message.id).await?,
        Err(SendError::Permanent(error)) => {
            tracing::error!(attempts, error = format!("{error:#}"), "message rejected");
            messages::delete(&mut conn, message.id).await?;
        }
        // A sign-in code may arrive twice.
        Err(SendError::Transient(error) | SendError::Unclear(error)) => {
            tracing::warn!(
                attempts,
                error = format!("{error:#}"),
                "message not sent; will retry"
            );
            messages::retry_after(&mut conn, message, retry_delay(attempts)).await?;
        }
    }
    Ok(())
}

/// Doubles with each attempt.
pub(super) fn retry_delay(attempts: i32) -> Duration {
    let doublings = u32::try_from(attempts.clamp(1, 10) - 1).unwrap_or(0);
    MIN_RETRY_DELAY
        .saturating_mul(1 << doublings)
        .min(MAX_RETRY_DELAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_doubles_up_to_a_maximum() {
        let seconds = [1, 2, 3, 5, 6, 100].map(|attempts| retry_delay(attempts).as_secs());
        assert_eq!(seconds, [1, 2, 4, 16, 30, 30]);
    }
}
