//! Carries out one planned call to the provider.

use std::time::Duration;

use types::{ChargeId, PaymentMethodId};

use super::attach_test_card;
use super::observe::observe;
use crate::Payments;
use crate::db::effects::{self, Claimed, Task};
use crate::db::{charges, methods};
use crate::domain::charge::{Charge, Effect, State};
use crate::provider::{Authorization, PaymentProvider, ProviderError, Snapshot};

/// Tries a claimed task once: it is done then, or put off with backoff, or given up.
///
/// # Errors
/// The database's; the claim's lease brings the task back.
pub async fn carry_out(cx: &Payments, claimed: Claimed) -> Result<(), kit::InternalError> {
    let tried = match claimed.task {
        Task::Charge(id, effect) => on_charge(cx, &claimed, id, effect).await?,
        Task::Detach(id) => detach(cx, id, &claimed.key()).await?,
        Task::AttachTestCard(consumer) => attach_test_card::attach(cx, consumer, &claimed.key()).await?,
    };
    let mut conn = cx.pool.acquire().await?;
    match tried {
        Ok(()) => effects::finish(&mut conn, claimed.task).await?,
        Err(error) if claimed.attempts >= cx.effects.attempts => {
            tracing::error!(task = ?claimed.task, attempts = claimed.attempts, %error, "gave up a call to the payment provider; somebody must look at it");
            effects::give_up(&mut conn, claimed.task).await?;
        }
        Err(error) => {
            let wait = backoff(cx.effects.backoff, cx.effects.backoff_most, claimed.attempts);
            tracing::warn!(task = ?claimed.task, attempts = claimed.attempts, %error, retry_in = ?wait, "a call to the payment provider failed");
            let answered = matches!(error, ProviderError::Unknown { answered: true, .. });
            effects::put_off(&mut conn, claimed.task, cx.clock.now() + wait, answered).await?;
        }
    }
    Ok(())
}

async fn detach(
    cx: &Payments,
    id: PaymentMethodId,
    key: &str,
) -> Result<Result<(), ProviderError>, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let method = methods::provider_id(&mut conn, id).await?;
    drop(conn);
    match method {
        Some(method) => Ok(cx.provider.detach_method(&method, key).await),
        None => Ok(Ok(())),
    }
}

/// Twice as long each time, up to the most.
fn backoff(first: Duration, most: Duration, attempts: i32) -> Duration {
    let doublings = u32::try_from(attempts - 1).unwrap_or_default().min(16);
    first.saturating_mul(1 << doublings).min(most)
}

async fn on_charge(
    cx: &Payments,
    claimed: &Claimed,
    id: ChargeId,
    effect: Effect,
) -> Result<Result<(), ProviderError>, kit::InternalError> {
    let charge = read(cx, id).await?;
    tracing::Span::current().record("order_id", tracing::field::display(charge.order));
    if charge.next_effect() != Some(effect) {
        return Ok(Ok(()));
    }
    match perform(cx.provider.as_ref(), &charge, effect, &claimed.key()).await {
        Ok(snapshot) => {
            kit::fault_point::reach("effect.performed");
            take_in(cx, &charge, &snapshot).await?;
            Ok(Ok(()))
        }
        // The provider's side is not what we thought: look, and see whether there is still anything to do.
        Err(error @ (ProviderError::Refused { .. } | ProviderError::Unknown { answered: true, .. })) => {
            let Some(provider_id) = &charge.provider_id else {
                return Ok(Err(error));
            };
            match cx.provider.fetch(provider_id).await {
                Ok(snapshot) => {
                    let charge = take_in(cx, &charge, &snapshot).await?;
                    let released = effect == Effect::Void && snapshot.state == State::Voided;
                    let due = charge.next_effect() == Some(effect) && !released;
                    Ok(if due { Err(error) } else { Ok(()) })
                }
                Err(_) => Ok(Err(error)),
            }
        }
        Err(error) => Ok(Err(error)),
    }
}

async fn take_in(cx: &Payments, charge: &Charge, snapshot: &Snapshot) -> Result<Charge, kit::InternalError> {
    let mut tx = cx.pool.begin().await?;
    let charge = observe(&mut tx, charge.id, snapshot, cx.clock.now()).await?;
    tx.commit().await?;
    Ok(charge)
}

async fn read(cx: &Payments, id: ChargeId) -> Result<Charge, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let missing = || kit::InternalError::broken(format!("{id} is not there"));
    charges::find(&mut conn, id).await?.ok_or_else(missing)
}

async fn perform(
    provider: &dyn PaymentProvider,
    charge: &Charge,
    effect: Effect,
    key: &str,
) -> Result<Snapshot, ProviderError> {
    match (effect, &charge.provider_id) {
        (Effect::Capture, Some(id)) => provider.capture(id, key).await,
        (Effect::Refund, Some(id)) => provider.refund(id, key).await,
        (Effect::Void, Some(id)) => provider.cancel(id, key).await,
        (Effect::Void, None) => void_unseen(provider, charge, key).await,
        (Effect::Capture | Effect::Refund, None) => Err(ProviderError::Refused {
            code: "no object to act on".to_owned(),
            gone: None,
        }),
    }
}

/// Voids a charge of which only our request is known: it may have had its effect, may still be on its way, or may
/// never have been sent.
async fn void_unseen(
    provider: &dyn PaymentProvider,
    charge: &Charge,
    key: &str,
) -> Result<Snapshot, ProviderError> {
    let Some(terms) = charge.terms.clone() else {
        return Ok(nothing());
    };
    let authorization = Authorization {
        charge: charge.id,
        order: charge.order,
        terms,
    };
    let seen = see(provider, &authorization).await?;
    match (&seen.provider_id, &seen.state) {
        (Some(id), State::Pending | State::RequiresAction | State::Authorized | State::Declined(_)) => {
            provider.cancel(id, key).await
        }
        _ => Ok(seen),
    }
}

/// Finds the object of an authorisation, or makes sure that there never is one.
async fn see(
    provider: &dyn PaymentProvider,
    authorization: &Authorization,
) -> Result<Snapshot, ProviderError> {
    if let Some(found) = provider.find(authorization).await? {
        return Ok(found);
    }
    match provider.bar(authorization).await {
        Err(ProviderError::KeyUsed) => {}
        // What cannot even be written down unconfirmed cannot be authorised.
        Err(ProviderError::Refused { .. }) => return Ok(nothing()),
        barred => return barred,
    }
    // Received between our two questions, or received and failed: the same request again has no further effect, and
    // gets the first one's answer.
    if let Some(found) = provider.find(authorization).await? {
        return Ok(found);
    }
    match provider.authorize(authorization).await {
        Err(ProviderError::Refused { .. } | ProviderError::Unknown { answered: true, .. }) => Ok(nothing()),
        replayed => replayed,
    }
}

/// Nothing is there, and nothing will be.
const fn nothing() -> Snapshot {
    Snapshot::without_object(State::Voided)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_longer_each_time_up_to_the_most() {
        let wait =
            |attempts| backoff(Duration::from_millis(500), Duration::from_secs(60), attempts).as_millis();
        assert_eq!(
            [wait(1), wait(2), wait(5), wait(9), wait(1_000)],
            [500, 1_000, 8_000, 60_000, 60_000]
        );
    }
}
