use sqlx::PgConnection;
use types::ConsumerId;

use crate::db::debts;

/// Assigns the debts of a removed account with the same phone number to a new consumer. `phone_hash` may be empty.
pub async fn assign_debts(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    phone_hash: &str,
) -> Result<(), sqlx::Error> {
    if phone_hash.is_empty() {
        return Ok(());
    }
    let debts = debts::assign_to_consumer(conn, phone_hash, consumer_id).await?;
    if debts > 0 {
        tracing::info!(%consumer_id, debts, "debts of a removed account assigned");
    }
    Ok(())
}
