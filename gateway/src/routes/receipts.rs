//! Receipts.

use axum::extract::State;
use http::request::Parts;
use proto::ordering::v1 as ordering;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::session::find_consumer;
use crate::types::receipt::{Receipt, ReceiptQuery};

/// Returns the receipt of an order: for its consumer, or without personal data for a request with the link's signature.
#[utoipa::path(get, path = "/api/consumer/order/complete", tag = "orders", params(ReceiptQuery),
    responses((status = 200, body = ApiResponse<Receipt>)))]
pub(crate) async fn get_receipt(
    State(gateway): State<Gateway>,
    Query(query): Query<ReceiptQuery>,
    context: CallContext,
    parts: Parts,
) -> Result<ApiResponse<Receipt>, ApiError> {
    let receipt = if query.is_receipt_public_page {
        let request = ordering::GetPublicReceiptRequest {
            order_id: query.order_id,
            signature: query.signature.unwrap_or_default(),
        };
        gateway
            .clients
            .ordering(&context)
            .get_public_receipt(request)
            .await?
    } else {
        let consumer = find_consumer(&gateway, &parts).await?;
        let request = ordering::GetReceiptRequest {
            order_id: query.order_id,
        };
        gateway
            .clients
            .ordering(&consumer.context)
            .get_receipt(request)
            .await?
    };
    Ok(ApiResponse::new(receipt.into_inner().try_into()?))
}
