//! Payment methods and charges.

use std::time::Duration;

use callers::Caller;
use jiff::Timestamp;
use kit::{
    ErrorCode, InternalError, ServiceError,
    audit::{PAGE_SIZE, Page},
    grpc::{ClientChannel, GrpcClient, retry},
};
use proto::payments::v1::{
    AuthorizeChargeRequest, Capture, Charge as ChargeMessage, ChargeDescription, ChargeItem, ChargePurpose,
    ChargeState, ChargeSubject, CheckDebtsRequest, CloseChargeRequest, GetPaymentMethodRequest,
    ListChargesRequest, PaymentSource, RefreshChargeRequest, RefundChargeRequest, WalletKind, WalletPayment,
    payment_source::Source, payments_client::PaymentsClient,
};
use tonic::Request;
use types::{ConsumerId, Money, OrderId, timeouts::AUTHORIZE_CHARGE_TIMEOUT};

use super::RETRY_BUDGET;
use crate::{
    convert,
    domain::{charge::Charge, money_audit::AuditedCharge, order::Order, tender::Tender},
};

/// Short: orders with stored value are placed without payments.
const CHECK_DEBTS_TIMEOUT: Duration = Duration::from_secs(1);

/// Short: the page shows an order also without its client secret.
const FETCH_CHARGE_TIMEOUT: Duration = Duration::from_secs(2);

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

    /// Returns whether a consumer owes payments that their bank returned. Does not retry: payments checks again when it
    /// charges.
    pub(crate) async fn has_debts(&self, consumer_id: ConsumerId) -> Result<bool, InternalError> {
        let mut request = Request::new(CheckDebtsRequest {
            consumer_id: consumer_id.to_string(),
        });
        request.set_timeout(CHECK_DEBTS_TIMEOUT);
        let response = self.connect().check_debts(request).await?;
        Ok(response.get_ref().has_debts)
    }

    /// Authorizes the part of an order that stored value does not pay. The timeout is longer than that of payments' calls to the provider.
    ///
    /// A wallet payment has the provider's id of its method, which is not part of the order.
    pub(crate) async fn authorize_charge(
        &self,
        order: &Order,
        wallet_payment_method_id: &str,
    ) -> Result<Charge, InternalError> {
        let request = AuthorizeChargeRequest {
            subject: Some(subject(order.id)),
            consumer_id: order.consumer_id.to_string(),
            source: Some(source(order, wallet_payment_method_id)),
            amount: Some(convert::money(order.charge_amount())),
            capture: Capture::Later.into(),
            description: Some(description(order)),
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
            subject: Some(subject(order_id)),
        };
        let message = retry(RETRY_BUDGET, || {
            let (mut payments, request) = (self.connect(), request.clone());
            async move { payments.refresh_charge(request).await }
        })
        .await?;
        charge(message)
    }

    /// Fetches the state of an order's charge from the provider once, for a page that asks again.
    pub(crate) async fn fetch_charge(&self, order_id: OrderId) -> Result<Charge, InternalError> {
        let mut request = Request::new(RefreshChargeRequest {
            subject: Some(subject(order_id)),
        });
        request.set_timeout(FETCH_CHARGE_TIMEOUT);
        let response = self.connect().refresh_charge(request).await?;
        charge(response.into_inner())
    }

    /// Voids the charge of an order, or prevents a later charge.
    pub(crate) async fn close_charge(&self, order_id: OrderId) -> Result<(), InternalError> {
        let request = CloseChargeRequest {
            subject: Some(subject(order_id)),
        };
        retry(RETRY_BUDGET, || {
            let (mut payments, request) = (self.connect(), request.clone());
            async move { payments.close_charge(request).await }
        })
        .await?;
        Ok(())
    }

    /// Lists a page of the orders whose charge changed since an instant, or of all orders with a charge.
    pub(crate) async fn list_changed_charges(
        &self,
        since: Option<Timestamp>,
        after: Option<String>,
    ) -> Result<Page<OrderId>, InternalError> {
        let charges = self
            .list_charges(ListChargesRequest {
                changed_since: since.map(|since| since.to_string()).unwrap_or_default(),
                after: after.unwrap_or_default(),
                ..ListChargesRequest::default()
            })
            .await?;
        let last = charges.last().filter(|_| charges.len() >= PAGE_SIZE);
        let next = last.map(|charge| charge.charge_id.clone());
        let ids: Result<Vec<OrderId>, InternalError> = charges.iter().map(order_id).collect();
        Ok(Page { ids: ids?, next })
    }

    /// Returns the charges of up to 500 orders. Charges that changed after `settled_before` are not settled.
    pub(crate) async fn find_charges(
        &self,
        order_ids: &[OrderId],
        settled_before: Timestamp,
    ) -> Result<Vec<(OrderId, AuditedCharge)>, InternalError> {
        let request = ListChargesRequest {
            subject_ids: order_ids.iter().map(ToString::to_string).collect(),
            ..ListChargesRequest::default()
        };
        let charges = self.list_charges(request).await?;
        charges
            .into_iter()
            .map(|message| Ok((order_id(&message)?, audited_charge(message, settled_before)?)))
            .collect()
    }

    async fn list_charges(&self, request: ListChargesRequest) -> Result<Vec<ChargeMessage>, InternalError> {
        let request = ListChargesRequest {
            purposes: vec![ChargePurpose::Order.into()],
            ..request
        };
        let response = self.connect().list_charges(request).await?;
        Ok(response.into_inner().charges)
    }

    /// Plans the refund of a part of an order's charge. Idempotent by order and refund id.
    pub(crate) async fn refund_charge(
        &self,
        order_id: OrderId,
        refund_id: &str,
        amount: Money,
    ) -> Result<(), ServiceError> {
        let request = RefundChargeRequest {
            subject: Some(subject(order_id)),
            amount: Some(convert::money(amount)),
            refund_id: refund_id.to_owned(),
        };
        retry(RETRY_BUDGET, || {
            let (mut payments, request) = (self.connect(), request.clone());
            async move { payments.refund_charge(request).await }
        })
        .await
        .map(drop)
        .map_err(|status| ServiceError::from_status(&status))
    }
}

fn order_id(message: &ChargeMessage) -> Result<OrderId, InternalError> {
    let subject = message.subject.as_ref();
    let id = subject.map(|subject| subject.id.as_str()).unwrap_or_default();
    id.parse().map_err(InternalError::invariant_violated)
}

fn audited_charge(message: ChargeMessage, settled_before: Timestamp) -> Result<AuditedCharge, InternalError> {
    // Releases that do not know when a charge changed send no time.
    let changed_at: Option<Timestamp> = match message.changed_at.as_str() {
        "" => None,
        text => Some(text.parse().map_err(InternalError::invariant_violated)?),
    };
    Ok(AuditedCharge {
        amount: convert::optional_money_from_proto(message.amount.clone())?,
        is_capture_requested: message.is_capture_requested,
        is_settled: changed_at.is_none_or(|changed_at| changed_at <= settled_before),
        state: charge(message)?,
    })
}

fn subject(order_id: OrderId) -> ChargeSubject {
    ChargeSubject {
        purpose: ChargePurpose::Order.into(),
        id: order_id.to_string(),
    }
}

fn source(order: &Order, wallet_payment_method_id: &str) -> PaymentSource {
    let wallet = |kind: WalletKind| {
        Source::Wallet(WalletPayment {
            kind: kind.into(),
            provider_payment_method_id: wallet_payment_method_id.to_owned(),
        })
    };
    let source = match order.tender {
        Tender::ApplePay => wallet(WalletKind::ApplePay),
        Tender::GooglePay => wallet(WalletKind::GooglePay),
        Tender::Card | Tender::Bank | Tender::JoePass => {
            Source::PaymentMethodId(order.payment_method_id.clone())
        }
    };
    PaymentSource {
        source: Some(source),
        ..PaymentSource::default()
    }
}

/// Describes the order in case the bank returns its payment.
fn description(order: &Order) -> ChargeDescription {
    let items = order.lines.iter().map(|line| ChargeItem {
        name: line.item_name.clone(),
        quantity: line.quantity,
    });
    ChargeDescription {
        name: order.store_name.clone(),
        items: items.collect(),
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
