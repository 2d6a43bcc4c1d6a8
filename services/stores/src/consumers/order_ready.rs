//! The order was made. Counts whether it was on time.

use jiff::Timestamp;
use kit::messaging::consumer::ConsumeError;
use proto::ordering::v1::OrderSnapshot;
use sqlx::PgConnection;

use crate::{domain::promise::MadeOrder, ops};

pub(super) async fn handle(order: &OrderSnapshot, tx: &mut PgConnection) -> Result<(), ConsumeError> {
    // Events of earlier versions have no first promise, and no order was delayed then.
    let promised_at = match order.promised_at.as_str() {
        "" => &order.ready_at,
        promised_at => promised_at,
    };
    let made = MadeOrder {
        store_id: order.store_id.parse()?,
        promised_at: parse_time(promised_at)?,
        made_at: parse_time(&order.changed_at)?,
    };
    ops::count_made_order::count_made_order(tx, &made).await?;
    Ok(())
}

fn parse_time(text: &str) -> Result<Timestamp, ConsumeError> {
    text.parse()
        .map_err(|error| ConsumeError::Rejected(format!("time {text:?}: {error}")))
}
