//! The order was picked up: points.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery, require_field};
use proto::ordering::v1::OrderCompleted;
use sqlx::PgConnection;

use super::{happened, money};
use crate::{
    config::Rules,
    ops::give_points::{Completed, completed},
};

pub(super) async fn handle(
    conn: &mut PgConnection,
    rules: Rules,
    event: &Delivery,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let fact = require_field(event.decode::<OrderCompleted>()?.order, "order")?;
    let done = Completed {
        order: fact.order_id.parse()?,
        consumer: fact.consumer_id.parse()?,
        earning: money(fact.earning_minor_units, &fact.currency)?,
        store: &fact.store_name,
        at: happened(&fact.at, now),
        now,
    };
    completed(conn, rules, done).await.map_err(ConsumeError::from)
}
