//! Pays debts with a card or a wallet. Idempotent per debt: at most one attempt is in flight or succeeded.

mod attempt;
mod error;

use std::collections::BTreeSet;

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

/// Charges each debt on its own, in the order of their ids, and keeps the debts that were paid if others fail. A repeated or
/// concurrent call joins the attempt that is in flight: an unknown outcome stays in flight until the provider reports it.
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
    let debt_ids: BTreeSet<DebtId> = command.debt_ids.iter().copied().collect();
    let method = check_method(cx, command).await?;
    let mut recovered = RecoveredPayments {
        results: Vec::new(),
        client_secret: None,
        open: Vec::new(),
    };
    let mut is_wallet_used = false;
    for debt_id in debt_ids {
        let outcome = if is_wallet_used {
            wallet_used()
        } else {
            recover_debt(cx, command, &method, debt_id).await?
        };
        is_wallet_used = is_wallet_used || matches!(command.source, PaymentSource::Wallet(..));
        recovered.client_secret = recovered.client_secret.or(outcome.client_secret);
        recovered.results.push((debt_id, outcome.result));
    }
    recovered.open = list_failed_payments(cx, command.consumer_id).await?;
    Ok(recovered)
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
