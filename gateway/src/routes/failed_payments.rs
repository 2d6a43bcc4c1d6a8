//! Payments that the consumer's bank returned, and their recovery.

use axum::Json;
use axum::extract::State;
use kit::grpc::deadline;
use kit::{ErrorCode, ServiceError};
use proto::payments::v1 as payments;
use tonic::Request;
use types::timeouts::PLACE_ORDER_TIMEOUT;

use super::provider_script::fetch_provider_script;
use crate::error::{ApiError, RetryAfter, retry_after};
use crate::extract::{Body, Consumer};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::enums::PaymentType;
use crate::types::failed_payment::{FailedPaymentList, RecoverFailedPaymentsRequest, RecoveryResponse};
use crate::types::payment_choice::PaymentChoice;
use crate::types::purchase::payment_source;

/// Lists the payments that the consumer owes because their bank returned them.
#[utoipa::path(get, path = "/api/consumer/payment/failed-payments", tag = "payments",
    responses((status = 200, body = ApiResponse<FailedPaymentList>)))]
pub(crate) async fn list_failed_payments(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<FailedPaymentList>, ApiError> {
    let mut client = gateway.clients.payments(&consumer.context);
    let list = client
        .list_failed_payments(payments::ListFailedPaymentsRequest {})
        .await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}

/// Pays for returned payments with a card, Apple Pay or Google Pay. Each payment is paid once: a repeated or concurrent call
/// joins the attempt that is running. The response is 200 with `success` false if a payment was not paid or a rule forbids it
/// (`PAYMENT_METHOD_UNKNOWN`, or `TOO_MANY_ATTEMPTS` with `Retry-After`).
#[utoipa::path(post, path = "/api/consumer/payment/update-failed-payments", tag = "payments",
    request_body = RecoverFailedPaymentsRequest, responses((status = 200, body = RecoveryResponse)))]
pub(crate) async fn recover_failed_payments(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<RecoverFailedPaymentsRequest>,
) -> Result<(Option<RetryAfter>, Json<RecoveryResponse>), ApiError> {
    let mut client = gateway.clients.payments(&consumer.context);
    let mut call = Request::new(recovery_request(request)?);
    // Longer than other requests, because the payment provider is called.
    call.set_timeout(PLACE_ORDER_TIMEOUT);
    let recovered = deadline::within(PLACE_ORDER_TIMEOUT, client.recover_failed_payments(call)).await;
    let recovered = match recovered {
        Ok(recovered) => recovered,
        Err(status) => {
            let error = ServiceError::from_status(&status);
            let retry_after = retry_after(&error);
            return Ok((retry_after, Json(RecoveryResponse::from_error(error)?)));
        }
    };
    let mut response = RecoveryResponse::from(recovered.into_inner());
    if response.data.client_secret.is_some() {
        response.data.provider_script = Some(fetch_provider_script(&gateway, &consumer).await?);
    }
    Ok((None, Json(response)))
}

/// # Errors
/// `CARD_REQUIRED` for a method that cannot pay debts.
fn recovery_request(
    request: RecoverFailedPaymentsRequest,
) -> Result<payments::RecoverFailedPaymentsRequest, ApiError> {
    let kind = request.payment_method_type;
    let (saved_id, wallet_id) = match kind {
        PaymentType::Card => (request.payment_method_id, None),
        PaymentType::Apple | PaymentType::Google => {
            let wallet_id = request.wallet_payment_method_id;
            (String::new(), wallet_id.or(Some(request.payment_method_id)))
        }
        PaymentType::Bank | PaymentType::Joebucks => {
            let message = "Pay with a credit card, Apple Pay or Google Pay.";
            let error = ApiError::new(ErrorCode::RuleViolation, "CARD_REQUIRED", message);
            return Err(error.with_field("paymentMethodType"));
        }
    };
    let choice = PaymentChoice {
        kind,
        payment_method_id: saved_id,
        wallet_payment_method_id: wallet_id,
    };
    Ok(payments::RecoverFailedPaymentsRequest {
        debt_ids: request.payment_intent_ids,
        source: Some(payment_source(choice)?),
    })
}
