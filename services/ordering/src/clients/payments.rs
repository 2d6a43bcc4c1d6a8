//! Payment methods and charges.

use callers::Caller;
use kit::{
    ErrorCode, InternalError, ServiceError,
    grpc::{ClientChannel, GrpcClient, retry},
};
use proto::payments::v1::{
    AuthorizeChargeRequest, Charge as ChargeMessage, ChargeState, CloseChargeRequest,
    GetPaymentMethodRequest, RefreshChargeRequest, payments_client::PaymentsClient,
};
use tonic::Request;
use types::{OrderId, timeouts::AUTHORIZE_CHARGE_TIMEOUT};

use super::RETRY_BUDGET;
use crate::{
    convert,
    domain::{charge::Charge, order::Order, tender::Tender},
};

#[derive(Debug, Clone)]
pub(crate) struct Payments(GrpcClient);

impl Payments {
    pub(super) const fn new(client: GrpcClient) -> Self {
        Self(client)
    }

    fn connect(&self) -> PaymentsClient<ClientChannel> {
        PaymentsClient::new(self.0.as_service())
    }

    /// Returns whether the payment method is a card or a bank account, or `None` if the caller has no such method.
    pub(crate) async fn find_payment_method(
        &self,
        caller: &Caller,
        payment_method_id: &str,
    ) -> Result<Option<Tender>, ServiceError> {
        let request = GetPaymentMethodRequest {
            payment_method_id: payment_method_id.to_owned(),
        };
        let found = PaymentsClient::new(self.0.as_caller(caller.clone()))
            .get_payment_method(request)
            .await
            .map_err(|status| ServiceError::from_status(&status));
        match found {
            Ok(method) => {
                let tender = method
                    .get_ref()
                    .r#type
                    .parse()
                    .map_err(InternalError::invariant_violated)?;
                Ok(Some(tender))
            }
            Err(error)
                if matches!(
                    error.code,
                    ErrorCode::NotFound | ErrorCode::InvalidRequest | ErrorCode::Forbidden
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Authorizes the total of an order. Waits longer than payments waits for the provider.
    pub(crate) async fn authorize_charge(&self, order: &Order) -> Result<Charge, InternalError> {
        let request = AuthorizeChargeRequest {
            order_id: order.id.to_string(),
            consumer_id: order.consumer_id.to_string(),
            payment_method_id: order.payment_method_id.clone(),
            amount: Some(convert::money(order.totals.total)),
        };
        let message = retry(RETRY_BUDGET, || {
            let (mut payments, request) = (self.connect(), request.clone());
            let mut request = Request::new(request);
            request.set_timeout(AUTHORIZE_CHARGE_TIMEOUT);
            async move { payments.authorize_charge(request).await }
        })
        .await?;
        charge(message)
    }

    /// Fetches the state of an order's charge from the provider.
    pub(crate) async fn refresh_charge(&self, order_id: OrderId) -> Result<Charge, InternalError> {
        let request = RefreshChargeRequest {
            order_id: order_id.to_string(),
        };
        let message = retry(RETRY_BUDGET, || {
            let (mut payments, request) = (self.connect(), request.clone());
            async move { payments.refresh_charge(request).await }
        })
        .await?;
        charge(message)
    }

    /// Voids the charge of an order, or prevents a later charge.
    pub(crate) async fn close_charge(&self, order_id: OrderId) -> Result<(), InternalError> {
        let request = CloseChargeRequest {
            order_id: order_id.to_string(),
        };
        retry(RETRY_BUDGET, || {
            let (mut payments, request) = (self.connect(), request.clone());
            async move { payments.close_charge(request).await }
        })
        .await?;
        Ok(())
    }
}

fn charge(message: ChargeMessage) -> Result<Charge, InternalError> {
    Ok(match ChargeState::try_from(message.state) {
        Ok(ChargeState::Pending) => Charge::Pending,
        Ok(ChargeState::RequiresAction) => Charge::RequiresAction {
            client_secret: message.client_secret,
        },
        Ok(ChargeState::Authorized) => Charge::Authorized,
        Ok(ChargeState::Processing) => Charge::Processing,
        Ok(ChargeState::Succeeded) => Charge::Succeeded,
        Ok(ChargeState::Declined) => Charge::Declined {
            reason: message.decline_reason,
            message: message.decline_message,
        },
        Ok(ChargeState::Closed) => Charge::Closed,
        Ok(ChargeState::Returned) => Charge::Returned,
        Ok(ChargeState::Disputed) => Charge::Disputed,
        Ok(ChargeState::Refunded) => Charge::Refunded,
        Ok(ChargeState::Unspecified) | Err(_) => {
            return Err(InternalError::invariant_violated(format!(
                "unknown charge state {}",
                message.state
            )));
        }
    })
}
