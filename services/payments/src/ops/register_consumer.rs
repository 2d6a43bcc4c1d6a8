use jiff::Timestamp;
use sqlx::PgConnection;
use types::ConsumerId;

use super::publish_debt::publish_debt;
use crate::db::{charges, consumer_phones, debts, provider_customers};

/// Records the consumer's phone number, and assigns the debts of a removed consumer with the same number. Does nothing if the consumer
/// was removed already, because the event may be delayed. `phone_hash` may be empty.
pub async fn register_consumer(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    phone_hash: &str,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    if phone_hash.is_empty() {
        return Ok(());
    }
    consumer_phones::lock(conn, phone_hash).await?;
    let customer = provider_customers::find(conn, consumer_id).await?;
    if customer.is_some_and(|customer| customer.is_removed) {
        return Ok(());
    }
    consumer_phones::insert(conn, consumer_id, phone_hash).await?;
    assign_debts(conn, phone_hash, now).await
}

/// Assigns the debts of removed consumers to the consumer who has their phone number now, if any, and publishes each of them again, so
/// that the consumer is notified. The number is locked.
pub async fn assign_debts(
    conn: &mut PgConnection,
    phone_hash: &str,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    let Some(consumer_id) = consumer_phones::find_consumer(conn, phone_hash).await? else {
        return Ok(());
    };
    for debt in debts::assign_to_consumer(conn, phone_hash, consumer_id).await? {
        tracing::info!(%consumer_id, debt_id = %debt.id, "debt of a removed account assigned");
        if let Some(mut charge) = charges::lock(conn, debt.charge_id).await? {
            publish_debt(conn, &mut charge, &debt, now).await?;
        }
    }
    Ok(())
}
