use jiff::Timestamp;
use sqlx::PgConnection;
use types::{DebtId, Money};

use super::publish;
use super::save_charge::save_charge;
use crate::Payments;
use crate::db::{charges, debts};
use crate::domain::charge::{Charge, ChargeEvent, ChargeState};
use crate::domain::debt::{Debt, Owed};

/// Records what the consumer owes for a returned charge, if anything. The charge is locked.
pub async fn record_return_debt(
    cx: &Payments,
    conn: &mut PgConnection,
    charge: &mut Charge,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    if charge.state != ChargeState::Returned {
        return Ok(());
    }
    let is_fulfilled = charges::is_fulfilled(conn, charge.id).await?;
    match Owed::for_return(charge, is_fulfilled) {
        Some(owed) => record_debt(cx, conn, charge, owed, now).await,
        None => Ok(()),
    }
}

/// Records a debt and publishes it, once per charge. The charge is locked.
pub async fn record_debt(
    cx: &Payments,
    conn: &mut PgConnection,
    charge: &mut Charge,
    owed: Owed,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    let Some(terms) = &charge.terms else {
        return Ok(());
    };
    let fee_cents = if owed.has_penalty_fee {
        cx.penalty_fee_cents
    } else {
        0
    };
    let debt = Debt {
        id: DebtId::new(now),
        charge_id: charge.id,
        consumer_id: terms.consumer_id,
        amount: owed.amount,
        penalty_fee: Money::new(fee_cents, owed.amount.currency()),
        created_at: now,
        recovered_at: None,
    };
    if !debts::insert(conn, &debt).await? {
        return Ok(());
    }
    tracing::info!(debt_id = %debt.id, subject = %charge.subject, "returned payment became a debt");
    let event = ChargeEvent::DebtCreated {
        debt_id: debt.id,
        amount: debt.amount,
        penalty_fee: debt.penalty_fee,
        name: charges::description(conn, charge.id).await?.name,
        refunded: Money::new(charge.refunded_minor_units, debt.amount.currency()),
    };
    // Each event has a version of its own.
    save_charge(conn, charge, now).await?;
    Ok(publish::charge_event(conn, charge, event, now).await?)
}
