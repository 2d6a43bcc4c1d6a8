//! Payment methods: what the provider holds, joined with stored value.

use axum::extract::State;
use proto::giftcards::v1 as giftcards;
use proto::payments::v1 as payments;

use crate::caller::Consumer;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract::{Body, Query};
use crate::gateway::Gateway;
use crate::limits;
use crate::payment_list;
use crate::types::payment::{
    CardSecret, ListPaymentMethodsQuery, PaymentMethod, PaymentMethodList, PaymentMethodQuery,
    PaymentMethodRequest, ProviderScript,
};

/// What the consumer can pay with, in the order to show.
#[utoipa::path(get, path = "/api/consumer/payments/list", tag = "payments", params(ListPaymentMethodsQuery),
    responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub async fn list_payment_methods(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<ListPaymentMethodsQuery>,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    Ok(ApiResponse::new(
        payment_list::compose(&gateway, &consumer, query).await?,
    ))
}

/// One method, saved or stored value.
#[utoipa::path(get, path = "/api/consumer/payment", tag = "payments", params(PaymentMethodQuery),
    responses((status = 200, body = ApiResponse<PaymentMethod>)))]
pub async fn get_payment_method(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<PaymentMethodQuery>,
) -> Result<ApiResponse<PaymentMethod>, ApiError> {
    if query.payment_method_id.starts_with(payment_list::BALANCE) {
        let wallet = gateway
            .clients
            .gift_cards(&consumer.call)
            .get_wallet(giftcards::GetWalletRequest {})
            .await?;
        let mut balances = wallet.into_inner().balances.into_iter();
        let balance = balances.find(|balance| balance.balance_id == query.payment_method_id);
        return balance
            .map(|balance| ApiResponse::new(balance.into()))
            .ok_or_else(payment_list::unknown);
    }
    let request = payments::GetPaymentMethodRequest {
        payment_method_id: query.payment_method_id,
    };
    let method = gateway
        .clients
        .payments(&consumer.call)
        .get_payment_method(request)
        .await?;
    Ok(ApiResponse::new(method.into_inner().into()))
}

/// Takes over the cards that the page attached at the provider. Has no body.
#[utoipa::path(post, path = "/api/consumer/payment/add-card", tag = "payments",
    responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub async fn add_card(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    let list = gateway
        .clients
        .payments(&consumer.call)
        .add_card(payments::AddCardRequest {})
        .await?;
    Ok(ApiResponse::new(list.into_inner().into()))
}

/// Removes a saved method.
#[utoipa::path(post, path = "/api/consumer/payment/delete", tag = "payments",
    request_body = PaymentMethodRequest, responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub async fn delete_payment_method(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<PaymentMethodRequest>,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    let request = payments::DeletePaymentMethodRequest {
        payment_method_id: request.payment_method_id,
    };
    let list = gateway
        .clients
        .payments(&consumer.call)
        .delete_payment_method(request)
        .await?;
    Ok(ApiResponse::new(list.into_inner().into()))
}

/// Makes a saved method the default.
#[utoipa::path(post, path = "/api/consumer/payment/set-default", tag = "payments",
    request_body = PaymentMethodRequest, responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub async fn set_default_payment_method(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<PaymentMethodRequest>,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    let request = payments::SetDefaultPaymentMethodRequest {
        payment_method_id: request.payment_method_id,
    };
    let list = gateway
        .clients
        .payments(&consumer.call)
        .set_default_payment_method(request)
        .await?;
    Ok(ApiResponse::new(list.into_inner().into()))
}

/// Leaves the consumer without a default. Its body is empty.
#[utoipa::path(post, path = "/api/consumer/payment/unset-default", tag = "payments",
    responses((status = 200, body = ApiResponse<PaymentMethodList>)))]
pub async fn unset_default_payment_method(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<PaymentMethodList>, ApiError> {
    let request = payments::UnsetDefaultPaymentMethodRequest {};
    let list = gateway
        .clients
        .payments(&consumer.call)
        .unset_default_payment_method(request)
        .await?;
    Ok(ApiResponse::new(list.into_inner().into()))
}

/// What the provider's script in the page needs to take a card.
#[utoipa::path(post, path = "/api/stripe/card/secret", tag = "payments", responses((status = 200, body = ApiResponse<CardSecret>)))]
pub async fn create_card_secret(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<CardSecret>, ApiError> {
    limits::card(&gateway, consumer.id).await?;
    let request = payments::CreateCardSecretRequest {};
    let secret = gateway
        .clients
        .payments(&consumer.call)
        .create_card_secret(request)
        .await?
        .into_inner();
    let web = &gateway.provider;
    let own_key = web.provider_publishable_key.clone();
    Ok(ApiResponse::new(CardSecret {
        client_secret: secret.client_secret,
        publishable_key: own_key.unwrap_or(secret.publishable_key),
        script_url: web.provider_script_url.clone(),
    }))
}

/// The script that goes on with a payment in the page. Nothing is set up at the provider for it.
pub(super) async fn provider_script(
    gateway: &Gateway,
    consumer: &Consumer,
) -> Result<ProviderScript, ApiError> {
    let web = &gateway.provider;
    let publishable_key = match &web.provider_publishable_key {
        Some(own_key) => own_key.clone(),
        None => {
            let mut client = gateway.clients.payments(&consumer.call);
            let said = client
                .get_publishable_key(payments::GetPublishableKeyRequest {})
                .await?;
            said.into_inner().publishable_key
        }
    };
    Ok(ProviderScript {
        publishable_key,
        script_url: web.provider_script_url.clone(),
    })
}
