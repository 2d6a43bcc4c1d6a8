use jiff::Timestamp;
use sqlx::PgConnection;
use types::Money;

use super::publish;
use super::save_charge::save_charge;
use crate::db::charges;
use crate::domain::charge::{Charge, ChargeEvent};
use crate::domain::debt::Debt;

/// Publishes that a consumer owes a debt. The charge is locked.
pub async fn publish_debt(
    conn: &mut PgConnection,
    charge: &mut Charge,
    debt: &Debt,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    let event = ChargeEvent::DebtCreated {
        debt_id: debt.id,
        consumer_id: debt.consumer_id,
        amount: debt.amount,
        penalty_fee: debt.penalty_fee,
        name: charges::description(conn, charge.id).await?.name,
        refunded: Money::new(charge.refunded_minor_units, debt.amount.currency()),
    };
    // Each event has a version of its own.
    save_charge(conn, charge, now).await?;
    Ok(publish::charge_event(conn, charge, event, now).await?)
}
