//! The store API: payments at the counter.

use axum::extract::State;

use crate::error::ApiError;
use crate::extract::{Body, PathId, StoreCaller};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::counter::{CounterPayment, RedeemCounterPinRequest};

/// Takes a payment with a consumer's PIN, once per idempotency key.
///
/// Reasons of errors: `PIN_NOT_VALID` (wrong, expired, used, or of another store), `INSUFFICIENT_BALANCE`, `AMOUNT_INVALID`,
/// `IDEMPOTENCY_KEY_REUSED` (409), `TOO_MANY_ATTEMPTS` (429: five wrong PINs of a terminal in a minute).
#[utoipa::path(post, path = "/store-api/stores/{id}/counter-payments", tag = "store-api", params(("id" = String, Path)),
    request_body = RedeemCounterPinRequest, responses((status = 200, body = ApiResponse<CounterPayment>)))]
pub(crate) async fn redeem_counter_pin(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
    Body(request): Body<RedeemCounterPinRequest>,
) -> Result<ApiResponse<CounterPayment>, ApiError> {
    let request = request.into_message(store_id);
    let payment = gateway
        .clients
        .gift_cards(&context)
        .redeem_counter_pin(request)
        .await?;
    Ok(ApiResponse::new(payment.into_inner().try_into()?))
}
