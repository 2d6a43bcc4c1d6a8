use types::ChargeId;

use crate::Payments;
use crate::db::charges;
use crate::db::effects::plan_missing;
use crate::domain::effect::Effect;

/// Plans the effect that is due to reach the target state of a charge, if it is not planned: its row is missing or done, or
/// it failed without a code. Effects that can never succeed are planned again only by the command line.
pub async fn replan_effect(cx: &Payments, id: ChargeId) -> Result<(), kit::InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let Some(charge) = charges::lock(&mut tx, id).await? else {
        return Ok(());
    };
    let Some(effect) = charge.next_effect() else {
        return Ok(());
    };
    let effect = Effect::Charge(id, effect);
    if plan_missing(&mut tx, effect).await? {
        tracing::warn!(%effect, subject = %charge.subject, "planned a missing effect");
        tx.commit().await?;
        cx.wake_effects_worker();
    }
    Ok(())
}
