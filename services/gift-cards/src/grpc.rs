//! The calls: decode, one operation, encode.

use kit::{ServiceError, caller::Caller};
use proto::giftcards::v1::{
    CloseHoldRequest, GetWalletRequest, Hold, HoldValueRequest, ListTransactionsRequest,
    ListTransactionsResponse, Wallet, gift_cards_server,
};
use tonic::{Request, Response, Status};
use types::OrderId;

use crate::{GiftCards, convert, ops};

/// Who may hold and give back.
const HOLDERS: &[&str] = &["ordering"];

/// The gRPC service.
#[derive(Debug, Clone)]
pub struct Grpc(pub GiftCards);

#[tonic::async_trait]
impl gift_cards_server::GiftCards for Grpc {
    async fn get_wallet(&self, request: Request<GetWalletRequest>) -> Result<Response<Wallet>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let balance = ops::get_wallet::get_wallet(&self.0, consumer)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_wallet(balance)))
    }

    async fn list_transactions(
        &self,
        request: Request<ListTransactionsRequest>,
    ) -> Result<Response<ListTransactionsResponse>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let page = convert::page(request.into_inner().page);
        let transactions = ops::list_transactions::list_transactions(&self.0, consumer, page)
            .await
            .map_err(ServiceError::from)?;
        let transactions = transactions.into_iter().map(convert::wire_transaction).collect();
        Ok(Response::new(ListTransactionsResponse { transactions }))
    }

    async fn hold_value(&self, request: Request<HoldValueRequest>) -> Result<Response<Hold>, Status> {
        Caller::of(&request)?.service(HOLDERS)?;
        let request = convert::hold_value(request.into_inner())?;
        let order = request.order;
        tracing::Span::current().record("order_id", tracing::field::display(order));
        let (hold, available) = ops::hold_value::hold_value(&self.0, request)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_hold(order, &hold, available)))
    }

    async fn close_hold(&self, request: Request<CloseHoldRequest>) -> Result<Response<Hold>, Status> {
        Caller::of(&request)?.service(HOLDERS)?;
        let order: OrderId = convert::id(&request.into_inner().order_id, "orderId")?;
        tracing::Span::current().record("order_id", tracing::field::display(order));
        let (hold, available) = ops::close_hold::close_hold(&self.0, order)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_hold(order, &hold, available)))
    }
}
