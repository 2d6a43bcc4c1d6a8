//! Payment methods.

use axum::extract::State;
use kit::parse_id;
use proto::giftcards::v1 as giftcards;
use proto::payments::v1 as payments;
use types::BalanceId;

use crate::error::ApiError;
use crate::extract::{Body, Consumer, Query};
use crate::gateway::Gateway;
use crate::payment_list::{self, require_saved_method};
use crate::rate_limits::check_new_card;
use crate::response::ApiResponse;
use crate::types::order::ConsumerQuery;
use crate::types::payment::{
    BankSession, ListPaymentMethodsQuery, PaymentMethod, PaymentMethodList, PaymentMethodQuery,
    PaymentMethodRequest, SavePaymentMethodRequest, SetupIntent,
};

/// Lists saved payment methods and stored value, in display order.
#[utoipa::path(get, path = "/api/consumer/payments/list", tag = "payments", params(ListPaymentMethodsQuery),
    responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub(crate) async fn list_payment_methods(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<ListPaymentMethodsQuery>,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    let list = payment_list::list_payment_methods(&gateway, &consumer, query).await?;
    Ok(ApiResponse::new(list))
}

/// Returns a saved payment method or a balance.
#[utoipa::path(get, path = "/api/consumer/payment", tag = "payments", params(PaymentMethodQuery),
    responses((status = 200, body = ApiResponse<PaymentMethod>)))]
pub(crate) async fn get_payment_method(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<PaymentMethodQuery>,
) -> Result<ApiResponse<PaymentMethod>, ApiError> {
    if payment_list::is_balance_id(&query.payment_method_id) {
        return get_balance(&gateway, &consumer, &query.payment_method_id).await;
    }
    let request = payments::GetPaymentMethodRequest {
        payment_method_id: query.payment_method_id,
    };
    let mut client = gateway.clients.payments(&consumer.context);
    let method = client.get_payment_method(request).await?;
    Ok(ApiResponse::new(method.into_inner().try_into()?))
}

async fn get_balance(
    gateway: &Gateway,
    consumer: &Consumer,
    balance_id: &str,
) -> Result<ApiResponse<PaymentMethod>, ApiError> {
    parse_id::<BalanceId>(balance_id, "paymentMethodId")?;
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let wallet = client.get_wallet(giftcards::GetWalletRequest {}).await?;
    let mut balances = wallet.into_inner().balances.into_iter();
    let balance = balances.find(|balance| balance.balance_id == balance_id);
    balance
        .map(|balance| ApiResponse::new(balance.into()))
        .ok_or_else(payment_list::unknown_payment_method)
}

/// Imports the cards that the client attached at the payment provider.
#[utoipa::path(post, path = "/api/consumer/payment/add-card", tag = "payments",
    responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub(crate) async fn add_card(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    let mut client = gateway.clients.payments(&consumer.context);
    let list = client.add_card(payments::AddCardRequest {}).await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}

/// Deletes a saved payment method. A balance cannot be deleted (`BALANCE_NOT_ALLOWED`).
#[utoipa::path(post, path = "/api/consumer/payment/delete", tag = "payments",
    request_body = PaymentMethodRequest, responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub(crate) async fn delete_payment_method(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<PaymentMethodRequest>,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    require_saved_method(
        &request.payment_method_id,
        "A JoePass or gift card balance can't be deleted.",
    )?;
    let request = payments::DeletePaymentMethodRequest {
        payment_method_id: request.payment_method_id,
    };
    let mut client = gateway.clients.payments(&consumer.context);
    let list = client.delete_payment_method(request).await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}

/// Makes a saved payment method the default. A balance cannot be the default (`BALANCE_NOT_ALLOWED`).
#[utoipa::path(post, path = "/api/consumer/payment/set-default", tag = "payments",
    request_body = PaymentMethodRequest, responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub(crate) async fn set_default_payment_method(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<PaymentMethodRequest>,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    let message = "Only a card or bank account can be the default.";
    require_saved_method(&request.payment_method_id, message)?;
    let request = payments::SetDefaultPaymentMethodRequest {
        payment_method_id: request.payment_method_id,
    };
    let mut client = gateway.clients.payments(&consumer.context);
    let list = client.set_default_payment_method(request).await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}

/// Removes the default payment method, without deleting it.
#[utoipa::path(post, path = "/api/consumer/payment/unset-default", tag = "payments",
    responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub(crate) async fn unset_default_payment_method(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    let request = payments::UnsetDefaultPaymentMethodRequest {};
    let mut client = gateway.clients.payments(&consumer.context);
    let list = client.unset_default_payment_method(request).await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}

/// Creates a setup intent, with which the payment provider saves a card without charging it.
#[utoipa::path(post, path = "/api/stripe/card/secret", tag = "payments",
    responses((status = 200, body = ApiResponse<SetupIntent>)))]
pub(crate) async fn create_setup_intent(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<SetupIntent>, ApiError> {
    check_new_card(&gateway, consumer.id).await?;
    let mut client = gateway.clients.payments(&consumer.context);
    let secret = client
        .create_setup_intent(payments::CreateSetupIntentRequest {})
        .await?
        .into_inner();
    let config = &gateway.provider;
    let configured_key = config.provider_publishable_key.clone();
    Ok(ApiResponse::new(SetupIntent {
        client_secret: secret.client_secret,
        publishable_key: configured_key.unwrap_or(secret.publishable_key),
        script_url: config.provider_script_url.clone(),
    }))
}

/// Imports the payment method that a setup saved, and makes it the default if requested.
#[utoipa::path(post, path = "/api/consumer/payment/save", tag = "payments",
    request_body = SavePaymentMethodRequest, responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub(crate) async fn save_payment_method(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<SavePaymentMethodRequest>,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    let request = payments::SavePaymentMethodRequest {
        setup_intent_id: request.setup_intent_id,
        is_default: request.is_default.unwrap_or_default(),
    };
    let mut client = gateway.clients.payments(&consumer.context);
    let list = client.save_payment_method(request).await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}

/// Starts to link a US bank account. The consumer agrees to the texts by linking the account.
#[utoipa::path(get, path = "/api/consumer/payment/add-bank/", tag = "payments",
    params(ConsumerQuery),
    responses((status = 200, body = ApiResponse<BankSession>)))]
pub(crate) async fn create_bank_session(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<BankSession>, ApiError> {
    check_new_card(&gateway, consumer.id).await?;
    let mut client = gateway.clients.payments(&consumer.context);
    let session = client
        .create_bank_session(payments::CreateBankSessionRequest {})
        .await?
        .into_inner();
    let config = &gateway.provider;
    let configured_key = config.provider_publishable_key.clone();
    Ok(ApiResponse::new(BankSession {
        client_secret: session.client_secret,
        publishable_key: configured_key.unwrap_or(session.publishable_key),
        script_url: config.provider_script_url.clone(),
        mandate: session.mandate_text,
        fee_consent: session.fee_consent_text,
    }))
}

/// Imports the bank account that the consumer linked.
#[utoipa::path(post, path = "/api/consumer/user/bank-account", tag = "payments",
    responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub(crate) async fn add_bank_account(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    let mut client = gateway.clients.payments(&consumer.context);
    let list = client
        .add_bank_account(payments::AddBankAccountRequest {})
        .await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}
