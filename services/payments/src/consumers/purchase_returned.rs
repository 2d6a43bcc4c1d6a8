//! The bank returned the payment of stored value. The part that was spent is owed.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::PurchaseId;

use crate::Payments;
use crate::ops::record_purchase_debt::record_purchase_debt;

pub(super) async fn handle(
    cx: &Payments,
    purchase_id: PurchaseId,
    shortfall_minor_units: i64,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    Ok(record_purchase_debt(cx, tx, purchase_id, shortfall_minor_units, now).await?)
}
