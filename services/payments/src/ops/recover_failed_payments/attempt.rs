//! Attempts to recover one debt.

use std::time::Duration;

use kit::grpc::deadline;
use secrecy::SecretString;
use types::{DebtId, RecoveryId};

use crate::Payments;
use crate::db::{charges, debt_recoveries, debts, effects, provider_customers};
use crate::domain::charge::{
    AuthorizeCharge, Capture, Charge, ChargeDescription, ChargeEffect, ChargeSnapshot, ChargeState,
};
use crate::domain::debt::{RecoverFailedPayments, Recovery, RecoveryResult};
use crate::domain::effect::Effect;
use crate::domain::subject::ChargeSubject;
use crate::ops::authorize_charge::begin::{self, ProviderMethod};
use crate::ops::authorize_charge::{AuthorizeChargeError, complete};
use crate::ops::execute_effect::execute_effect;
use crate::ops::request_release::request_release;

use super::{RecoverFailedPaymentsError, has_time};

/// Attempts in one call: those in flight that end without success, and a new one.
const MAX_ATTEMPTS: u32 = 4;
/// Delay while another task closes an attempt.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub struct Outcome {
    pub result: RecoveryResult,
    pub client_secret: Option<SecretString>,
    /// The provider declined the method in this call.
    pub is_declined: bool,
}

/// The attempt of this call.
enum Attempt {
    /// The debt does not exist or belongs to another consumer; both get the same response.
    DebtUnknown,
    /// The debt was paid or written off before.
    Recovered,
    /// `is_new` unless a previous call started it.
    Started { charge: Box<Charge>, is_new: bool },
}

/// What follows from the result of an attempt.
enum NextStep {
    Respond(Outcome),
    /// The attempt was not paid. Another one can start when it is closed.
    Close,
    /// The attempt has ended. Another one can start.
    Start,
}

impl Outcome {
    pub fn not_recovered(reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            result: RecoveryResult::NotRecovered {
                reason,
                message: message.into(),
            },
            client_secret: None,
            is_declined: false,
        }
    }

    const fn recovered() -> Self {
        Self {
            result: RecoveryResult::Recovered,
            client_secret: None,
            is_declined: false,
        }
    }

    /// The outcome is unknown. The attempt stays in flight, and the debt cannot be charged again until it has ended.
    fn pending() -> Self {
        Self::not_recovered(
            "PAYMENT_PENDING",
            "We're still confirming your payment. Please check again in a minute.",
        )
    }

    fn requires_action(client_secret: Option<SecretString>) -> Self {
        Self {
            client_secret,
            ..Self::not_recovered("REQUIRES_ACTION", "Please confirm the payment with your bank.")
        }
    }
}

/// Pays one debt, or joins the attempt in flight. An attempt of a previous call is closed first if it waits for the consumer's
/// authentication of another method, or if the provider repeats a server error for it.
pub async fn recover_debt(
    cx: &Payments,
    command: &RecoverFailedPayments,
    method: &ProviderMethod,
    debt_id: DebtId,
) -> Result<Outcome, RecoverFailedPaymentsError> {
    for _ in 0..MAX_ATTEMPTS {
        let (charge, is_new) = match start(cx, command, method, debt_id).await? {
            Attempt::DebtUnknown => {
                return Ok(Outcome::not_recovered(
                    "DEBT_UNKNOWN",
                    "We couldn't find this payment.",
                ));
            }
            Attempt::Recovered => return Ok(Outcome::recovered()),
            Attempt::Started { charge, is_new } => (*charge, is_new),
        };
        let is_same_source = is_new
            || charge
                .terms
                .as_ref()
                .is_some_and(|terms| command.source.is_in(terms));
        let result = complete(cx, charge.clone()).await;
        if let Err(error) = &result {
            log_error(debt_id, charge.subject, error);
        }
        let step = match next_step(result, is_new, is_same_source) {
            NextStep::Close => close_in_time(cx, charge).await?,
            step => step,
        };
        if let NextStep::Respond(outcome) = step {
            return Ok(outcome);
        }
    }
    Ok(Outcome::pending())
}

fn log_error(debt_id: DebtId, subject: ChargeSubject, error: &AuthorizeChargeError) {
    match error {
        // Another attempt replaces it.
        AuthorizeChargeError::Closed => {
            tracing::debug!(%debt_id, %subject, "attempt to recover a debt is closed");
        }
        error => {
            tracing::warn!(%debt_id, %subject, %error, "attempt to recover a debt has no outcome");
        }
    }
}

fn next_step(
    result: Result<ChargeSnapshot, AuthorizeChargeError>,
    is_new: bool,
    is_same_source: bool,
) -> NextStep {
    let ChargeSnapshot {
        charge,
        client_secret,
    } = match result {
        Ok(snapshot) => snapshot,
        Err(AuthorizeChargeError::Closed) => return NextStep::Close,
        // The provider repeats the error for the key of this attempt, so that only another attempt can succeed.
        Err(AuthorizeChargeError::ServerError) if !is_new => return NextStep::Close,
        Err(_) => return NextStep::Respond(Outcome::pending()),
    };
    match charge.state {
        ChargeState::Succeeded => NextStep::Respond(Outcome::recovered()),
        ChargeState::RequiresAction if is_same_source => {
            NextStep::Respond(Outcome::requires_action(client_secret))
        }
        ChargeState::RequiresAction => NextStep::Close,
        ChargeState::Declined(decline) if is_same_source => NextStep::Respond(Outcome {
            is_declined: true,
            ..Outcome::not_recovered(decline.reason.as_str(), decline.message)
        }),
        // The previous attempt failed: this call starts a new one.
        ChargeState::Declined(_) | ChargeState::Voided => NextStep::Start,
        _ => NextStep::Respond(Outcome::pending()),
    }
}

/// Returns the attempt in flight, or starts one: the attempt and its charge are written together, while the debt is locked.
async fn start(
    cx: &Payments,
    command: &RecoverFailedPayments,
    method: &ProviderMethod,
    debt_id: DebtId,
) -> Result<Attempt, RecoverFailedPaymentsError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    // In the order of a removal: the customer before the debt.
    provider_customers::lock(&mut tx, command.consumer_id).await?;
    let debt = debts::lock(&mut tx, debt_id).await?;
    let Some(debt) = debt.filter(|debt| debt.consumer_id == Some(command.consumer_id)) else {
        return Ok(Attempt::DebtUnknown);
    };
    if debt.recovered_at.is_some() || debt.written_off_at.is_some() {
        return Ok(Attempt::Recovered);
    }
    if let Some(recovery_id) = debt_recoveries::find_in_flight(&mut tx, debt_id).await? {
        let charge = charges::find_by_subject(&mut tx, ChargeSubject::Debt(recovery_id))
            .await?
            .ok_or_else(|| {
                kit::InternalError::invariant_violated(format!("recovery {recovery_id} has no charge"))
            })?;
        return Ok(Attempt::Started {
            charge: Box::new(charge),
            is_new: false,
        });
    }
    let recovery = Recovery {
        id: RecoveryId::new(now),
        debt_id,
    };
    debt_recoveries::insert(&mut tx, recovery, now).await?;
    let authorization = AuthorizeCharge {
        subject: ChargeSubject::Debt(recovery.id),
        consumer_id: command.consumer_id,
        source: command.source.clone(),
        amount: debt.total(),
        capture: Capture::Now,
        description: ChargeDescription::default(),
    };
    let charge = begin::insert(cx, &mut tx, &authorization, method.clone())
        .await
        .map_err(RecoverFailedPaymentsError::Method)?;
    tx.commit().await?;
    kit::fault_point::reach("recovery.started");
    Ok(Attempt::Started {
        charge: Box::new(charge),
        is_new: true,
    })
}

/// Closes an attempt on a tracked task, so that it continues if the call is canceled or its deadline passes. The next step is to start
/// another attempt if there is enough time left for it.
async fn close_in_time(cx: &Payments, charge: Charge) -> Result<NextStep, kit::InternalError> {
    let task_cx = cx.clone();
    let closing = cx
        .process
        .spawn(async move { close_attempt(&task_cx, &charge).await });
    let time = deadline::time_remaining().unwrap_or(Duration::MAX);
    match tokio::time::timeout(time, closing).await {
        Ok(Ok(result)) => {
            result?;
            Ok(if has_time() {
                NextStep::Start
            } else {
                NextStep::Respond(Outcome::pending())
            })
        }
        Ok(Err(error)) => Err(kit::InternalError::invariant_violated(format!(
            "task that closes an attempt failed: {error}"
        ))),
        Err(_) => Ok(NextStep::Respond(Outcome::pending())),
    }
}

/// Closes an attempt that was not paid, so that another method can be charged. If it was paid in the meantime, the debt is
/// recovered.
pub async fn close_attempt(cx: &Payments, charge: &Charge) -> Result<(), kit::InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    request_release(&mut tx, charge.subject, cx.clock.now()).await?;
    tx.commit().await?;
    kit::fault_point::reach("recovery.closed");
    let mut conn = cx.pool.acquire().await?;
    let void = Effect::Charge(charge.id, ChargeEffect::Void);
    let claimed = effects::claim(&mut conn, void, cx.effects.lease).await?;
    drop(conn);
    match claimed {
        Some(claimed) => execute_effect(cx, claimed).await?,
        // The effects worker executes it.
        None => tokio::time::sleep(RETRY_INTERVAL).await,
    }
    Ok(())
}
