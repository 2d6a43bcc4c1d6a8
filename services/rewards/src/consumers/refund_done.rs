//! Money was sent back: points go with it.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery, require_field};
use proto::payments::v1::RefundDone;
use sqlx::PgConnection;
use types::{ConsumerId, OrderId};

use super::{happened, money};
use crate::{
    config::Rules,
    domain::Notice,
    ops::{give_points::refunded, tell::tell},
};

pub(super) async fn handle(
    conn: &mut PgConnection,
    rules: Rules,
    event: &Delivery,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let charge = require_field(event.decode::<RefundDone>()?.charge, "charge")?;
    if charge.consumer_id.is_empty() {
        // The consumer was removed meanwhile: the money went back, and there is nobody to tell.
        return Ok(());
    }
    let consumer: ConsumerId = charge.consumer_id.parse()?;
    let (amount, at) = (
        money(charge.amount_minor_units, &charge.currency)?,
        happened(&charge.at, now),
    );
    // Not every charge is for an order.
    let order: Option<OrderId> = if charge.order_id.is_empty() {
        None
    } else {
        Some(charge.order_id.parse()?)
    };
    if let Some(order) = order {
        tracing::Span::current().record("order_id", tracing::field::display(order));
        refunded(conn, rules, consumer, order, amount, at).await?;
    }
    // One charge may be refunded in parts; each part has an event of its own.
    let reference = format!("refund:{}", event.id);
    tell(
        conn,
        consumer,
        &reference,
        &Notice::refund_done(amount),
        order,
        at,
        now,
    )
    .await
    .map_err(ConsumeError::from)
}
