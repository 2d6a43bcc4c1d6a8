//! Stored value.

use axum::extract::State;
use proto::giftcards::v1 as giftcards;

use crate::error::ApiError;
use crate::extract::{Consumer, Query};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::page::PageQuery;
use crate::types::wallet::{TransactionHistory, Wallet};

const DEFAULT_TAKE: u32 = 20;

/// Returns the consumer's balances, JoePass first.
#[utoipa::path(get, path = "/api/consumer/user/wallet", tag = "wallet",
    responses((status = 200, body = ApiResponse<Wallet>)))]
pub(crate) async fn get_wallet(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<Wallet>, ApiError> {
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let wallet = client.get_wallet(giftcards::GetWalletRequest {}).await?;
    Ok(ApiResponse::new(wallet.into_inner().try_into()?))
}

/// Lists the transactions, newest first.
#[utoipa::path(get, path = "/api/consumer/user/transaction-history", tag = "wallet", params(PageQuery),
    responses((status = 200, body = ApiResponse<TransactionHistory>)))]
pub(crate) async fn list_transactions(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(page): Query<PageQuery>,
) -> Result<ApiResponse<TransactionHistory>, ApiError> {
    let request = giftcards::ListTransactionsRequest {
        page: Some(page.with_default(DEFAULT_TAKE)?),
    };
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let list = client.list_transactions(request).await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}
