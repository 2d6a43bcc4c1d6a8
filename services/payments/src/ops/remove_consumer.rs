use std::time::Duration;

use jiff::Timestamp;
use sqlx::PgConnection;
use types::ConsumerId;

use super::register_consumer::assign_debts;
use crate::db::{
    charge_phone_hashes, charges, consumer_phones, debts, effects, payment_methods, provider_customers,
};
use crate::domain::effect::Effect;

/// Age until which a bank debit can become a debt: banks return debits within 60 days after they settled. The rest is for the settlement
/// and for delays.
const DEBIT_RETURN_PERIOD: Duration = Duration::from_hours(90 * 24);

/// Erases a consumer's personal data and plans the detachment of the methods at the provider. The amounts stay. The
/// tombstone rejects calls that arrive later. What the consumer owes, or will owe for returned debits, is kept with the hash of the
/// phone number for the next consumer with this number. `phone_hash` may be empty.
pub async fn remove_consumer(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    phone_hash: &str,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    let phone_hash = Some(phone_hash).filter(|hash| !hash.is_empty());
    if let Some(phone_hash) = phone_hash {
        consumer_phones::lock(conn, phone_hash).await?;
    }
    provider_customers::mark_removed(conn, consumer_id, now).await?;
    consumer_phones::delete(conn, consumer_id).await?;
    for method in payment_methods::list(conn, consumer_id).await? {
        payment_methods::detach(conn, consumer_id, method.id, now).await?;
        effects::plan(conn, Effect::Detach(method.id)).await?;
    }
    payment_methods::anonymize(conn, consumer_id).await?;
    // Waits for transactions that turn a returned charge into a debt, so that the next statements see the debt.
    let charge_ids = charges::anonymize(conn, consumer_id).await?;
    debts::anonymize(conn, consumer_id, phone_hash).await?;
    let Some(phone_hash) = phone_hash else {
        return Ok(());
    };
    charge_phone_hashes::insert_for_returnable(conn, &charge_ids, phone_hash, DEBIT_RETURN_PERIOD, now)
        .await?;
    assign_debts(conn, phone_hash, now).await
}
