//! Deletes old tombstones, wrong promo codes and messages at a fixed interval.

use std::time::Duration;

use kit::lifecycle::Process;

use crate::{
    Rewards,
    ops::{
        prune_messages::prune_messages, prune_promo_failures::prune_promo_failures,
        prune_tombstones::prune_tombstones,
    },
};

const INTERVAL: Duration = Duration::from_hours(1);

/// Prunes in a worker until shutdown.
pub(crate) fn start(process: &Process, cx: &Rewards) {
    let (context, cx) = (process.clone(), cx.clone());
    process.spawn_worker("prune tombstones", move || run(context.clone(), cx.clone()));
}

async fn run(process: Process, cx: Rewards) {
    loop {
        match prune_tombstones(&cx).await {
            Ok(0) => {}
            Ok(rows) => tracing::info!(rows, table = "claims", "pruned"),
            Err(error) => tracing::warn!(%error, table = "claims", "prune failed; will retry"),
        }
        if let Err(error) = prune_promo_failures(&cx).await {
            tracing::warn!(%error, table = "promo_failures", "prune failed; will retry");
        }
        match prune_messages(&cx).await {
            Ok(0) => {}
            Ok(rows) => tracing::info!(rows, table = "messages", "pruned"),
            Err(error) => tracing::warn!(%error, table = "messages", "prune failed; will retry"),
        }
        if !process.sleep(INTERVAL).await {
            return;
        }
    }
}
