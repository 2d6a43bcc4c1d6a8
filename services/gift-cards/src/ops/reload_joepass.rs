//! Reloads JoePass automatically.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use kit::{InternalError, ServiceError, idempotency, outbox};
use sqlx::PgConnection;
use types::{ConsumerId, Money, PurchaseId};

use super::{
    new_purchase::new_purchase,
    purchase::{self, PurchaseError},
};
use crate::{
    GiftCards, convert,
    db::{
        accounts::{self, balance_id},
        auto_reload::{self, RuleLease},
        consumers, purchase_totals,
    },
    domain::{
        auto_reload::{AutoReload, DAY, Decision, WEEK, reload_key},
        deal::Terms,
        purchase::{Failure, Item, Payment, PaymentSource, Purchase},
    },
};

const BATCH_SIZE: i64 = 20;
/// Longer than a saga takes. After this time another task repeats an interrupted check.
const LEASE: Duration = Duration::from_mins(1);

/// Checks the rules that are due, and reloads concurrently where needed. Returns the number of rules.
///
/// The key of a reload contains its number, so that two replicas that check a rule at the same time begin one purchase.
pub async fn reload_joepass(cx: &GiftCards) -> Result<usize, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let due = auto_reload::lease_due(&mut conn, LEASE, BATCH_SIZE).await?;
    drop(conn);
    let count = due.len();
    let tasks: Vec<_> = due
        .into_iter()
        .map(|lease| {
            let task_cx = cx.clone();
            cx.process.spawn(async move {
                if let Err(error) = check_rule(&task_cx, lease).await {
                    tracing::warn!(%error, "automatic reload failed; will retry");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.map_err(InternalError::invariant_violated)?;
    }
    Ok(count)
}

async fn check_rule(cx: &GiftCards, lease: RuleLease) -> Result<(), InternalError> {
    let (consumer_id, now) = (lease.consumer_id, cx.clock.now());
    let mut conn = cx.pool.acquire().await?;
    let Some(rule) = auto_reload::find(&mut conn, consumer_id).await? else {
        return Ok(());
    };
    let Some(account) = accounts::find_joepass(&mut conn, consumer_id).await? else {
        return Ok(auto_reload::delete(&mut conn, consumer_id).await?);
    };
    let state = purchase_totals::reload_state(&mut conn, consumer_id, account, now - DAY, now - WEEK).await?;
    let (per_day, per_week) = (
        cx.rules.auto_reload_max_per_day,
        cx.rules.auto_reload_max_per_week,
    );
    match rule.decide(state.available, state.recent, per_day, per_week, now) {
        Decision::Skip => {
            let next = next_check(&rule, state.recent.is_one_running, now);
            Ok(auto_reload::finish_check(&mut conn, lease, next).await?)
        }
        Decision::LimitReached => pause_after_limit(cx, &mut conn, &rule, now).await,
        Decision::Reload => {
            drop(conn);
            let item = Item::TopUp {
                balance_id: balance_id(account),
            };
            reload(cx, &rule, item, reload_key(state.count)).await?;
            let mut conn = cx.pool.acquire().await?;
            Ok(auto_reload::finish_check(&mut conn, lease, None).await?)
        }
    }
}

/// Returns the time until a rule is checked again although its balance does not change: after a pause, or after a reload that runs.
fn next_check(rule: &AutoReload, is_one_running: bool, now: Timestamp) -> Option<SignedDuration> {
    let blocked_until = rule
        .paused_until
        .max(rule.frozen_until)
        .filter(|until| *until > now);
    match blocked_until {
        _ if !rule.is_enabled => None,
        Some(until) => Some(until.duration_since(now)),
        None => is_one_running.then(|| LEASE.try_into().unwrap_or_default()),
    }
}

async fn reload(
    cx: &GiftCards,
    rule: &AutoReload,
    item: Item,
    idempotency_key: String,
) -> Result<(), InternalError> {
    let source = PaymentSource::Saved {
        payment_method_id: rule.payment_method_id.clone(),
    };
    let payment = Payment {
        consumer_id: rule.consumer_id,
        source: source.clone(),
        saved_method_kind: None,
        request_hash: idempotency::hash(idempotency_key.as_bytes()),
        idempotency_key,
    };
    let terms = Terms::without_deal(rule.amount);
    let id = PurchaseId::new(cx.clock.now());
    let purchase = Purchase {
        is_automatic: true,
        ..new_purchase(cx, id, payment, item, terms, rule.tender)
    };
    match purchase::run(cx, purchase, source).await {
        // A failed purchase has paused the rule.
        Ok(_) | Err(PurchaseError::Failed(_)) => Ok(()),
        Err(PurchaseError::Rejected(error)) => pause_after_rejection(cx, rule, error).await,
        Err(PurchaseError::Internal(error)) => Err(error),
    }
}

/// The reload would exceed a limit, for example of the balance.
async fn pause_after_rejection(
    cx: &GiftCards,
    rule: &AutoReload,
    error: ServiceError,
) -> Result<(), InternalError> {
    if error.code == kit::ErrorCode::Unavailable {
        return Err(InternalError::invariant_violated(
            "the purchase is being recovered",
        ));
    }
    let mut conn = cx.pool.acquire().await?;
    let failure = convert::failure_from_error(error);
    pause(cx, &mut conn, rule, &failure, cx.clock.now()).await
}

async fn pause_after_limit(
    cx: &GiftCards,
    conn: &mut PgConnection,
    rule: &AutoReload,
    now: Timestamp,
) -> Result<(), InternalError> {
    let failure = Failure::conflict(
        "AUTO_RELOAD_LIMIT",
        "JoePass reached the limit of automatic reloads. You can add funds yourself anytime.",
    );
    pause(cx, conn, rule, &failure, now).await
}

async fn pause(
    cx: &GiftCards,
    conn: &mut PgConnection,
    rule: &AutoReload,
    failure: &Failure,
    now: Timestamp,
) -> Result<(), InternalError> {
    let until = now + cx.rules.auto_reload_freeze();
    let mut tx = sqlx::Connection::begin(conn).await?;
    let (consumer_id, method_id) = (rule.consumer_id, &rule.payment_method_id);
    if let Some(paused_until) = auto_reload::pause(&mut tx, consumer_id, method_id, until, now).await? {
        let event = convert::auto_reload_not_started(rule, failure, paused_until, now);
        outbox::append(&mut tx, event).await?;
        tracing::info!(reason = %failure.reason, "automatic reload paused");
    }
    tx.commit().await?;
    Ok(())
}

/// Freezes automatic reloads for a while, so that someone who took over an account cannot drain a card through them. A consumer
/// without a rule is frozen too: the rule may be set next.
pub(crate) async fn freeze_auto_reload(
    cx: &GiftCards,
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    now: Timestamp,
) -> Result<(), InternalError> {
    // A rule that is being set is found after its transaction.
    if !consumers::lock_active(conn, consumer_id).await? {
        return Ok(());
    }
    let until = now + cx.rules.auto_reload_freeze();
    Ok(auto_reload::freeze(conn, consumer_id, until, now).await?)
}

/// Amount of a rule that was never set.
pub(crate) const DEFAULT_AMOUNT: Money = Money::usd(2_500);
/// Threshold of a rule that was never set.
pub(crate) const DEFAULT_THRESHOLD: Money = Money::usd(1_000);
