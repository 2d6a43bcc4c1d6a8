//! Reads the balances of a consumer.

use std::collections::HashMap;

use kit::InternalError;
use sqlx::PgConnection;
use types::{BalanceId, CompanyId, ConsumerId, Money};
use uuid::Uuid;

use crate::{
    db::{
        accounts::{self, balance_id},
        company_cards, gift_cards, holds,
        purchase_totals::{self, PendingValue},
    },
    domain::wallet::{Balance, BalanceSource},
};

/// Returns what the consumer's balances belong to: JoePass first, then gift cards, then company cards.
pub(super) async fn list_sources(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<Vec<(BalanceId, BalanceSource)>, InternalError> {
    let joepass = accounts::find_joepass(conn, consumer_id).await?;
    let mut sources: Vec<_> = joepass
        .map(|account| (balance_id(account), BalanceSource::JoePass))
        .into_iter()
        .collect();
    let cards = gift_cards::list(conn, consumer_id).await?;
    sources.extend(
        cards
            .into_iter()
            .map(|card| (card.balance_id, BalanceSource::GiftCard(card))),
    );
    let cards = company_cards::list(conn, consumer_id, None).await?;
    sources.extend(
        cards
            .into_iter()
            .map(|card| (card.balance_id, BalanceSource::CompanyCard(card))),
    );
    Ok(sources)
}

/// Returns the amounts of balances.
pub(super) async fn read_balances(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    sources: Vec<(BalanceId, BalanceSource)>,
) -> Result<Vec<Balance>, InternalError> {
    let ids: Vec<Uuid> = sources.iter().map(|(id, _)| id.uuid()).collect();
    let available = accounts::list_available(conn, &ids).await?;
    let held = holds::total_held(conn, &ids).await?;
    let pending = purchase_totals::list_processing(conn, consumer_id).await?;
    Ok(sources
        .into_iter()
        .map(|(id, source)| Balance {
            available: amount_of(&available, id),
            held: amount_of(&held, id),
            pending: pending_value(&pending, id, &source),
            id,
            source,
        })
        .collect())
}

fn amount_of(amounts: &HashMap<BalanceId, Money>, id: BalanceId) -> Money {
    amounts.get(&id).copied().unwrap_or_default()
}

/// A bank debit for a company card does not name the balance, which may not exist when it starts.
fn pending_value(pending: &[PendingValue], id: BalanceId, source: &BalanceSource) -> Money {
    let company_id: Option<CompanyId> = match source {
        BalanceSource::CompanyCard(card) => Some(card.company_id),
        BalanceSource::JoePass | BalanceSource::GiftCard(_) => None,
    };
    let cents = pending
        .iter()
        .filter(|value| {
            value.balance_id == Some(id) || (company_id.is_some() && value.company_id == company_id)
        })
        .map(|value| value.value)
        .sum();
    Money::usd(cents)
}

/// Returns a balance of the consumer.
pub(super) async fn find_balance(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    id: BalanceId,
) -> Result<Option<Balance>, InternalError> {
    let sources = list_sources(conn, consumer_id).await?;
    let source = sources
        .into_iter()
        .filter(|(source_id, _)| *source_id == id)
        .collect();
    let balances = read_balances(conn, consumer_id, source).await?;
    Ok(balances.into_iter().next())
}
