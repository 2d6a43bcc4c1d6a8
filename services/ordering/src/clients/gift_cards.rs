//! Stored value.

use callers::Caller;
use jiff::Timestamp;
use kit::{
    InternalError, ServiceError,
    grpc::{ClientChannel, GrpcClient, retry},
};
use proto::giftcards::v1::{
    CloseHoldRequest, FindBalanceRequest, HoldValueRequest, ListHoldsRequest, RefundHoldRequest,
    gift_cards_client::GiftCardsClient,
};
use types::{Money, OrderId};

use super::RETRY_BUDGET;
use crate::{
    convert,
    domain::{money_audit::AuditedHold, order::Order},
};

#[derive(Debug, Clone)]
pub(crate) struct GiftCards(GrpcClient);

impl GiftCards {
    pub(super) const fn new(client: GrpcClient) -> Self {
        Self(client)
    }

    fn connect(&self) -> GiftCardsClient<ClientChannel> {
        GiftCardsClient::new(self.0.as_service())
    }

    /// Returns the name of the balance, or `None` if the caller has no such balance.
    pub(crate) async fn find_balance_name(
        &self,
        caller: &Caller,
        balance_id: &str,
    ) -> Result<Option<String>, InternalError> {
        let request = FindBalanceRequest {
            balance_id: balance_id.to_owned(),
        };
        let found = GiftCardsClient::new(self.0.as_caller(caller.clone()))
            .find_balance(request)
            .await?
            .into_inner();
        Ok(Some(found.name).filter(|name| !name.is_empty()))
    }

    /// Holds what stored value pays of an order.
    pub(crate) async fn hold_value(&self, order: &Order) -> Result<(), InternalError> {
        let request = HoldValueRequest {
            order_id: order.id.to_string(),
            consumer_id: order.consumer_id.to_string(),
            balance_id: order.stored_value_balance_id().to_owned(),
            amount: Some(convert::money(order.stored_value_amount())),
            title: format!("Order at {}", order.store_name),
            // Gift-cards asks stores for the company if the balance is a company card.
            company_id: String::new(),
            store_id: order.store_id.to_string(),
        };
        retry(RETRY_BUDGET, || {
            let (mut gift_cards, request) = (self.connect(), request.clone());
            async move { gift_cards.hold_value(request).await }
        })
        .await?;
        Ok(())
    }

    /// Releases the hold of an order, or prevents a later hold.
    pub(crate) async fn close_hold(&self, order_id: OrderId) -> Result<(), InternalError> {
        let request = CloseHoldRequest {
            order_id: order_id.to_string(),
        };
        retry(RETRY_BUDGET, || {
            let (mut gift_cards, request) = (self.connect(), request.clone());
            async move { gift_cards.close_hold(request).await }
        })
        .await?;
        Ok(())
    }

    /// Lists a page of the holds that changed since an instant, or of all holds.
    pub(crate) async fn list_changed_holds(
        &self,
        since: Option<Timestamp>,
        after: Option<OrderId>,
    ) -> Result<Vec<(OrderId, AuditedHold)>, InternalError> {
        self.list_holds(ListHoldsRequest {
            changed_since: since.map(|since| since.to_string()).unwrap_or_default(),
            after: after.map(|after| after.to_string()).unwrap_or_default(),
            ..ListHoldsRequest::default()
        })
        .await
    }

    /// Returns the holds of up to 500 orders.
    pub(crate) async fn find_holds(
        &self,
        order_ids: &[OrderId],
    ) -> Result<Vec<(OrderId, AuditedHold)>, InternalError> {
        self.list_holds(ListHoldsRequest {
            order_ids: order_ids.iter().map(ToString::to_string).collect(),
            ..ListHoldsRequest::default()
        })
        .await
    }

    async fn list_holds(
        &self,
        request: ListHoldsRequest,
    ) -> Result<Vec<(OrderId, AuditedHold)>, InternalError> {
        let response = self.connect().list_holds(request).await?.into_inner();
        response.holds.into_iter().map(convert::audited_hold).collect()
    }

    /// Returns a part of an order's captured value to its balance. Idempotent by order and refund id.
    pub(crate) async fn refund_hold(
        &self,
        order_id: OrderId,
        refund_id: &str,
        amount: Money,
    ) -> Result<(), ServiceError> {
        let request = RefundHoldRequest {
            order_id: order_id.to_string(),
            amount: Some(convert::money(amount)),
            refund_id: refund_id.to_owned(),
        };
        retry(RETRY_BUDGET, || {
            let (mut gift_cards, request) = (self.connect(), request.clone());
            async move { gift_cards.refund_hold(request).await }
        })
        .await
        .map(drop)
        .map_err(|status| ServiceError::from_status(&status))
    }
}
