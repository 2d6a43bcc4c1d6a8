use kit::{ErrorCode, idempotency::Key};

use super::PlaceOrderError;
use crate::{
    Ordering,
    db::steps::{self, NewSaga},
    domain::order::OrderRecord,
};

/// Writes the order and its idempotency key in one statement. From here on, recovery can find the order.
///
/// Returns false if the key exists.
///
/// # Errors
/// `CART_ORDERED` if the cart was already ordered, `IDEMPOTENCY_KEY_REUSED` if the key created an order whose response is
/// no longer stored.
pub(super) async fn begin(
    cx: &Ordering,
    key: Key<'_>,
    request_hash: &[u8],
    record: &OrderRecord,
) -> Result<bool, PlaceOrderError> {
    let saga = NewSaga {
        key,
        request_hash,
        lease_until: record.order.created_at + cx.rules.saga_lease(),
    };
    let mut conn = cx.pool.acquire().await?;
    steps::begin(&mut conn, record, saga)
        .await
        .map_err(|error| match constraint(&error) {
            Some("orders_cart_key") => PlaceOrderError::rejected(
                ErrorCode::Conflict,
                "CART_ORDERED",
                "You already ordered this cart. Check your orders.",
            ),
            Some("orders_idempotency_key") => PlaceOrderError::key_reused(),
            _ => error.into(),
        })
}

fn constraint(error: &sqlx::Error) -> Option<&str> {
    error.as_database_error()?.constraint()
}
