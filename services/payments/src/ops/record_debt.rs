use jiff::Timestamp;
use sqlx::PgConnection;
use types::{ConsumerId, DebtId, Money};

use super::publish_debt::publish_debt;
use crate::Payments;
use crate::db::{charge_phone_hashes, charges, consumer_phones, debts};
use crate::domain::charge::{Charge, ChargeState};
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

/// Records a debt and publishes it, once per charge. A debt that no card can pay is written off instead. The charge is locked.
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
    let mut debt = Debt {
        id: DebtId::new(now),
        charge_id: charge.id,
        consumer_id: terms.consumer_id,
        amount: owed.amount,
        penalty_fee: Money::new(fee_cents, owed.amount.currency()),
        created_at: now,
        recovered_at: None,
        written_off_at: None,
    };
    let mut phone_hash = charge_phone_hashes::take(conn, charge.id).await?;
    if debt.is_too_small() {
        debt.written_off_at = Some(now);
        phone_hash = None;
    }
    if let Some(hash) = &phone_hash {
        debt.consumer_id = find_next_consumer(conn, hash).await?;
    }
    let phone_hash = phone_hash.filter(|_| debt.consumer_id.is_none());
    if !debts::insert(conn, &debt, phone_hash.as_deref()).await? {
        return Ok(());
    }
    let (debt_id, subject) = (debt.id, charge.subject);
    if debt.written_off_at.is_some() {
        let amount = debt.amount.minor_units();
        tracing::warn!(%debt_id, %subject, amount, "debt written off: too small for a card");
        return Ok(());
    }
    tracing::info!(%debt_id, %subject, "returned payment became a debt");
    publish_debt(conn, charge, &debt, now).await
}

/// Returns the consumer who registered with the phone number of a removed one. A later registration finds the debt.
async fn find_next_consumer(
    conn: &mut PgConnection,
    phone_hash: &str,
) -> Result<Option<ConsumerId>, sqlx::Error> {
    consumer_phones::lock(conn, phone_hash).await?;
    consumer_phones::find_consumer(conn, phone_hash).await
}
