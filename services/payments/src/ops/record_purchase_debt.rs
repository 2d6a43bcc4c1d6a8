use jiff::Timestamp;
use sqlx::PgConnection;
use types::PurchaseId;

use super::record_debt::record_debt;
use crate::Payments;
use crate::db::charges;
use crate::domain::debt::Owed;

/// Records what the consumer owes for a returned purchase of stored value: what was spent, and so could not be taken back, and what was
/// refunded.
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
    if let Some(owed) = Owed::for_spent_value(&charge, shortfall_minor_units) {
        record_debt(cx, conn, &mut charge, owed, now).await?;
    }
    Ok(())
}
