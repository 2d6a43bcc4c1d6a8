use jiff::Timestamp;
use sqlx::PgConnection;

use super::record_debt::record_return_debt;
use crate::Payments;
use crate::db::charges;
use crate::domain::subject::ChargeSubject;

/// Records that the consumer received what a charge pays for. If the bank has returned the payment, it is a debt from now on.
pub async fn fulfill_charge(
    cx: &Payments,
    conn: &mut PgConnection,
    subject: ChargeSubject,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    let Some(charge) = charges::find_by_subject(conn, subject).await? else {
        return Ok(());
    };
    let Some(mut charge) = charges::lock(conn, charge.id).await? else {
        return Ok(());
    };
    charges::mark_fulfilled(conn, charge.id, now).await?;
    record_return_debt(cx, conn, &mut charge, now).await
}
