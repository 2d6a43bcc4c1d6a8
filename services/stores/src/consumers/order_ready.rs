//! The order is ready. Counts whether it was on time.

use kit::consumer::ConsumeError;
use proto::ordering::v1::OrderSnapshot;
use sqlx::PgConnection;

use super::parse_time;
use crate::{domain::promise::ReadyOrder, ops};

pub(super) async fn handle(order: &OrderSnapshot, tx: &mut PgConnection) -> Result<(), ConsumeError> {
    // Events of previous versions have no original promised time; those versions had no delays.
    let promised_at = match order.promised_at.as_str() {
        "" => &order.ready_at,
        promised_at => promised_at,
    };
    let ready = ReadyOrder {
        store_id: order.store_id.parse()?,
        promised_at: parse_time(promised_at)?,
        ready_at: parse_time(&order.changed_at)?,
    };
    ops::count_ready_order::count_ready_order(tx, &ready).await?;
    Ok(())
}
