use jiff::Timestamp;
use kit::InternalError;
use ledger::Unit;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::db::{
    accounts::{CLOSED_ACCOUNTS, COMPANY_CARD, GIFT_CARD, JOEPASS},
    auto_reload, company_cards, consumers, counter, gift_cards, purchase_leases, purchases,
};

/// Closes the consumer's accounts and writes a tombstone, so that a late request opens no new one. Postings stay, without
/// the consumer.
///
/// Recovery closes the purchases that are not paid. A task or an event that changes one of them now finds the tombstone.
pub(crate) async fn remove_consumer(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    at: Timestamp,
) -> Result<(), InternalError> {
    consumers::remove(conn, consumer_id, at).await?;
    let cards = gift_cards::list(conn, consumer_id).await?;
    gift_cards::unlink_all(conn, consumer_id, at).await?;
    let company_cards = company_cards::unlink_all(conn, consumer_id).await?;
    auto_reload::delete(conn, consumer_id).await?;
    counter::delete_pin(conn, consumer_id).await?;
    let mut owners = vec![(JOEPASS, consumer_id.uuid())];
    owners.extend(cards.iter().map(|card| (GIFT_CARD, card.id.uuid())));
    owners.extend(company_cards.iter().map(|id| (COMPANY_CARD, id.uuid())));
    for (kind, owner) in owners {
        ledger::close_account(conn, kind, owner, Unit::Usd, CLOSED_ACCOUNTS, at).await?;
    }
    purchase_leases::expire_waiting(conn, consumer_id).await?;
    purchases::erase_recipients(conn, consumer_id).await?;
    purchases::anonymize(conn, consumer_id, ConsumerId::new(at)).await?;
    Ok(())
}
