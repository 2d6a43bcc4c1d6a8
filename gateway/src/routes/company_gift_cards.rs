//! Company cards: stored value that is valid at the stores of one company.

use axum::extract::State;
use kit::grpc::deadline;
use proto::giftcards::v1 as giftcards;
use tonic::Request;
use types::timeouts::PLACE_ORDER_TIMEOUT;

use super::provider_script::attach_to_purchase;
use crate::error::ApiError;
use crate::extract::{Body, Consumer, Query};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::company_gift_card::{
    CompanyGiftCardQuery, CompanyGiftCardsQuery, CompanyRequest, PurchaseCompanyGiftCardRequest, UploadList,
};
use crate::types::purchase::PurchaseResult;
use crate::types::wallet::{Balance, TransactionHistory};

const DEFAULT_TAKE: u32 = 20;

/// Buys a card of a company, or adds to the one that the consumer has, once per idempotency key.
///
/// Reasons of errors: those of adding funds, and `COMPANY_UNKNOWN` (404), `AMOUNT_REQUIRED`, `DEAL_NOT_AVAILABLE` (409).
#[utoipa::path(post, path = "/api/consumer/company-gift-card/purchase", tag = "company-gift-cards",
    request_body = PurchaseCompanyGiftCardRequest, responses((status = 200, body = ApiResponse<PurchaseResult>)))]
pub(crate) async fn purchase_company_gift_card(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<PurchaseCompanyGiftCardRequest>,
) -> Result<ApiResponse<PurchaseResult>, ApiError> {
    let mut request = Request::new(giftcards::PurchaseCompanyGiftCardRequest::try_from(request)?);
    request.set_timeout(PLACE_ORDER_TIMEOUT);
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let purchase = client.purchase_company_gift_card(request);
    let purchase = deadline::within(PLACE_ORDER_TIMEOUT, purchase).await?;
    attach_to_purchase(&gateway, &consumer, purchase.into_inner()).await
}

/// Offers the consumer's card of a company at checkout. Repeating it changes nothing.
///
/// Reason of errors: `COMPANY_CARD_UNKNOWN` (404).
#[utoipa::path(post, path = "/api/consumer/company-gift-card/activate", tag = "company-gift-cards",
    request_body = CompanyRequest, responses((status = 200, body = ApiResponse<Balance>)))]
pub(crate) async fn activate_company_gift_card(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<CompanyRequest>,
) -> Result<ApiResponse<Balance>, ApiError> {
    let request = giftcards::ActivateCompanyGiftCardRequest {
        company_id: request.company_id,
    };
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let card = client.activate_company_gift_card(request).await?;
    Ok(ApiResponse::new(card.into_inner().try_into()?))
}

/// Stops offering the consumer's card of a company at checkout. Its value stays. Repeating it changes nothing.
///
/// Reason of errors: `COMPANY_CARD_UNKNOWN` (404).
#[utoipa::path(post, path = "/api/consumer/company-gift-card/deactivate", tag = "company-gift-cards",
    request_body = CompanyRequest, responses((status = 200, body = ApiResponse<Balance>)))]
pub(crate) async fn deactivate_company_gift_card(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<CompanyRequest>,
) -> Result<ApiResponse<Balance>, ApiError> {
    let request = giftcards::DeactivateCompanyGiftCardRequest {
        company_id: request.company_id,
    };
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let card = client.deactivate_company_gift_card(request).await?;
    Ok(ApiResponse::new(card.into_inner().try_into()?))
}

/// Returns a company card of the consumer.
///
/// Reason of errors: `COMPANY_CARD_UNKNOWN` (404).
#[utoipa::path(get, path = "/api/consumer/company-gift-card/details", tag = "company-gift-cards",
    params(CompanyGiftCardQuery), responses((status = 200, body = ApiResponse<Balance>)))]
pub(crate) async fn get_company_gift_card(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<CompanyGiftCardQuery>,
) -> Result<ApiResponse<Balance>, ApiError> {
    let request = giftcards::GetCompanyGiftCardRequest {
        gift_card_id: query.gift_card_id,
    };
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let card = client.get_company_gift_card(request).await?;
    Ok(ApiResponse::new(card.into_inner().try_into()?))
}

/// Lists the transactions of company cards, newest first.
#[utoipa::path(get, path = "/api/consumer/company-gift-card/history", tag = "company-gift-cards",
    params(CompanyGiftCardsQuery), responses((status = 200, body = ApiResponse<TransactionHistory>)))]
pub(crate) async fn list_company_gift_card_history(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<CompanyGiftCardsQuery>,
) -> Result<ApiResponse<TransactionHistory>, ApiError> {
    let request = giftcards::ListCompanyGiftCardHistoryRequest {
        page: Some(query.page().with_default(DEFAULT_TAKE)?),
        company_id: query.company_id.unwrap_or_default(),
    };
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let list = client.list_company_gift_card_history(request).await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}

/// Lists the transactions of orders that were paid with company cards, newest first.
#[utoipa::path(get, path = "/api/consumer/company-gift-card/orders", tag = "company-gift-cards",
    params(CompanyGiftCardsQuery), responses((status = 200, body = ApiResponse<TransactionHistory>)))]
pub(crate) async fn list_company_gift_card_orders(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<CompanyGiftCardsQuery>,
) -> Result<ApiResponse<TransactionHistory>, ApiError> {
    let request = giftcards::ListCompanyGiftCardOrdersRequest {
        page: Some(query.page().with_default(DEFAULT_TAKE)?),
        company_id: query.company_id.unwrap_or_default(),
    };
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let list = client.list_company_gift_card_orders(request).await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}

/// Lists the purchases that added to company cards, newest first.
#[utoipa::path(get, path = "/api/consumer/company-gift-card/uploads", tag = "company-gift-cards",
    params(CompanyGiftCardsQuery), responses((status = 200, body = ApiResponse<UploadList>)))]
pub(crate) async fn list_company_gift_card_uploads(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<CompanyGiftCardsQuery>,
) -> Result<ApiResponse<UploadList>, ApiError> {
    let request = giftcards::ListCompanyGiftCardUploadsRequest {
        page: Some(query.page().with_default(DEFAULT_TAKE)?),
        company_id: query.company_id.unwrap_or_default(),
    };
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let list = client.list_company_gift_card_uploads(request).await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}
