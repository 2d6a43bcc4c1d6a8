//! Background workers. Several replicas may run them.

mod attempts;
mod email_verifications;
pub mod messages;
mod notifications;
pub mod prune;

use std::{sync::Arc, time::Duration};

use kit::lifecycle::Process;

use crate::{
    Accounts,
    ops::{delete_photos::delete_photos, write_tombstones::write_tombstones},
    sender::Senders,
};

/// Interval for writing tombstones that could not be written when their session ended. Once Redis is available again,
/// gateways can accept an ended session for up to this time.
const TOMBSTONE_INTERVAL: Duration = Duration::from_secs(1);

/// Interval for deleting files of photos that could not be deleted when they were replaced.
const PHOTO_INTERVAL: Duration = Duration::from_mins(1);

/// Starts the workers. They run until shutdown.
pub fn start(process: &Process, cx: &Accounts, senders: &Arc<Senders>) {
    let (context, accounts, sender) = (process.clone(), cx.clone(), Arc::clone(&senders.messages));
    process.spawn_worker("messages", move || {
        messages::run(context.clone(), accounts.clone(), Arc::clone(&sender))
    });
    let (context, accounts, for_emails) = (process.clone(), cx.clone(), Arc::clone(senders));
    process.spawn_worker("email-verifications", move || {
        email_verifications::run(context.clone(), accounts.clone(), Arc::clone(&for_emails))
    });
    let (context, accounts, senders) = (process.clone(), cx.clone(), Arc::clone(senders));
    process.spawn_worker("notifications", move || {
        notifications::run(context.clone(), accounts.clone(), Arc::clone(&senders))
    });
    let (context, accounts) = (process.clone(), cx.clone());
    process.spawn_worker("tombstones", move || {
        run_tombstones(context.clone(), accounts.clone())
    });
    let (context, accounts) = (process.clone(), cx.clone());
    process.spawn_worker("photos", move || run_photos(context.clone(), accounts.clone()));
    let (context, accounts) = (process.clone(), cx.clone());
    process.spawn_worker("prune-accounts", move || {
        prune::run(context.clone(), accounts.clone())
    });
}

async fn run_tombstones(process: Process, cx: Accounts) {
    while process.sleep(TOMBSTONE_INTERVAL).await {
        if let Err(error) = write_tombstones(&cx).await {
            tracing::warn!(%error, "tombstones not written; will retry");
        }
    }
}

async fn run_photos(process: Process, cx: Accounts) {
    while process.sleep(PHOTO_INTERVAL).await {
        if let Err(error) = delete_photos(&cx).await {
            tracing::warn!(%error, "photos not deleted; will retry");
        }
    }
}
