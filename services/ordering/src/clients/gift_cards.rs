//! Stored value.

use callers::Caller;
use kit::{
    InternalError,
    grpc::{ClientChannel, GrpcClient, retry},
};
use proto::giftcards::v1::{
    CloseHoldRequest, FindBalanceRequest, HoldValueRequest, gift_cards_client::GiftCardsClient,
};
use types::OrderId;

use super::RETRY_BUDGET;
use crate::{convert, domain::order::Order};

#[derive(Debug, Clone)]
pub(crate) struct GiftCards(GrpcClient);

impl GiftCards {
    pub(super) const fn new(client: GrpcClient) -> Self {
        Self(client)
    }

    fn connect(&self) -> GiftCardsClient<ClientChannel> {
        GiftCardsClient::new(self.0.as_service())
    }

    /// Returns whether the balance belongs to the caller.
    pub(crate) async fn has_balance(&self, caller: &Caller, balance_id: &str) -> Result<bool, InternalError> {
        let request = FindBalanceRequest {
            balance_id: balance_id.to_owned(),
        };
        let found = GiftCardsClient::new(self.0.as_caller(caller.clone()))
            .find_balance(request)
            .await?;
        Ok(!found.get_ref().name.is_empty())
    }

    /// Holds the total of an order.
    pub(crate) async fn hold_value(&self, order: &Order) -> Result<(), InternalError> {
        let request = HoldValueRequest {
            order_id: order.id.to_string(),
            consumer_id: order.consumer_id.to_string(),
            balance_id: order.payment_method_id.clone(),
            amount: Some(convert::money(order.totals.total)),
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
}
