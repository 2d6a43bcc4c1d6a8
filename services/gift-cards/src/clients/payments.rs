//! Payment methods, debts and the charges of purchases.

use callers::Caller;
use jiff::Timestamp;
use kit::{
    ErrorCode, InternalError, ServiceError,
    audit::{PAGE_SIZE, Page},
    grpc::{ClientChannel, GrpcClient, retry},
};
use proto::payments::v1::{
    AuthorizeChargeRequest, Capture, Charge as ChargeMessage, ChargeState, CheckDebtsRequest,
    CloseChargeRequest, GetPaymentMethodRequest, ListChargesRequest, RefreshChargeRequest,
    payments_client::PaymentsClient,
};
use tonic::Request;
use types::{ConsumerId, PurchaseId, timeouts::AUTHORIZE_CHARGE_TIMEOUT};

use super::RETRY_BUDGET;
use crate::{
    convert,
    domain::{
        charge::{Charge, ClientSecret},
        money_audit::AuditedCharge,
        purchase::{PaymentSource, Purchase, SavedMethod},
    },
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

    /// Returns `None` if the caller has no such method.
    pub(crate) async fn find_payment_method(
        &self,
        caller: &Caller,
        payment_method_id: &str,
    ) -> Result<Option<SavedMethod>, InternalError> {
        let request = GetPaymentMethodRequest {
            payment_method_id: payment_method_id.to_owned(),
        };
        let mut payments = PaymentsClient::new(self.0.as_caller(caller.clone()));
        match payments.get_payment_method(request).await {
            Ok(method) => convert::saved_method(method.get_ref()).map(Some),
            Err(status) => match ServiceError::from_status(&status).code {
                ErrorCode::NotFound | ErrorCode::InvalidRequest | ErrorCode::Forbidden => Ok(None),
                _ => Err(status.into()),
            },
        }
    }

    /// Returns whether the consumer owes returned payments.
    pub(crate) async fn has_debts(&self, consumer_id: ConsumerId) -> Result<bool, InternalError> {
        let request = CheckDebtsRequest {
            consumer_id: consumer_id.to_string(),
        };
        let debts = self.connect().check_debts(request).await?;
        Ok(debts.get_ref().has_debts)
    }

    /// Charges the amount of a purchase at once. Waits longer than payments waits for the provider.
    pub(crate) async fn authorize_charge(
        &self,
        purchase: &Purchase,
        source: &PaymentSource,
    ) -> Result<Charge, InternalError> {
        let request = AuthorizeChargeRequest {
            subject: Some(convert::charge_subject(purchase)),
            consumer_id: purchase.consumer_id.to_string(),
            source: Some(convert::payment_source(source)),
            amount: Some(convert::money(purchase.amount)),
            capture: Capture::Now.into(),
            description: Some(convert::charge_description(purchase)),
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

    /// Fetches the state of a purchase's charge from the provider.
    pub(crate) async fn refresh_charge(&self, purchase: &Purchase) -> Result<Charge, InternalError> {
        let request = RefreshChargeRequest {
            subject: Some(convert::charge_subject(purchase)),
        };
        let message = retry(RETRY_BUDGET, || {
            let (mut payments, request) = (self.connect(), request.clone());
            async move { payments.refresh_charge(request).await }
        })
        .await?;
        charge(message)
    }

    /// Voids or refunds the charge of a purchase, or prevents a later charge.
    pub(crate) async fn close_charge(&self, purchase: &Purchase) -> Result<(), InternalError> {
        let request = CloseChargeRequest {
            subject: Some(convert::charge_subject(purchase)),
        };
        retry(RETRY_BUDGET, || {
            let (mut payments, request) = (self.connect(), request.clone());
            async move { payments.close_charge(request).await }
        })
        .await?;
        Ok(())
    }

    /// Lists a page of the purchases whose charge changed since an instant, or of all purchases with a charge.
    pub(crate) async fn list_changed_charges(
        &self,
        since: Option<Timestamp>,
        after: Option<String>,
    ) -> Result<Page<PurchaseId>, InternalError> {
        let charges = self
            .list_charges(ListChargesRequest {
                changed_since: since.map(|since| since.to_string()).unwrap_or_default(),
                after: after.unwrap_or_default(),
                ..ListChargesRequest::default()
            })
            .await?;
        let last = charges.last().filter(|_| charges.len() >= PAGE_SIZE);
        let next = last.map(|charge| charge.charge_id.clone());
        let charges = charges.into_iter().map(convert::audited_charge);
        Ok(Page {
            ids: charges
                .map(|charge| charge.map(|(id, _)| id))
                .collect::<Result<_, _>>()?,
            next,
        })
    }

    /// Returns the charges of up to 500 purchases.
    pub(crate) async fn find_charges(
        &self,
        ids: &[PurchaseId],
    ) -> Result<Vec<(PurchaseId, AuditedCharge)>, InternalError> {
        let request = ListChargesRequest {
            subject_ids: ids.iter().map(ToString::to_string).collect(),
            ..ListChargesRequest::default()
        };
        let charges = self.list_charges(request).await?;
        charges.into_iter().map(convert::audited_charge).collect()
    }

    async fn list_charges(&self, request: ListChargesRequest) -> Result<Vec<ChargeMessage>, InternalError> {
        let request = ListChargesRequest {
            purposes: convert::PURCHASE_PURPOSES.iter().map(|&it| it.into()).collect(),
            ..request
        };
        let response = self.connect().list_charges(request).await?;
        Ok(response.into_inner().charges)
    }
}

fn charge(message: ChargeMessage) -> Result<Charge, InternalError> {
    Ok(match ChargeState::try_from(message.state) {
        // The money of a purchase is captured at once: an authorization is not its end.
        Ok(ChargeState::Pending | ChargeState::Authorized) => Charge::Pending,
        Ok(ChargeState::RequiresAction) => Charge::RequiresAction {
            client_secret: ClientSecret::new(message.client_secret),
        },
        Ok(ChargeState::Processing) => Charge::Processing,
        // A disputed charge was paid; payments handles the dispute.
        Ok(ChargeState::Succeeded | ChargeState::Disputed) => Charge::Succeeded,
        Ok(ChargeState::Declined) => Charge::Declined {
            reason: message.decline_reason,
            message: message.decline_message,
        },
        Ok(ChargeState::Closed | ChargeState::Returned | ChargeState::Refunded) => Charge::Ended,
        Ok(ChargeState::Unspecified) | Err(_) => {
            return Err(InternalError::invariant_violated(format!(
                "unknown charge state {}",
                message.state
            )));
        }
    })
}
