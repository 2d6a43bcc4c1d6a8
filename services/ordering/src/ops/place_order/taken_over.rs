use kit::{InternalError, ServiceError};
use sqlx::PgConnection;
use types::ConsumerId;

use super::PlaceOrderError;
use crate::db::removed_consumers;

/// Returns the error if another task took over the order, or works on it. A retry with the same key returns that task's response, unless
/// the consumer was removed: recovery closes the order, and no response is stored.
pub(super) async fn taken_over(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<PlaceOrderError, InternalError> {
    let is_removed = removed_consumers::contains(conn, consumer_id).await?;
    Ok(if is_removed {
        PlaceOrderError::consumer_removed()
    } else {
        PlaceOrderError::Rejected(ServiceError::unavailable())
    })
}
