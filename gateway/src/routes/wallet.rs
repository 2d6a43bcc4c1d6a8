//! Stored value.

use axum::extract::State;
use proto::giftcards::v1 as giftcards;

use crate::caller::Consumer;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::types::PageQuery;
use crate::types::wallet::{TransactionHistory, Wallet};

/// How many unless told.
const USUAL: u32 = 20;

/// What can be spent, JoePass first.
#[utoipa::path(get, path = "/api/consumer/user/wallet", tag = "wallet", responses((status = 200, body = ApiResponse<Wallet>)))]
pub async fn get_wallet(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<Wallet>, ApiError> {
    let wallet = gateway
        .clients
        .gift_cards(&consumer.call)
        .get_wallet(giftcards::GetWalletRequest {})
        .await?;
    Ok(ApiResponse::new(wallet.into_inner().into()))
}

/// Every movement, newest first.
#[utoipa::path(get, path = "/api/consumer/user/transaction-history", tag = "wallet", params(PageQuery),
    responses((status = 200, body = ApiResponse<TransactionHistory>)))]
pub async fn list_transactions(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(page): Query<PageQuery>,
) -> Result<ApiResponse<TransactionHistory>, ApiError> {
    let request = giftcards::ListTransactionsRequest {
        page: Some(page.or(USUAL)?),
    };
    let list = gateway
        .clients
        .gift_cards(&consumer.call)
        .list_transactions(request)
        .await?;
    Ok(ApiResponse::new(list.into_inner().into()))
}
