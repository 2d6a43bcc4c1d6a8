//! Reports effects that need attention: as errors in the log, and as metrics.

use std::time::Duration;

use kit::metrics::Gauge;

use crate::Payments;
use crate::db::effects;
use crate::domain::effect::{EffectCount, EffectState, KINDS};

const INTERVAL: Duration = Duration::from_mins(1);

static EFFECTS: Gauge = Gauge::new(
    "payments.effects",
    "Unfinished calls to the payment provider by state",
);
static OVERDUE: Gauge = Gauge::new(
    "payments.effects.overdue",
    "Planned calls to the payment provider that do not succeed for longer than EFFECT_ALARM_SECONDS",
);

/// Effects that need attention.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Alarms {
    pub failed: i64,
    pub overdue: i64,
}

/// Runs until shutdown. Counts at the start too, so that a process that restarts often reports failed effects.
pub async fn run(cx: Payments) {
    loop {
        if let Err(error) = raise_alarms(&cx).await {
            tracing::warn!(%error, "effects not counted; will retry");
        }
        if !cx.process.sleep(INTERVAL).await {
            return;
        }
    }
}

/// Counts the effects that need attention and logs an error if there are any.
pub async fn raise_alarms(cx: &Payments) -> Result<Alarms, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let counts = effects::count_unfinished(&mut conn).await?;
    let (overdue, oldest) = effects::count_overdue(&mut conn, cx.effects.alarm_after).await?;
    drop(conn);
    record_metrics(&counts, overdue);
    let failed = counts
        .iter()
        .filter(|count| count.state == EffectState::Failed)
        .map(|count| count.count)
        .sum();
    if failed > 0 {
        tracing::error!(failed, "effects have failed; see `payments effects list`");
    }
    if let Some(oldest) = oldest {
        tracing::error!(overdue, %oldest, "effects are overdue; see `payments effects list`");
    }
    Ok(Alarms { failed, overdue })
}

fn record_metrics(counts: &[EffectCount], overdue: i64) {
    for kind in KINDS {
        for state in [EffectState::Planned, EffectState::Failed] {
            let count = counts
                .iter()
                .find(|count| (count.kind.as_str(), count.state) == (kind, state))
                .map_or(0, |count| count.count);
            EFFECTS.set_count(count, &[("kind", kind), ("state", state.as_str())]);
        }
    }
    OVERDUE.set_count(overdue, &[]);
}
