use jiff::Timestamp;
use sqlx::PgConnection;

use super::publish;
use super::save_charge::save_charge;
use crate::db::{debt_recoveries, debts};
use crate::domain::charge::{Charge, ChargeEvent, ChargeState};
use crate::domain::debt::RecoveryEnd;
use crate::domain::subject::ChargeSubject;

/// Ends the attempt to recover a debt when its charge has an outcome, in the transaction that writes it. The charge is
/// locked.
pub async fn end_recovery(
    conn: &mut PgConnection,
    charge: &mut Charge,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    let ChargeSubject::Debt(recovery_id) = charge.subject else {
        return Ok(());
    };
    let end = match charge.state {
        ChargeState::Succeeded => RecoveryEnd::Succeeded,
        ChargeState::Declined(_) | ChargeState::Voided => RecoveryEnd::Failed,
        _ => return Ok(()),
    };
    let Some(debt_id) = debt_recoveries::end(conn, recovery_id, end, now).await? else {
        return Ok(());
    };
    tracing::info!(%debt_id, %recovery_id, ?end, "attempt to recover a debt ended");
    let Some(terms) = charge.terms.as_ref().filter(|_| end == RecoveryEnd::Succeeded) else {
        return Ok(());
    };
    let event = ChargeEvent::DebtRecovered {
        debt_id,
        amount: terms.amount,
    };
    debts::mark_recovered(conn, debt_id, now).await?;
    save_charge(conn, charge, now).await?;
    Ok(publish::charge_event(conn, charge, event, now).await?)
}
