use callers::Caller;
use jiff::{SignedDuration, Timestamp};
use kit::{ErrorCode, InternalError, ServiceError};
use types::{
    ConsumerId, Money,
    limits::{
        MAX_AUTO_RELOAD_CENTS, MAX_AUTO_RELOAD_PAUSE_DAYS, MAX_AUTO_RELOAD_THRESHOLD_CENTS,
        MIN_AUTO_RELOAD_CENTS,
    },
};

use crate::{
    GiftCards,
    db::{auto_reload, consumers},
    domain::{auto_reload::AutoReload, purchase::Tender},
};

#[derive(Debug, Clone)]
pub struct SetAutoReload {
    pub is_enabled: bool,
    pub threshold: Money,
    pub amount: Money,
    pub payment_method_id: String,
    /// `None` ends a pause.
    pub paused_until: Option<Timestamp>,
}

/// Sets when JoePass is reloaded automatically. An enabled rule is checked at once, or when a freeze ends: a method that was added
/// recently freezes the rule. A rule can be turned off after its payment
/// method was removed.
///
/// # Errors
/// `AMOUNT_TOO_SMALL`, `AMOUNT_TOO_LARGE`, `THRESHOLD_INVALID`, `PAYMENT_METHOD_UNKNOWN`; `PAUSE_END_INVALID` if the pause does not
/// end within the next 31 days; `FORBIDDEN` if the consumer was removed.
pub async fn set_auto_reload(
    cx: &GiftCards,
    caller: &Caller,
    consumer_id: ConsumerId,
    command: SetAutoReload,
) -> Result<AutoReload, ServiceError> {
    check(&command)?;
    check_pause(command.paused_until, cx.clock.now())?;
    let (tender, frozen_until) = find_method(cx, caller, consumer_id, &command).await?;
    let rule = AutoReload {
        consumer_id,
        is_enabled: command.is_enabled,
        threshold: command.threshold,
        amount: command.amount,
        payment_method_id: command.payment_method_id,
        tender,
        paused_until: command.paused_until,
        frozen_until,
    };
    save(cx, &rule).await?.ok_or_else(callers::forbidden)
}

/// Returns `None` if the consumer was removed.
async fn save(cx: &GiftCards, rule: &AutoReload) -> Result<Option<AutoReload>, InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    if !consumers::ensure_active(&mut tx, rule.consumer_id).await? {
        return Ok(None);
    }
    let saved = auto_reload::upsert(&mut tx, rule).await?;
    tx.commit().await?;
    Ok(Some(saved))
}

fn check(command: &SetAutoReload) -> Result<(), ServiceError> {
    let amount = command.amount.minor_units();
    if amount < MIN_AUTO_RELOAD_CENTS {
        let minimum = Money::usd(MIN_AUTO_RELOAD_CENTS);
        let message = format!("The amount must be at least {minimum}.");
        return Err(violation("AMOUNT_TOO_SMALL", message, "amount"));
    }
    if amount > MAX_AUTO_RELOAD_CENTS {
        let maximum = Money::usd(MAX_AUTO_RELOAD_CENTS);
        let message = format!("The amount can be at most {maximum}.");
        return Err(violation("AMOUNT_TOO_LARGE", message, "amount"));
    }
    // No balance is below zero, so an enabled rule with this threshold would never reload.
    let minimum = i64::from(command.is_enabled);
    if !(minimum..=MAX_AUTO_RELOAD_THRESHOLD_CENTS).contains(&command.threshold.minor_units()) {
        let (minimum, maximum) = (Money::usd(minimum), Money::usd(MAX_AUTO_RELOAD_THRESHOLD_CENTS));
        let message = format!("Choose a balance between {minimum} and {maximum}.");
        return Err(violation("THRESHOLD_INVALID", message, "threshold"));
    }
    Ok(())
}

/// Limits the length of a pause. For longer, the consumer turns the rule off.
fn check_pause(paused_until: Option<Timestamp>, now: Timestamp) -> Result<(), ServiceError> {
    let latest = now + SignedDuration::from_hours(24 * i64::from(MAX_AUTO_RELOAD_PAUSE_DAYS));
    if paused_until.is_none_or(|until| until > now && until <= latest) {
        return Ok(());
    }
    let message = format!(
        "A pause must end within the next {MAX_AUTO_RELOAD_PAUSE_DAYS} days. Turn automatic reloads off for longer."
    );
    Err(violation("PAUSE_END_INVALID", message, "pausedUntil"))
}

/// Returns the tender of the method, and until when a rule with it is frozen.
async fn find_method(
    cx: &GiftCards,
    caller: &Caller,
    consumer_id: ConsumerId,
    command: &SetAutoReload,
) -> Result<(Tender, Option<Timestamp>), ServiceError> {
    let method_id = &command.payment_method_id;
    if let Some(method) = cx.clients.payments.find_payment_method(caller, method_id).await? {
        // The event that reports a new method may arrive after the rule is set.
        let frozen_until = method.added_at.map(|at| at + cx.rules.auto_reload_freeze());
        let is_frozen = |until: &Timestamp| *until > cx.clock.now();
        return Ok((method.tender, frozen_until.filter(is_frozen)));
    }
    let stored = if command.is_enabled {
        None
    } else {
        find_stored_tender(cx, consumer_id, method_id).await?
    };
    stored.map(|tender| (tender, None)).ok_or_else(|| {
        let message = "We couldn't find that payment method.".to_owned();
        violation("PAYMENT_METHOD_UNKNOWN", message, "paymentMethodId")
    })
}

/// Returns the tender of the consumer's rule if it uses this method.
async fn find_stored_tender(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    payment_method_id: &str,
) -> Result<Option<Tender>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let rule = auto_reload::find(&mut conn, consumer_id).await?;
    Ok(rule
        .filter(|rule| rule.payment_method_id == payment_method_id)
        .map(|rule| rule.tender))
}

fn violation(reason: &'static str, message: String, field: &'static str) -> ServiceError {
    ServiceError::new(ErrorCode::RuleViolation, reason, message).with_field(field)
}
