use jiff::Timestamp;
use sqlx::PgConnection;
use types::{Money, PurchaseId};

use super::record_debt::record_debt;
use crate::Payments;
use crate::db::charges;
use crate::domain::debt::Owed;

/// Records the part of a returned purchase of stored value that was spent, and so could not be taken back.
pub async fn record_purchase_debt(
    cx: &Payments,
    conn: &mut PgConnection,
    purchase_id: PurchaseId,
    shortfall_minor_units: i64,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    let Some(id) = charges::find_id_by_purchase(conn, purchase_id).await? else {
        tracing::warn!(%purchase_id, "returned purchase has no charge");
        return Ok(());
    };
    let Some(mut charge) = charges::lock(conn, id).await? else {
        return Ok(());
    };
    let Some(terms) = &charge.terms else {
        return Ok(());
    };
    let owed = Owed {
        amount: Money::new(
            shortfall_minor_units.min(terms.amount.minor_units()),
            terms.amount.currency(),
        ),
        has_penalty_fee: true,
    };
    if owed.amount.is_positive() {
        record_debt(cx, conn, &mut charge, owed, now).await?;
    }
    Ok(())
}
