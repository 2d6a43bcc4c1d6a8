//! Stored value.

use axum::extract::State;
use kit::grpc::deadline;
use proto::giftcards::v1 as giftcards;
use tonic::Request;
use types::timeouts::PLACE_ORDER_TIMEOUT;

use super::provider_script::attach_to_purchase;
use crate::error::ApiError;
use crate::extract::{Body, Consumer, Query};
use crate::gateway::Gateway;
use crate::payment_list;
use crate::response::ApiResponse;
use crate::types::counter::{CounterPin, CounterPinQuery};
use crate::types::payment::PaymentMethodList;
use crate::types::purchase::{AddFundsRequest, PurchaseResult};
use crate::types::wallet::{
    AddFundsOptions, AutoReload, SetAutoReloadRequest, TransactionHistory, TransactionsQuery, Wallet,
};

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

/// Lists the transactions of all balances or of one, newest first.
#[utoipa::path(get, path = "/api/consumer/user/transaction-history", tag = "wallet", params(TransactionsQuery),
    responses((status = 200, body = ApiResponse<TransactionHistory>)))]
pub(crate) async fn list_transactions(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<TransactionsQuery>,
) -> Result<ApiResponse<TransactionHistory>, ApiError> {
    let request = giftcards::ListTransactionsRequest {
        page: Some(query.page().with_default(DEFAULT_TAKE)?),
        balance_id: query.balance_id.unwrap_or_default(),
    };
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let list = client.list_transactions(request).await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}

/// Returns suggested amounts, limits, payment methods and the rule for automatic reloads. Nothing is charged.
#[utoipa::path(get, path = "/api/consumer/user/wallet/add-funds", tag = "wallet",
    responses((status = 200, body = ApiResponse<AddFundsOptions>)))]
pub(crate) async fn get_add_funds_options(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<AddFundsOptions>, ApiError> {
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let (options, methods) = tokio::join!(
        client.get_add_funds_options(giftcards::GetAddFundsOptionsRequest {}),
        payment_list::list_saved_methods(&gateway, &consumer),
    );
    let options = AddFundsOptions::new(options?.into_inner(), methods?)?;
    Ok(ApiResponse::new(options))
}

/// Adds funds to JoePass or to a card, once per idempotency key.
///
/// If the state is `RequiresAction`, authenticate the payment with `clientSecret` and `providerScript`, and call again with
/// the same key. Reasons of errors: `AMOUNT_TOO_SMALL`, `AMOUNT_TOO_LARGE`, `BALANCE_LIMIT_REACHED`, `BALANCE_UNKNOWN`,
/// `PAYMENT_METHOD_REQUIRED`, `PAYMENT_METHOD_UNKNOWN`, `TENDER_UNSUPPORTED`, `FAILED_ACH_PAYMENTS` (403),
/// `IDEMPOTENCY_KEY_REUSED` and `PURCHASE_NOT_COMPLETED` (409), and those of declined payments (`CARD_DECLINED`, …).
#[utoipa::path(post, path = "/api/consumer/payment/upload", tag = "wallet",
    request_body = AddFundsRequest, responses((status = 200, body = ApiResponse<PurchaseResult>)))]
pub(crate) async fn add_funds(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<AddFundsRequest>,
) -> Result<ApiResponse<PurchaseResult>, ApiError> {
    let mut request = Request::new(giftcards::AddFundsRequest::try_from(request)?);
    request.set_timeout(PLACE_ORDER_TIMEOUT);
    let mut client = gateway.clients.gift_cards(&consumer.context);
    // Longer than other requests, because the payment provider is called.
    let purchase = deadline::within(PLACE_ORDER_TIMEOUT, client.add_funds(request)).await?;
    attach_to_purchase(&gateway, &consumer, purchase.into_inner()).await
}

/// Sets or pauses the automatic reload of JoePass.
///
/// Reasons of errors: `AMOUNT_TOO_SMALL`, `AMOUNT_TOO_LARGE`, `THRESHOLD_INVALID`, `PAYMENT_METHOD_UNKNOWN`, `PAUSE_END_INVALID`.
#[utoipa::path(post, path = "/api/consumer/user/settings/autoReload", tag = "wallet",
    request_body = SetAutoReloadRequest, responses((status = 200, body = ApiResponse<AutoReload>)))]
pub(crate) async fn set_auto_reload(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<SetAutoReloadRequest>,
) -> Result<ApiResponse<AutoReload>, ApiError> {
    let request = giftcards::SetAutoReloadRequest::from(request);
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let rule = client.set_auto_reload(request).await?;
    Ok(ApiResponse::new(rule.into_inner().try_into()?))
}

/// Creates a PIN for paying with JoePass at the counter of a store. It replaces the previous one and is valid for two
/// minutes and one payment.
#[utoipa::path(get, path = "/api/consumer/user/pin", tag = "wallet", params(CounterPinQuery),
    responses((status = 200, body = ApiResponse<CounterPin>)))]
pub(crate) async fn create_counter_pin(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<CounterPinQuery>,
) -> Result<ApiResponse<CounterPin>, ApiError> {
    let request = giftcards::CreateCounterPinRequest {
        store_id: query.store_id,
    };
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let pin = client.create_counter_pin(request).await?;
    Ok(ApiResponse::new(pin.into_inner().try_into()?))
}

/// Lists the consumer's stored value as payment methods: JoePass, gift cards and company cards, also inactive ones.
#[utoipa::path(get, path = "/api/consumer/payments/loyalty-cards", tag = "wallet",
    responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub(crate) async fn list_loyalty_cards(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let wallet = client.get_wallet(giftcards::GetWalletRequest {}).await?;
    let balances = wallet.into_inner().balances.into_iter();
    Ok(ApiResponse::new(PaymentMethodList {
        payment_methods: balances.map(Into::into).collect(),
    }))
}
