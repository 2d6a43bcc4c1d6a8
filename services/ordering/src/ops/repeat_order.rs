//! Returns a previous order as a new cart.

use kit::InternalError;
use types::{ConsumerId, OrderId};

use super::order_error::OrderError;
use crate::{
    Ordering,
    db::orders,
    domain::{
        cart::{CartChoice, CartDraft, CartLine},
        line::OrderLine,
        line_change::find_changes,
        saved_cart::RepeatedOrder,
    },
};

/// Resolves the lines of a previous order against today's menu.
///
/// # Errors
/// [`OrderError::NotFound`] if the consumer has no such order. Errors of stores are returned unchanged.
pub async fn repeat_order(
    cx: &Ordering,
    consumer_id: ConsumerId,
    order_id: OrderId,
) -> Result<RepeatedOrder, OrderError> {
    let mut conn = cx.pool.acquire().await?;
    let order = orders::find(&mut conn, order_id)
        .await?
        .filter(|record| record.order.consumer_id == consumer_id)
        .ok_or(OrderError::NotFound)?
        .order;
    drop(conn);
    let lines: Vec<CartLine> = order.lines.iter().map(cart_line).collect();
    let resolved = cx
        .clients
        .stores
        .resolve_lines(order.store_id, lines.clone(), None)
        .await?;
    let is_available = |line: &CartLine| {
        resolved
            .lines
            .iter()
            .any(|resolved| resolved.line_id == line.line_id)
    };
    let available: Vec<CartLine> = lines.into_iter().filter(is_available).collect();
    if available.is_empty() && resolved.problems.is_empty() {
        return Err(InternalError::invariant_violated("stores returned neither lines nor problems").into());
    }
    let changes = find_changes(&order.lines, &resolved.lines, &resolved.problems);
    Ok(RepeatedOrder {
        cart: CartDraft {
            cart_id: String::new(),
            store_id: order.store_id.to_string(),
            lines: available,
            pickup: order.pickup,
            pickup_at: String::new(),
            promo_code: String::new(),
            tip_minor_units: 0,
        },
        problems: resolved.problems,
        changes,
    })
}

fn cart_line(line: &OrderLine) -> CartLine {
    let choices = line.choices.iter().map(|choice| CartChoice {
        modification_id: choice.modification_id.clone(),
        choice_id: choice.choice_id.clone(),
        quantity: choice.quantity,
    });
    CartLine {
        choices: choices.collect(),
        line_id: line.line_id.clone(),
        item_id: line.item_id.clone(),
        size_id: line.size_id.clone(),
        quantity: line.quantity,
        note: line.note.clone(),
    }
}
