use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::ops::forget_consumer::forget_consumer;

pub(super) async fn handle(consumer_id: ConsumerId, tx: &mut PgConnection) -> Result<(), ConsumeError> {
    Ok(forget_consumer(tx, consumer_id).await?)
}
