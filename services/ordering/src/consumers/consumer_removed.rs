//! A consumer is gone: their words go too, the money records stay.

use kit::{consumer::ConsumeError, idempotency};
use proto::accounts::v1::ConsumerEvent;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::db::{carts, orders};

/// Forgets the cart and the answers that were kept, and takes the person's words off the orders.
///
/// # Errors
/// [`ConsumeError`].
pub async fn handle(event: &ConsumerEvent, tx: &mut PgConnection) -> Result<(), ConsumeError> {
    let consumer: ConsumerId = event.consumer_id.parse()?;
    carts::delete(tx, consumer).await?;
    idempotency::delete_scope(tx, &consumer.to_string()).await?;
    orders::anonymise(tx, consumer).await?;
    Ok(())
}
