//! Company cards.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{BalanceId, CompanyId, ConsumerId, GiftCardId};

use crate::domain::gift_card::CompanyCard;

/// Inserts a card unless the consumer has one of the company. Waits for a concurrent insert.
pub async fn insert(
    conn: &mut PgConnection,
    card: &CompanyCard,
    consumer_id: ConsumerId,
    at: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO company_cards (id, consumer_id, company_id, company_name, balance_id, is_active, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT company_cards_one_per_company DO NOTHING",
        card.id.uuid(),
        consumer_id.uuid(),
        card.company_id.uuid(),
        card.company_name,
        card.balance_id.uuid(),
        card.is_active,
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Returns the consumer's cards by name. Without a company, of all companies.
pub async fn list(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    company_id: Option<CompanyId>,
) -> sqlx::Result<Vec<CompanyCard>> {
    sqlx::query_as!(
        CompanyCard,
        "SELECT id, company_id, company_name, balance_id, is_active FROM company_cards
         WHERE consumer_id = $1 AND ($2::uuid IS NULL OR company_id = $2) ORDER BY company_name, id",
        consumer_id.uuid(),
        company_id.map(CompanyId::uuid),
    )
    .fetch_all(conn)
    .await
}

/// Returns the company of the consumer's card with this balance.
pub async fn find_company(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    balance_id: BalanceId,
) -> sqlx::Result<Option<CompanyId>> {
    sqlx::query_scalar!(
        "SELECT company_id FROM company_cards WHERE consumer_id = $1 AND balance_id = $2",
        consumer_id.uuid(),
        balance_id.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Sets whether checkout offers the consumer's card of a company, and returns the card.
pub async fn set_active(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    company_id: CompanyId,
    is_active: bool,
) -> sqlx::Result<Option<CompanyCard>> {
    sqlx::query_as!(
        CompanyCard,
        "UPDATE company_cards SET is_active = $3 WHERE consumer_id = $1 AND company_id = $2
         RETURNING id, company_id, company_name, balance_id, is_active",
        consumer_id.uuid(),
        company_id.uuid(),
        is_active,
    )
    .fetch_optional(conn)
    .await
}

/// Returns the ids of the cards of a removed consumer and removes the consumer from them.
pub async fn unlink_all(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<Vec<GiftCardId>> {
    sqlx::query_scalar!(
        "UPDATE company_cards SET consumer_id = NULL, is_active = false WHERE consumer_id = $1 RETURNING id",
        consumer_id.uuid(),
    )
    .fetch_all(conn)
    .await
}
