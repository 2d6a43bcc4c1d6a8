use kit::{ErrorCode, InternalError, ServiceError};
use types::ConsumerId;

use super::list_offers::{DayQuery, ListOffersError};
use crate::{
    Rewards,
    db::offers,
    domain::offer::{Offer, OfferDay},
};

#[derive(Debug, thiserror::Error)]
pub enum GetOfferError {
    #[error("unknown offer")]
    Unknown,
    #[error(transparent)]
    Day(#[from] ListOffersError),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(GetOfferError);

impl From<GetOfferError> for ServiceError {
    fn from(error: GetOfferError) -> Self {
        match error {
            GetOfferError::Unknown => Self::new(
                ErrorCode::NotFound,
                "OFFER_UNKNOWN",
                "We couldn't find that offer. It may have ended.",
            ),
            GetOfferError::Day(error) => error.into(),
            GetOfferError::Internal(error) => error.into(),
        }
    }
}

/// Returns an offer, and the day for which its terms are evaluated.
///
/// # Errors
/// [`GetOfferError::Unknown`] if there is no offer with this id.
pub async fn get_offer(
    cx: &Rewards,
    consumer_id: ConsumerId,
    offer_id: &str,
    query: DayQuery,
) -> Result<(Offer, OfferDay), GetOfferError> {
    let day = query.resolve(cx, cx.clock.now())?;
    let mut conn = cx.pool.acquire().await?;
    let offer = offers::list(&mut conn, consumer_id, Some(offer_id)).await?.pop();
    Ok((offer.ok_or(GetOfferError::Unknown)?, day))
}
