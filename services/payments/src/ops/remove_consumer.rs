use jiff::Timestamp;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::db::{charges, debts, effects, payment_methods, provider_customers};
use crate::domain::effect::Effect;

/// Erases a consumer's personal data and plans the detachment of the methods at the provider. The amounts stay. The
/// tombstone rejects calls that arrive later.
pub async fn remove_consumer(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    phone_hash: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    provider_customers::mark_removed(conn, consumer_id, now).await?;
    for method in payment_methods::list(conn, consumer_id).await? {
        payment_methods::detach(conn, consumer_id, method.id, now).await?;
        effects::plan(conn, Effect::Detach(method.id)).await?;
    }
    payment_methods::anonymize(conn, consumer_id).await?;
    // Waits for transactions that turn a returned charge into a debt, so that the next statement sees the debt.
    charges::anonymize(conn, consumer_id).await?;
    let phone_hash = Some(phone_hash).filter(|hash| !hash.is_empty());
    debts::anonymize(conn, consumer_id, phone_hash).await
}
