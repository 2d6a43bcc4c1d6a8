//! Returns the receipt of an order: to its consumer, or to a caller with its public link.

use kit::{ErrorCode, InternalError, ServiceError};
use types::{ConsumerId, OrderId};

use super::order_details::with_history;
use crate::{
    Ordering,
    db::orders,
    domain::{order::OrderRecord, receipt::Receipt},
    errors::order_unknown,
};

#[derive(Debug, thiserror::Error)]
pub enum ReceiptError {
    /// There is no such order, or the caller has no access to it.
    #[error("order not found")]
    NotFound,
    #[error("the order was not placed")]
    NotPlaced,
    #[error("invalid signature")]
    SignatureInvalid,
    /// The public link has expired.
    #[error("expired link")]
    Expired,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(ReceiptError);

impl From<ReceiptError> for ServiceError {
    fn from(error: ReceiptError) -> Self {
        match error {
            ReceiptError::NotFound => order_unknown(),
            ReceiptError::NotPlaced => Self::new(
                ErrorCode::Conflict,
                "ORDER_NOT_PLACED",
                "This order wasn't placed.",
            ),
            ReceiptError::SignatureInvalid => Self::new(
                ErrorCode::NotFound,
                "RECEIPT_SIGNATURE_INVALID",
                "This receipt link isn't valid.",
            ),
            ReceiptError::Expired => Self::new(
                ErrorCode::NotFound,
                "RECEIPT_EXPIRED",
                "This receipt link has expired.",
            ),
            ReceiptError::Internal(error) => error.into(),
        }
    }
}

/// Returns the receipt of a consumer's order, with the signature of its public link.
///
/// # Errors
/// [`ReceiptError::NotFound`], or [`ReceiptError::NotPlaced`] if the order waits for its payment or failed.
pub async fn get_receipt(
    cx: &Ordering,
    consumer_id: ConsumerId,
    order_id: OrderId,
) -> Result<Receipt, ReceiptError> {
    let mut conn = cx.pool.acquire().await?;
    let record = orders::find(&mut conn, order_id)
        .await?
        .filter(|record| record.order.consumer_id == consumer_id)
        .ok_or(ReceiptError::NotFound)?;
    let details = with_history(&mut conn, record).await?;
    Receipt::of(details, cx.receipt_keys.sign(order_id)).ok_or(ReceiptError::NotPlaced)
}

/// Returns the receipt without personal data. Requires the signature of its public link.
///
/// # Errors
/// [`ReceiptError::SignatureInvalid`], also for an unknown order, so that the response does not reveal which orders
/// exist.
pub async fn get_public_receipt(
    cx: &Ordering,
    order_id: OrderId,
    signature: &str,
) -> Result<Receipt, ReceiptError> {
    if !cx.receipt_keys.is_valid(order_id, signature) {
        return Err(ReceiptError::SignatureInvalid);
    }
    let mut conn = cx.pool.acquire().await?;
    let record = orders::find(&mut conn, order_id)
        .await?
        .ok_or(ReceiptError::SignatureInvalid)?;
    if is_expired(cx, &record) {
        return Err(ReceiptError::Expired);
    }
    let details = with_history(&mut conn, record).await?;
    Receipt::of(details, String::new())
        .map(Receipt::into_public)
        .ok_or(ReceiptError::NotPlaced)
}

fn is_expired(cx: &Ordering, record: &OrderRecord) -> bool {
    cx.clock.now() > record.order.ready_at + cx.rules.receipt_link_lifetime()
}
