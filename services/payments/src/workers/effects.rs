//! Executes due effects.

use futures::StreamExt;
use kit::telemetry;
use tracing::Instrument;
use tracing::field::Empty;

use crate::Payments;
use crate::db::effects::{self, ClaimedEffect};
use crate::ops::execute_effect::execute_effect;

/// Number of effects that are claimed and executed at once.
const BATCH_SIZE: usize = 8;

/// Runs until shutdown. Finishes the effects that were claimed.
pub async fn run(cx: Payments) {
    while !cx.process.shutdown.is_cancelled() {
        match execute_due_effects(&cx).await {
            Ok(0) => {}
            Ok(_) => continue,
            Err(error) => tracing::warn!(%error, "effects not claimed; will retry"),
        }
        tokio::select! {
            () = cx.wait_for_planned_effects() => {}
            () = tokio::time::sleep(cx.effects.poll_interval) => {}
            () = cx.process.shutdown.cancelled() => {}
        }
    }
}

/// Executes one batch of due effects, each once. Returns the size of the batch.
pub async fn execute_due_effects(cx: &Payments) -> Result<usize, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let limit = i64::try_from(BATCH_SIZE).unwrap_or(i64::MAX);
    let batch = effects::claim_due(&mut conn, cx.effects.lease, limit).await?;
    drop(conn);
    let count = batch.len();
    futures::stream::iter(batch)
        .for_each_concurrent(BATCH_SIZE, |claimed| {
            let span = span(&claimed);
            execute_and_log(cx, claimed).instrument(span)
        })
        .await;
    Ok(count)
}

async fn execute_and_log(cx: &Payments, claimed: ClaimedEffect) {
    let effect = claimed.effect;
    if let Err(error) = execute_effect(cx, claimed).await {
        tracing::warn!(?effect, %error, "effect interrupted; due again when its lease expires");
    }
}

/// Starts a trace per attempt, linked to the trace that planned the effect, which may have ended hours ago.
fn span(claimed: &ClaimedEffect) -> tracing::Span {
    let span = tracing::info_span!(
        "execute_effect",
        otel.name = format!("execute {}", claimed.effect.kind()),
        attempts = claimed.attempts,
        subject = Empty,
        order_id = Empty,
    );
    telemetry::link(&span, claimed.trace_parent.as_deref());
    span
}
