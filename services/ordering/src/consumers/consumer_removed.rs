use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::{Ordering, ops::forget_consumer::forget_consumer};

pub(super) async fn handle(
    cx: &Ordering,
    consumer_id: ConsumerId,
    tx: &mut PgConnection,
) -> Result<(), ConsumeError> {
    Ok(forget_consumer(cx, tx, consumer_id).await?)
}
