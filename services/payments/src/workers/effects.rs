//! Carries out what is planned: claims tasks that are due and tries each once.

use futures::StreamExt;
use kit::telemetry;
use tracing::Instrument;
use tracing::field::Empty;

use crate::Payments;
use crate::db::effects::{self, Claimed};
use crate::ops::carry_out::carry_out;

/// Tasks that are claimed at once.
const AT_ONCE: usize = 8;

/// Runs until the process is told to stop; a task that was begun is finished.
pub async fn run(cx: Payments) {
    while !cx.process.shutdown.is_cancelled() {
        match once(&cx).await {
            Ok(0) => {}
            Ok(_) => continue,
            Err(error) => tracing::warn!(%error, "planned calls to the payment provider must wait"),
        }
        tokio::select! {
            () = cx.wait_for_effects() => {}
            () = tokio::time::sleep(cx.effects.look_every) => {}
            () = cx.process.shutdown.cancelled() => {}
        }
    }
}

/// Carries out what is due now, each task once. Returns how many there were.
///
/// # Errors
/// The database's.
pub async fn once(cx: &Payments) -> Result<usize, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let most = i64::try_from(AT_ONCE).unwrap_or(i64::MAX);
    let claimed = effects::claim(&mut conn, cx.clock.now(), cx.effects.lease, most).await?;
    drop(conn);
    let count = claimed.len();
    futures::stream::iter(claimed)
        .for_each_concurrent(AT_ONCE, |claimed| {
            let span = span(&claimed);
            carry_out_one(cx, claimed).instrument(span)
        })
        .await;
    Ok(count)
}

async fn carry_out_one(cx: &Payments, claimed: Claimed) {
    let task = claimed.task;
    if let Err(error) = carry_out(cx, claimed).await {
        tracing::warn!(?task, %error, "a planned call was interrupted; its lease brings it back");
    }
}

/// A trace of its own, each try: it may be hours later. It links back to what planned the call.
fn span(claimed: &Claimed) -> tracing::Span {
    let span = tracing::info_span!(
        "carry out",
        otel.name = format!("carry out {}", claimed.task.name()),
        attempts = claimed.attempts,
        order_id = Empty,
    );
    telemetry::link(&span, claimed.trace_parent.as_deref());
    span
}
