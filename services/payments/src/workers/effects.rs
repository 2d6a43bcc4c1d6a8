//! Executes due effects.

use kit::telemetry;
use tokio::task::{JoinError, JoinSet};
use tracing::Instrument;
use tracing::field::Empty;

use crate::Payments;
use crate::db::effects::{self, ClaimedEffect};
use crate::ops::execute_effect::execute_effect;

/// Maximum number of effects that are executed at the same time. Each starts when it is claimed, so that its lease covers its calls.
const MAX_CONCURRENT: usize = 32;

/// Runs until shutdown. Claims effects while others are executed, so that a slow call delays no other effect. Finishes the effects
/// that were claimed.
pub async fn run(cx: Payments) {
    let mut executing = JoinSet::new();
    while !cx.process.shutdown.is_cancelled() {
        if let Err(error) = start_due_effects(&cx, &mut executing).await {
            tracing::warn!(%error, "effects not claimed; will retry");
        }
        tokio::select! {
            // More effects may be due than could be claimed.
            Some(result) = executing.join_next() => log_panic(result),
            () = cx.wait_for_planned_effects() => {}
            () = tokio::time::sleep(cx.effects.poll_interval) => {}
            () = cx.process.shutdown.cancelled() => {}
        }
        while let Some(result) = executing.try_join_next() {
            log_panic(result);
        }
    }
    finish(executing).await;
}

/// Executes due effects, each once. Returns their number.
pub async fn execute_due_effects(cx: &Payments) -> Result<usize, kit::InternalError> {
    let mut executing = JoinSet::new();
    let count = start_due_effects(cx, &mut executing).await?;
    finish(executing).await;
    Ok(count)
}

/// Claims and starts due effects, as many as can be executed at the same time. Returns their number.
async fn start_due_effects(cx: &Payments, executing: &mut JoinSet<()>) -> Result<usize, kit::InternalError> {
    let free = MAX_CONCURRENT.saturating_sub(executing.len());
    if free == 0 {
        return Ok(0);
    }
    let mut conn = cx.pool.acquire().await?;
    let limit = i64::try_from(free).unwrap_or(i64::MAX);
    let claimed = effects::claim_due(&mut conn, cx.effects.lease, limit).await?;
    drop(conn);
    let count = claimed.len();
    for effect in claimed {
        let span = span(&effect);
        executing.spawn(execute_and_log(cx.clone(), effect).instrument(span));
    }
    Ok(count)
}

async fn finish(mut executing: JoinSet<()>) {
    while let Some(result) = executing.join_next().await {
        log_panic(result);
    }
}

fn log_panic(result: Result<(), JoinError>) {
    if let Err(error) = result {
        tracing::error!(%error, "effect panicked; due again when its lease expires");
    }
}

async fn execute_and_log(cx: Payments, claimed: ClaimedEffect) {
    let effect = claimed.effect;
    if let Err(error) = execute_effect(&cx, claimed).await {
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
