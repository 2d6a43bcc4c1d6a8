//! Gift cards and deals.

use axum::extract::State;
use kit::grpc::deadline;
use proto::giftcards::v1 as giftcards;
use tonic::Request;
use types::timeouts::PLACE_ORDER_TIMEOUT;

use super::provider_script::attach_to_purchase;
use crate::error::ApiError;
use crate::extract::{Body, ClientAddress, Consumer, Query};
use crate::gateway::Gateway;
use crate::rate_limits::limit_gift_codes;
use crate::response::ApiResponse;
use crate::types::gift_card::{
    BuyGiftCardRequest, DealList, DealsQuery, LinkGiftCardRequest, RedeemGiftCardRequest,
};
use crate::types::purchase::PurchaseResult;
use crate::types::wallet::Balance;

/// Buys a gift card for the consumer's own wallet or for someone else, once per idempotency key.
///
/// A card for someone else is sent to the recipient with its code, now or on a date. Reasons of errors: those of adding
/// funds, and `RECIPIENT_INVALID`, `DELIVERY_DATE_INVALID`, `MESSAGE_TOO_LONG`, `DESIGN_UNKNOWN`, `DEAL_NOT_AVAILABLE` (409).
#[utoipa::path(post, path = "/api/consumer/gift-card", tag = "gift-cards",
    request_body = BuyGiftCardRequest, responses((status = 200, body = ApiResponse<PurchaseResult>)))]
pub(crate) async fn buy_gift_card(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<BuyGiftCardRequest>,
) -> Result<ApiResponse<PurchaseResult>, ApiError> {
    let mut request = Request::new(giftcards::BuyGiftCardRequest::try_from(request)?);
    request.set_timeout(PLACE_ORDER_TIMEOUT);
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let purchase = deadline::within(PLACE_ORDER_TIMEOUT, client.buy_gift_card(request)).await?;
    attach_to_purchase(&gateway, &consumer, purchase.into_inner()).await
}

/// Adds a gift card to the wallet by its code.
///
/// Reasons of errors: `CODE_NOT_VALID` if the code is wrong or canceled, or another consumer has the card; `TOO_MANY_ATTEMPTS`
/// (429).
#[utoipa::path(post, path = "/api/consumer/user/gift-card", tag = "gift-cards",
    request_body = RedeemGiftCardRequest, responses((status = 200, body = ApiResponse<Balance>)))]
pub(crate) async fn redeem_gift_card(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    ClientAddress(address): ClientAddress,
    Body(request): Body<RedeemGiftCardRequest>,
) -> Result<ApiResponse<Balance>, ApiError> {
    let request = giftcards::RedeemGiftCardRequest { code: request.code };
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let attempt = async { Ok(client.redeem_gift_card(request).await?) };
    let balance = limit_gift_codes(&gateway, consumer.id, address, attempt).await?;
    Ok(ApiResponse::new(balance.into_inner().try_into()?))
}

/// Adds a physical gift card to the wallet by its number and, if it has one, its PIN.
///
/// Reasons of errors: `CODE_NOT_VALID` if the number or the PIN is wrong, or another consumer has the card;
/// `TOO_MANY_ATTEMPTS` (429).
#[utoipa::path(post, path = "/api/consumer/gift-card/link-gift-card", tag = "gift-cards",
    request_body = LinkGiftCardRequest, responses((status = 200, body = ApiResponse<Balance>)))]
pub(crate) async fn link_gift_card(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    ClientAddress(address): ClientAddress,
    Body(request): Body<LinkGiftCardRequest>,
) -> Result<ApiResponse<Balance>, ApiError> {
    let request = giftcards::LinkGiftCardRequest {
        number: request.number,
        pin: request.pin.unwrap_or_default(),
    };
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let attempt = async { Ok(client.link_gift_card(request).await?) };
    let balance = limit_gift_codes(&gateway, consumer.id, address, attempt).await?;
    Ok(ApiResponse::new(balance.into_inner().try_into()?))
}

/// Lists the deals that the consumer can use.
#[utoipa::path(get, path = "/api/consumer/gift-card/deals", tag = "gift-cards", params(DealsQuery),
    responses((status = 200, body = ApiResponse<DealList>)))]
pub(crate) async fn list_gift_card_deals(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<DealsQuery>,
) -> Result<ApiResponse<DealList>, ApiError> {
    let request = giftcards::ListGiftCardDealsRequest {
        company_id: query.company_id.unwrap_or_default(),
    };
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let deals = client.list_gift_card_deals(request).await?;
    Ok(ApiResponse::new(deals.into_inner().try_into()?))
}
