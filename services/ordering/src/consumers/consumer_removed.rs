//! A consumer is gone: their words go too, the money records stay.

use kit::consumer::ConsumeError;
use proto::accounts::v1::ConsumerRemoved;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::db::{carts, orders};

/// Forgets the cart and takes the names off the orders.
///
/// # Errors
/// [`ConsumeError`].
pub async fn handle(event: &ConsumerRemoved, tx: &mut PgConnection) -> Result<(), ConsumeError> {
    let consumer: ConsumerId = event.consumer_id.parse()?;
    carts::delete(tx, consumer).await?;
    orders::anonymise(tx, consumer).await?;
    Ok(())
}
