//! Discounts.

use kit::{
    InternalError,
    grpc::{ClientChannel, GrpcClient, retry},
};
use proto::rewards::v1::{
    ClaimDiscountRequest, CloseClaimRequest, PriceDiscountRequest, rewards_client::RewardsClient,
};
use types::OrderId;

use super::RETRY_BUDGET;
use crate::{
    convert,
    domain::{
        line::drink_price,
        order::Order,
        quote::{Discount, DiscountRequest},
    },
};

#[derive(Debug, Clone)]
pub(crate) struct Rewards(GrpcClient);

impl Rewards {
    pub(super) const fn new(client: GrpcClient) -> Self {
        Self(client)
    }

    fn connect(&self) -> RewardsClient<ClientChannel> {
        RewardsClient::new(self.0.as_service())
    }

    /// Returns the discount of a promo code without claiming it.
    pub(crate) async fn price_discount(
        &self,
        request: DiscountRequest<'_>,
    ) -> Result<Discount, InternalError> {
        let request = PriceDiscountRequest {
            consumer_id: request.consumer_id.to_string(),
            code: request.promo_code.to_owned(),
            subtotal: Some(convert::money(request.subtotal)),
            store_id: request.store_id.to_string(),
            journey_step: convert::journey_step(request.journey_step).into(),
            time_zone: request.time_zone.to_owned(),
            drink_price: request.drink_price.map(convert::money),
            company_id: request.company_id.to_owned(),
        };
        let discount = self.connect().price_discount(request).await?.into_inner();
        convert::discount(discount)
    }

    /// Claims the promo code of an order at a store of this company.
    pub(crate) async fn claim_discount(
        &self,
        order: &Order,
        company_id: &str,
    ) -> Result<Discount, InternalError> {
        let request = ClaimDiscountRequest {
            order_id: order.id.to_string(),
            consumer_id: order.consumer_id.to_string(),
            code: order.promo_code.clone(),
            subtotal: Some(convert::money(order.totals.subtotal)),
            store_id: order.store_id.to_string(),
            journey_step: convert::journey_step(order.journey_step).into(),
            time_zone: order.time_zone.clone(),
            drink_price: drink_price(&order.lines).map(convert::money),
            company_id: company_id.to_owned(),
        };
        let discount = retry(RETRY_BUDGET, || {
            let (mut rewards, request) = (self.connect(), request.clone());
            async move { rewards.claim_discount(request).await }
        })
        .await?;
        convert::discount(discount)
    }

    /// Releases the claim of an order, or prevents a later claim.
    pub(crate) async fn close_claim(&self, order_id: OrderId) -> Result<(), InternalError> {
        let request = CloseClaimRequest {
            order_id: order_id.to_string(),
        };
        retry(RETRY_BUDGET, || {
            let (mut rewards, request) = (self.connect(), request.clone());
            async move { rewards.close_claim(request).await }
        })
        .await?;
        Ok(())
    }
}
