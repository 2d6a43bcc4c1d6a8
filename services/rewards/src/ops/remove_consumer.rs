use jiff::Timestamp;
use kit::InternalError;
use ledger::Unit;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::db::{
    accounts::{CLOSED_ACCOUNTS, POINTS},
    challenge_claims, claims, consumers, invitations, messages, order_points, promo_failures,
};

/// Deletes the consumer's messages and claims of challenges, anonymizes their discounts, orders, invitations and points, and
/// writes a tombstone, so that late events have no effect. The phone number's hash stays on claims, so that the number cannot
/// use a code twice.
pub(crate) async fn remove_consumer(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    phone_hash: Option<&str>,
    at: Timestamp,
) -> Result<(), InternalError> {
    consumers::remove(conn, consumer_id, at).await?;
    if let Some(phone_hash) = phone_hash {
        claims::set_phone_hash(conn, consumer_id, phone_hash).await?;
    }
    claims::anonymize(conn, consumer_id).await?;
    messages::delete_all(conn, consumer_id).await?;
    promo_failures::delete_of_consumer(conn, consumer_id).await?;
    challenge_claims::delete_all(conn, consumer_id).await?;
    invitations::anonymize(conn, consumer_id).await?;
    order_points::anonymize(conn, consumer_id).await?;
    let (owner, unit) = (consumer_id.uuid(), Unit::Points);
    ledger::close_account(conn, POINTS, owner, unit, CLOSED_ACCOUNTS, at).await?;
    Ok(())
}
