use jiff::{
    Timestamp,
    civil::{Date, time},
    tz::TimeZone,
};
use kit::{ErrorCode, InternalError, ServiceError};
use types::ConsumerId;

use crate::{
    Rewards,
    db::{challenges, offers},
    domain::offer::{OfferDay, OfferList},
};

/// The day and the store's time zone of a request; today and the default zone if absent.
#[derive(Debug, Clone)]
pub struct DayQuery {
    pub date: Option<Date>,
    pub time_zone: Option<TimeZone>,
}

#[derive(Debug, thiserror::Error)]
pub enum ListOffersError {
    #[error("the day is out of range")]
    DayOutOfRange,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(ListOffersError);

impl From<ListOffersError> for ServiceError {
    fn from(error: ListOffersError) -> Self {
        match error {
            ListOffersError::DayOutOfRange => Self::new(
                ErrorCode::InvalidRequest,
                "DAY_MALFORMED",
                "Use a day such as 2026-01-31.",
            )
            .with_field("overrideDay"),
            ListOffersError::Internal(error) => error.into(),
        }
    }
}

impl DayQuery {
    /// Returns the requested day at noon, or today at the current time.
    pub(super) fn resolve(self, cx: &Rewards, now: Timestamp) -> Result<OfferDay, ListOffersError> {
        let time_zone = self.time_zone.unwrap_or_else(|| cx.default_time_zone.clone());
        let Some(date) = self.date else {
            return Ok(OfferDay {
                date: now.to_zoned(time_zone).date(),
                at: now,
            });
        };
        let noon = date.to_datetime(time(12, 0, 0, 0)).to_zoned(time_zone);
        let at = noon.map_err(|_| ListOffersError::DayOutOfRange)?.timestamp();
        Ok(OfferDay { date, at })
    }
}

/// Lists the offers that apply on a day, and the consumer's challenges.
///
/// # Errors
/// [`ListOffersError::DayOutOfRange`] if the day is not a valid time in the time zone.
pub async fn list_offers(
    cx: &Rewards,
    consumer_id: ConsumerId,
    query: DayQuery,
) -> Result<OfferList, ListOffersError> {
    let now = cx.clock.now();
    let day = query.resolve(cx, now)?;
    let mut conn = cx.pool.acquire().await?;
    let mut offers = offers::list(&mut conn, consumer_id, None).await?;
    offers.retain(|offer| offer.is_active(day));
    offers.sort_by_key(|offer| !offer.is_for_some_days());
    let mut challenges = challenges::list(&mut conn, consumer_id, None, now).await?;
    challenges.retain(|challenge| challenge.is_listed(now));
    Ok(OfferList {
        day,
        offers,
        challenges,
    })
}
