//! Deletes old tombstones, counts of wrong PINs and ended freezes at a fixed interval.

use std::time::Duration;

use kit::lifecycle::Process;

use crate::{
    GiftCards,
    ops::prune_tombstones::{prune_freezes, prune_pin_attempts, prune_tombstones},
};

const INTERVAL: Duration = Duration::from_hours(1);

/// Prunes in a worker until shutdown.
pub(crate) fn start(process: &Process, cx: &GiftCards) {
    let (context, cx) = (process.clone(), cx.clone());
    process.spawn_worker("prune tombstones", move || run(context.clone(), cx.clone()));
}

async fn run(process: Process, cx: GiftCards) {
    loop {
        match prune_tombstones(&cx).await {
            Ok(0) => {}
            Ok(rows) => tracing::info!(rows, table = "holds", "pruned"),
            Err(error) => tracing::warn!(%error, table = "holds", "prune failed; will retry"),
        }
        if let Err(error) = prune_pin_attempts(&cx).await {
            tracing::warn!(%error, table = "pin_attempts", "prune failed; will retry");
        }
        if let Err(error) = prune_freezes(&cx).await {
            tracing::warn!(%error, table = "auto_reload_freezes", "prune failed; will retry");
        }
        if !process.sleep(INTERVAL).await {
            return;
        }
    }
}
