//! An earlier order as a new cart, and what is gone or costs something else by now.

use kit::InternalError;
use proto::{ordering::v1 as pb, stores::v1::ResolveLinesRequest};
use types::{ConsumerId, OrderId};

use crate::{Ordering, convert, db::orders, ops::transition::StepError};

/// The lines of an earlier order that can be ordered again.
///
/// # Errors
/// [`StepError::Unknown`]: not their order.
pub async fn repeat(
    cx: &Ordering,
    consumer: ConsumerId,
    order: OrderId,
) -> Result<pb::RepeatOrderResponse, StepError> {
    let mut conn = cx.pool.acquire().await?;
    let row = orders::find(&mut conn, order)
        .await?
        .filter(|row| row.consumer() == consumer)
        .ok_or(StepError::Unknown)?;
    drop(conn);
    let asked: Vec<_> = row.lines.0.iter().map(convert::asked_line).collect();
    let request = ResolveLinesRequest {
        store_id: row.store().to_string(),
        lines: asked.clone(),
        pickup_at: String::new(),
    };
    let resolved = cx.clients.stores().resolve_lines(request).await?.into_inner();
    let price_changed = resolved.lines.iter().any(|now| {
        let then = row.lines.0.iter().find(|line| line.line_id == now.line_id);
        then.map(|line| line.unit_price) != now.unit_price.as_ref().map(|price| price.minor_units)
    });
    let still: Vec<&str> = resolved.lines.iter().map(|line| line.line_id.as_str()).collect();
    let pickup = if row.pickup == "curbside" {
        pb::PickupKind::Curbside
    } else {
        pb::PickupKind::Counter
    };
    let cart = pb::Cart {
        store_id: row.store().to_string(),
        lines: asked
            .into_iter()
            .filter(|line| still.contains(&line.line_id.as_str()))
            .collect(),
        pickup: pickup.into(),
        ..Default::default()
    };
    if cart.lines.is_empty() && resolved.problems.is_empty() {
        return Err(InternalError::broken("stores resolved neither lines nor problems").into());
    }
    Ok(pb::RepeatOrderResponse {
        cart: Some(cart),
        problems: resolved.problems,
        price_changed,
    })
}
