//! Counts the rating of an order.

use sqlx::PgConnection;

use crate::{db, domain::rating::OrderRating};

pub(crate) async fn count_rating(tx: &mut PgConnection, rating: &OrderRating) -> Result<(), sqlx::Error> {
    db::ratings::add(tx, rating).await
}
