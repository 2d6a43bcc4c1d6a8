use std::time::Duration;

use super::authorize_charge::complete;
use super::recover_failed_payments::close_attempt;
use crate::Payments;
use crate::db::{charges, debt_recoveries};
use crate::domain::charge::ChargeState;
use crate::domain::subject::ChargeSubject;

/// Time for the consumer to authenticate the payment, and for the outcome of an attempt. Later the consumer no longer expects the
/// payment. The provider repeats a server error for a day and then executes the request.
const ATTEMPT_TIMEOUT: Duration = Duration::from_mins(15);

/// Continues an attempt to recover a debt that nothing waits for: sends the same request again if its outcome is unknown, and
/// closes it if it has no outcome in time.
///
/// # Errors
/// The outcome is still unknown.
pub async fn resume_recovery(cx: &Payments, subject: ChargeSubject) -> Result<(), kit::InternalError> {
    let ChargeSubject::Debt(recovery_id) = subject else {
        return Ok(());
    };
    let mut conn = cx.pool.acquire().await?;
    let Some(charge) = charges::find_by_subject(&mut conn, subject).await? else {
        return Ok(());
    };
    let started_before = cx.clock.now() - ATTEMPT_TIMEOUT;
    let has_timed_out = debt_recoveries::was_started_before(&mut conn, recovery_id, started_before).await?;
    drop(conn);
    match charge.state {
        ChargeState::Pending if !charge.is_released() && !has_timed_out => {
            if let Err(error) = complete(cx, charge).await {
                tracing::warn!(%subject, %error, "recovery not resumed; will retry");
            }
            Ok(())
        }
        ChargeState::Pending | ChargeState::RequiresAction if has_timed_out => {
            close_attempt(cx, &charge).await
        }
        _ => Ok(()),
    }
}
