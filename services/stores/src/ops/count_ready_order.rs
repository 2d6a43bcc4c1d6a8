//! Counts a prepared order, and whether it was ready on time.

use sqlx::PgConnection;

use crate::{db, domain::promise::ReadyOrder};

pub(crate) async fn count_ready_order(tx: &mut PgConnection, order: &ReadyOrder) -> Result<(), sqlx::Error> {
    db::promises::add(tx, order).await
}
