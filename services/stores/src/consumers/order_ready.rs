//! The order is ready. Counts whether it was on time.

use kit::consumer::ConsumeError;
use proto::ordering::v1::OrderSnapshot;
use sqlx::PgConnection;

use super::parse_time;
use crate::{domain::promise::ReadyOrder, ops};

pub(super) async fn handle(order: &OrderSnapshot, tx: &mut PgConnection) -> Result<(), ConsumeError> {
    // Events of previous versions have only one ready time; those versions had no delays.
    let first_ready_at = match order.first_ready_at.as_str() {
        "" => &order.ready_at,
        first_ready_at => first_ready_at,
    };
    let ready = ReadyOrder {
        store_id: order.store_id.parse()?,
        first_ready_at: parse_time(first_ready_at)?,
        made_at: parse_time(&order.changed_at)?,
    };
    ops::count_ready_order::count_ready_order(tx, &ready).await?;
    Ok(())
}
