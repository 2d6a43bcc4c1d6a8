use kit::consumer::ConsumeError;
use proto::payments::v1::ChargeSnapshot;
use sqlx::PgConnection;

use crate::db::debt_checks;

pub(super) async fn handle(charge: &ChargeSnapshot, tx: &mut PgConnection) -> Result<(), ConsumeError> {
    // Empty if the consumer was removed.
    if !charge.consumer_id.is_empty() {
        debt_checks::record_debt(tx, charge.consumer_id.parse()?).await?;
    }
    Ok(())
}
