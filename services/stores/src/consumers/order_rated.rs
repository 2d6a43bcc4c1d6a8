//! A consumer rated the order. Counts the stars for the average of the store.

use kit::consumer::ConsumeError;
use proto::ordering::v1::{OrderRated, OrderSnapshot};
use sqlx::PgConnection;

use super::parse_time;
use crate::{domain::rating::OrderRating, ops};

pub(super) async fn handle(
    order: &OrderSnapshot,
    rated: &OrderRated,
    tx: &mut PgConnection,
) -> Result<(), ConsumeError> {
    let stars = u8::try_from(rated.rating)
        .ok()
        .filter(|stars| (1..=5).contains(stars));
    let rating = OrderRating {
        store_id: order.store_id.parse()?,
        stars: stars.ok_or_else(|| ConsumeError::Rejected(format!("rating {}", rated.rating)))?,
        rated_at: parse_time(&order.changed_at)?,
    };
    ops::count_rating::count_rating(tx, &rating).await?;
    Ok(())
}
