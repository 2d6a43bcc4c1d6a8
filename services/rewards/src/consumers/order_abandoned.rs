//! Closes the claim of an order that was never placed. The checkout shows why, so there is no notification.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::ordering::v1::OrderSnapshot;
use sqlx::PgConnection;

use crate::ops::close_claim::close_claim_in;

pub(super) async fn handle(
    order: OrderSnapshot,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    close_claim_in(tx, order.order_id.parse()?, now).await?;
    Ok(())
}
