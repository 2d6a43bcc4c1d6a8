//! The gRPC service.

use callers::Caller;
use kit::grpc::{GrpcResult, into_grpc};
use proto::giftcards::v1::{
    CloseHoldRequest, GetWalletRequest, Hold, HoldValueRequest, ListTransactionsRequest,
    ListTransactionsResponse, Wallet, gift_cards_server,
};
use tonic::Request;
use tracing::{Span, field};
use types::OrderId;

use crate::{
    GiftCards, convert,
    ops::{
        close_hold::close_hold, get_wallet::get_wallet, hold_value::hold_value,
        list_transactions::list_transactions,
    },
};

/// Services that may hold and close holds.
const HOLD_CALLERS: &[&str] = &["ordering"];

#[derive(Debug, Clone)]
pub struct Grpc(pub GiftCards);

#[tonic::async_trait]
impl gift_cards_server::GiftCards for Grpc {
    async fn get_wallet(&self, request: Request<GetWalletRequest>) -> GrpcResult<Wallet> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        into_grpc(get_wallet(&self.0, consumer_id).await.map(convert::wallet))
    }

    async fn list_transactions(
        &self,
        request: Request<ListTransactionsRequest>,
    ) -> GrpcResult<ListTransactionsResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let page = convert::page(request.into_inner().page);
        into_grpc(
            list_transactions(&self.0, consumer_id, page)
                .await
                .map(convert::transactions),
        )
    }

    async fn hold_value(&self, request: Request<HoldValueRequest>) -> GrpcResult<Hold> {
        Caller::of(&request)?.service(HOLD_CALLERS)?;
        let command = convert::hold_value_command(request.into_inner())?;
        Span::current().record("aggregate_id", field::display(command.order_id));
        into_grpc(hold_value(&self.0, command).await.map(convert::hold))
    }

    async fn close_hold(&self, request: Request<CloseHoldRequest>) -> GrpcResult<Hold> {
        Caller::of(&request)?.service(HOLD_CALLERS)?;
        let order_id: OrderId = convert::parse_id(&request.get_ref().order_id, "orderId")?;
        Span::current().record("aggregate_id", field::display(order_id));
        into_grpc(close_hold(&self.0, order_id).await.map(convert::hold))
    }
}
