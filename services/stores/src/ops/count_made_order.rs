//! Counts an order that was made, and whether it was on time.

use sqlx::PgConnection;

use crate::{db, domain::promise::MadeOrder};

pub(crate) async fn count_made_order(tx: &mut PgConnection, order: &MadeOrder) -> Result<(), sqlx::Error> {
    db::promises::add(tx, order).await
}
