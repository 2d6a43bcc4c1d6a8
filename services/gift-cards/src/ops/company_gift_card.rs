//! Errors and lookups of company cards.

use kit::{ErrorCode, InternalError, ServiceError};
use sqlx::PgConnection;
use types::{BalanceId, CompanyId, ConsumerId};

use crate::{db::company_cards, domain::wallet::BalanceSource};

#[derive(Debug, thiserror::Error)]
pub enum CompanyGiftCardError {
    /// The consumer has no such card.
    #[error("company card unknown")]
    Unknown,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(CompanyGiftCardError);

impl From<CompanyGiftCardError> for ServiceError {
    fn from(error: CompanyGiftCardError) -> Self {
        match error {
            CompanyGiftCardError::Unknown => Self::new(
                ErrorCode::NotFound,
                "COMPANY_CARD_UNKNOWN",
                "You don't have a card of this company.",
            ),
            CompanyGiftCardError::Internal(error) => error.into(),
        }
    }
}

/// Returns the consumer's cards of a company or, without one, of all companies.
pub(super) async fn sources(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    company_id: Option<CompanyId>,
) -> sqlx::Result<Vec<(BalanceId, BalanceSource)>> {
    let cards = company_cards::list(conn, consumer_id, company_id).await?;
    Ok(cards
        .into_iter()
        .map(|card| (card.balance_id, BalanceSource::CompanyCard(card)))
        .collect())
}
