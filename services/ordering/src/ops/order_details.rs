//! Orders with their histories.

use jiff::Timestamp;
use sqlx::PgConnection;
use types::OrderId;

use crate::{
    db::history,
    domain::{
        order::{Order, OrderDetails, OrderRecord, StatusChange},
        status::{Actor, Status},
    },
};

/// Returns the order with its history until its version.
pub(super) async fn with_history(
    conn: &mut PgConnection,
    record: OrderRecord,
) -> Result<OrderDetails, sqlx::Error> {
    let order = record.order;
    let history = history::find_until(conn, order.id, order.version).await?;
    Ok(OrderDetails { order, history })
}

pub(super) async fn with_histories(
    conn: &mut PgConnection,
    records: Vec<OrderRecord>,
) -> Result<Vec<OrderDetails>, sqlx::Error> {
    let ids: Vec<OrderId> = records.iter().map(|record| record.order.id).collect();
    let mut histories = history::find(conn, &ids).await?;
    let details = records.into_iter().map(|OrderRecord { order, .. }| OrderDetails {
        history: histories.remove(&order.id).unwrap_or_default(),
        order,
    });
    Ok(details.collect())
}

/// Returns the history of an order that is placed at `placed_at`. The saga writes no other entries.
#[must_use]
pub fn history_when_placed(order: &Order, status: Status, placed_at: Timestamp) -> Vec<StatusChange> {
    let change = |status, at| StatusChange {
        status,
        at,
        actor: Actor::Consumer,
        ready_at: None,
    };
    vec![
        change(Status::PaymentPending, order.created_at),
        change(status, placed_at),
    ]
}
