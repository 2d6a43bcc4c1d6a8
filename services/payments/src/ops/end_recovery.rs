use jiff::Timestamp;
use sqlx::PgConnection;
use types::RefundId;

use super::publish;
use super::save_charge::save_charge;
use crate::db::{debt_recoveries, debts, effects, refunds};
use crate::domain::charge::{Charge, ChargeEvent, ChargeState};
use crate::domain::debt::RecoveryEnd;
use crate::domain::effect::Effect;
use crate::domain::refund::{RELEASE, Refund, RefundState};
use crate::domain::subject::ChargeSubject;

/// Ends the attempt to recover a debt when its charge has an outcome, in the transaction that writes it. If the attempt had failed
/// before the provider reported its payment, plans the refund: the debt may have been paid again or waived. The charge is locked.
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
        return match end {
            RecoveryEnd::Succeeded => refund_late_payment(conn, charge, now).await,
            RecoveryEnd::Failed => Ok(()),
        };
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

/// Plans the refund of what the provider has not refunded yet.
async fn refund_late_payment(
    conn: &mut PgConnection,
    charge: &Charge,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    let Some(amount) = refunds::releasable(conn, charge.id)
        .await?
        .filter(|amount| amount.is_positive())
    else {
        return Ok(());
    };
    tracing::warn!(charge_id = %charge.id, subject = %charge.subject, "payment of a failed attempt is refunded");
    let refund = Refund {
        id: RefundId::new(now),
        charge_id: charge.id,
        request_id: Some(RELEASE.to_owned()),
        amount,
        provider_id: None,
        state: RefundState::Planned,
    };
    refunds::insert(conn, &refund, now).await?;
    Ok(effects::plan(conn, Effect::RefundPart(refund.id)).await?)
}
