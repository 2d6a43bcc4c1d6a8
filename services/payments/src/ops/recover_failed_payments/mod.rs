//! Pays debts with a card or a wallet. Idempotent per debt: at most one attempt is in flight or succeeded.

mod attempt;
mod error;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::{StreamExt, TryStreamExt, stream};
use kit::grpc::deadline;
use types::DebtId;

pub use self::attempt::close_attempt;
use self::attempt::{Outcome, recover_debt};
use self::error::FAILURE_WINDOW;
pub use self::error::RecoverFailedPaymentsError;
use super::authorize_charge::begin::{ProviderMethod, find_method};
use super::list_failed_payments::list_failed_payments;
use crate::Payments;
use crate::db::debt_recoveries;
use crate::domain::charge::PaymentSource;
use crate::domain::debt::{RecoverFailedPayments, RecoveredPayments};
use crate::domain::payment_method::MethodKind;

/// Maximum number of debts that one call can pay.
const MAX_DEBTS: usize = 50;
/// Failed attempts of a consumer in an hour. Limits card testing.
const MAX_FAILURES: i64 = 10;
/// Debts of one call that are charged at the same time.
const MAX_CONCURRENT: usize = 4;
/// Time to read what is still owed and to respond.
const RESPONSE_TIME: Duration = Duration::from_millis(500);
/// With less time left, no attempt is started.
const MIN_ATTEMPT_TIME: Duration = Duration::from_secs(1);

/// Charges each debt on its own, some at a time, and keeps the debts that were paid if others fail. A repeated or concurrent call
/// joins the attempt that is in flight: an unknown outcome stays in flight until the provider reports it. Responds before the
/// caller's deadline; debts that were not attempted by then stay open, and another call pays them. After a decline no other attempt
/// is started: card networks penalize repeated ones.
///
/// # Errors
/// [`RecoverFailedPaymentsError`] before anything is charged. Each debt has its own result.
pub async fn recover_failed_payments(
    cx: &Payments,
    command: &RecoverFailedPayments,
) -> Result<RecoveredPayments, RecoverFailedPaymentsError> {
    if !(1..=MAX_DEBTS).contains(&command.debt_ids.len()) {
        return Err(RecoverFailedPaymentsError::InvalidCount);
    }
    let method = check_method(cx, command).await?;
    let recovering = recover_debts(cx, command, &method);
    let outcomes = match deadline::time_remaining() {
        Some(time) => deadline::within(time.saturating_sub(RESPONSE_TIME), recovering).await?,
        None => recovering.await?,
    };
    let mut recovered = RecoveredPayments {
        results: Vec::new(),
        client_secret: None,
        open: list_failed_payments(cx, command.consumer_id).await?.open,
    };
    for (debt_id, outcome) in outcomes {
        recovered.client_secret = recovered.client_secret.or(outcome.client_secret);
        recovered.results.push((debt_id, outcome.result));
    }
    Ok(recovered)
}

/// Returns the outcomes in the order of the debts' ids.
async fn recover_debts(
    cx: &Payments,
    command: &RecoverFailedPayments,
    method: &ProviderMethod,
) -> Result<Vec<(DebtId, Outcome)>, RecoverFailedPaymentsError> {
    let debt_ids: BTreeSet<DebtId> = command.debt_ids.iter().copied().collect();
    let is_declined = &AtomicBool::new(false);
    let is_wallet = matches!(command.source, PaymentSource::Wallet(..));
    stream::iter(debt_ids.into_iter().enumerate())
        .map(|(index, debt_id)| async move {
            let outcome = if is_wallet && index > 0 {
                wallet_used()
            } else if is_declined.load(Ordering::Relaxed) {
                stopped()
            } else if index < MAX_CONCURRENT || has_time() {
                let outcome = recover_debt(cx, command, method, debt_id).await?;
                is_declined.fetch_or(outcome.is_declined, Ordering::Relaxed);
                outcome
            } else {
                not_attempted()
            };
            Ok::<_, RecoverFailedPaymentsError>((debt_id, outcome))
        })
        .buffered(MAX_CONCURRENT)
        .try_collect()
        .await
}

fn has_time() -> bool {
    deadline::time_remaining().is_none_or(|time| time >= MIN_ATTEMPT_TIME)
}

async fn check_method(
    cx: &Payments,
    command: &RecoverFailedPayments,
) -> Result<ProviderMethod, RecoverFailedPaymentsError> {
    let mut conn = cx.pool.acquire().await?;
    let since = cx.clock.now() - FAILURE_WINDOW;
    if debt_recoveries::count_failed(&mut conn, command.consumer_id, since).await? >= MAX_FAILURES {
        return Err(RecoverFailedPaymentsError::TooManyAttempts);
    }
    drop(conn);
    let method = find_method(cx, command.consumer_id, &command.source)
        .await
        .map_err(RecoverFailedPaymentsError::Method)?;
    match method.kind {
        MethodKind::Card | MethodKind::Wallet(_) => Ok(method),
        MethodKind::Bank => Err(RecoverFailedPaymentsError::CardRequired),
    }
}

/// The wallet's payment method can be charged once.
fn wallet_used() -> Outcome {
    Outcome::not_recovered(
        "WALLET_PAYS_ONE",
        "Your wallet paid one payment. Please pay the next one separately.",
    )
}

fn stopped() -> Outcome {
    Outcome::not_recovered(
        "NOT_ATTEMPTED",
        "We stopped because your card was declined. Please try another card.",
    )
}

fn not_attempted() -> Outcome {
    Outcome::not_recovered(
        "NOT_ATTEMPTED",
        "We didn't get to all payments in time. Please tap Pay again.",
    )
}
