use kit::{ErrorCode, ServiceError, idempotency::Key};

use super::PlaceOrderError;
use crate::{
    Ordering,
    db::{
        orders,
        steps::{self, BeginOutcome, NewSaga},
    },
    domain::{order::OrderRecord, place_order::PlaceOrder},
};

/// A conflict means that another order of the consumer took the slot, so this many consecutive conflicts are a bug.
const MAX_ATTEMPTS: u32 = 50;

/// Writes the order and its idempotency key in one statement. From here on, recovery can find the order.
///
/// # Errors
/// `IDEMPOTENCY_KEY_REUSED` if the key created an order and the response is no longer stored.
pub(super) async fn begin(
    cx: &Ordering,
    command: &PlaceOrder,
    record: &OrderRecord,
) -> Result<BeginOutcome, PlaceOrderError> {
    let saga = NewSaga {
        key: Key {
            scope: &command.consumer_id.to_string(),
            operation: PlaceOrder::OPERATION,
            key: &command.idempotency_key,
        },
        request_hash: &command.request_hash,
        lease: cx.rules.saga_lease(),
        max_active: cx.rules.max_active(record.order.is_scheduled),
    };
    let mut conn = cx.pool.acquire().await?;
    for _ in 0..MAX_ATTEMPTS {
        let error = match steps::begin(&mut conn, record, saga).await {
            Ok(outcome) => return Ok(outcome),
            Err(error) => error,
        };
        return match constraint(&error) {
            Some("orders_active_slot_key") => continue,
            Some("orders_cart_key") => Ok(BeginOutcome::CartOrdered),
            // An order can violate both, and the server reports one of them.
            Some("orders_idempotency_key") => {
                let order = &record.order;
                if orders::is_cart_ordered(&mut conn, order.consumer_id, &order.cart_id).await? {
                    Ok(BeginOutcome::CartOrdered)
                } else {
                    Err(PlaceOrderError::key_reused())
                }
            }
            _ => Err(error.into()),
        };
    }
    Err(PlaceOrderError::Rejected(ServiceError::unavailable()))
}

pub(super) fn cart_ordered() -> PlaceOrderError {
    PlaceOrderError::rejected(
        ErrorCode::Conflict,
        "CART_ORDERED",
        "You already ordered this cart. Check your orders.",
    )
}

fn constraint(error: &sqlx::Error) -> Option<&str> {
    error.as_database_error()?.constraint()
}

pub(super) fn too_many_active_orders(cx: &Ordering, is_scheduled: bool) -> PlaceOrderError {
    let count = cx.rules.max_active(is_scheduled);
    let message = if is_scheduled {
        format!("You can have up to {count} scheduled orders. Try again when one of them is ready.")
    } else {
        format!("You can have up to {count} orders in progress. Try again when one of them is ready.")
    };
    PlaceOrderError::Rejected(ServiceError::new(
        ErrorCode::RuleViolation,
        "TOO_MANY_ACTIVE_ORDERS",
        message,
    ))
}
