//! The gRPC service.

use callers::Caller;
use kit::{
    grpc::{GrpcResult, into_grpc},
    parse_id, parse_optional_id,
};
use proto::giftcards::v1::{
    ActivateCompanyGiftCardRequest, AddFundsOptions, AddFundsRequest, AutoReload, Balance,
    BuyGiftCardRequest, CloseHoldRequest, CounterPayment, CounterPin, CreateCounterPinRequest,
    DeactivateCompanyGiftCardRequest, FindBalanceRequest, FindBalanceResponse, GetAddFundsOptionsRequest,
    GetCompanyGiftCardRequest, GetWalletRequest, Hold, HoldValueRequest, LinkGiftCardRequest,
    ListCompanyGiftCardHistoryRequest, ListCompanyGiftCardOrdersRequest, ListCompanyGiftCardUploadsRequest,
    ListCompanyGiftCardUploadsResponse, ListGiftCardDealsRequest, ListGiftCardDealsResponse,
    ListHoldsRequest, ListHoldsResponse, ListTransactionsRequest, ListTransactionsResponse, Purchase,
    PurchaseCompanyGiftCardRequest, RedeemCounterPinRequest, RedeemGiftCardRequest, RefundHoldRequest,
    SetAutoReloadRequest, Wallet, gift_cards_server,
};
use tonic::Request;
use tracing::{Span, field};
use types::{OrderId, StoreId};

use crate::{
    GiftCards, convert,
    ops::{
        add_funds::add_funds,
        buy_gift_card::buy_gift_card,
        close_hold::close_hold,
        create_counter_pin::create_counter_pin,
        find_balance_name::find_balance_name,
        get_add_funds_options::get_add_funds_options,
        get_company_gift_card::get_company_gift_card,
        get_wallet::get_wallet,
        hold_value::hold_value,
        link_gift_card::link_gift_card,
        list_company_gift_card_history::list_company_gift_card_history,
        list_company_gift_card_orders::list_company_gift_card_orders,
        list_company_gift_card_uploads::list_company_gift_card_uploads,
        list_gift_card_deals::list_gift_card_deals,
        list_holds::list_holds,
        list_transactions::list_transactions,
        purchase_company_gift_card::purchase_company_gift_card,
        redeem_counter_pin::redeem_counter_pin,
        redeem_gift_card::redeem_gift_card,
        refund_hold::refund_hold,
        set_auto_reload::set_auto_reload,
        set_company_gift_card_active::{activate_company_gift_card, deactivate_company_gift_card},
    },
};

/// Services that may hold, close, refund and list holds.
const HOLD_CALLERS: &[&str] = &["ordering"];

#[derive(Debug, Clone)]
pub struct Grpc(pub GiftCards);

#[tonic::async_trait]
impl gift_cards_server::GiftCards for Grpc {
    async fn get_wallet(&self, request: Request<GetWalletRequest>) -> GrpcResult<Wallet> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        into_grpc(get_wallet(&self.0, consumer_id).await.map(convert::wallet))
    }

    async fn find_balance(&self, request: Request<FindBalanceRequest>) -> GrpcResult<FindBalanceResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let name = find_balance_name(&self.0, consumer_id, &request.get_ref().balance_id).await;
        into_grpc(name.map(|name| FindBalanceResponse {
            name: name.unwrap_or_default(),
        }))
    }

    async fn list_transactions(
        &self,
        request: Request<ListTransactionsRequest>,
    ) -> GrpcResult<ListTransactionsResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let request = request.into_inner();
        let balance_id = parse_optional_id(&request.balance_id, "balanceId")?;
        let page = convert::page(request.page);
        into_grpc(
            list_transactions(&self.0, consumer_id, balance_id, page)
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
        let order_id: OrderId = parse_id(&request.get_ref().order_id, "orderId")?;
        Span::current().record("aggregate_id", field::display(order_id));
        into_grpc(close_hold(&self.0, order_id).await.map(convert::hold))
    }

    async fn refund_hold(&self, request: Request<RefundHoldRequest>) -> GrpcResult<Hold> {
        Caller::of(&request)?.service(HOLD_CALLERS)?;
        let command = convert::refund_hold_command(request.into_inner())?;
        Span::current().record("aggregate_id", field::display(command.order_id));
        into_grpc(refund_hold(&self.0, command).await.map(convert::hold))
    }

    async fn list_holds(&self, request: Request<ListHoldsRequest>) -> GrpcResult<ListHoldsResponse> {
        Caller::of(&request)?.service(HOLD_CALLERS)?;
        let request = convert::list_holds(request.get_ref())?;
        into_grpc(
            list_holds(&self.0, &request)
                .await
                .map(|holds| ListHoldsResponse {
                    holds: holds.iter().map(convert::listed_hold).collect(),
                }),
        )
    }

    async fn get_add_funds_options(
        &self,
        request: Request<GetAddFundsOptionsRequest>,
    ) -> GrpcResult<AddFundsOptions> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        into_grpc(
            get_add_funds_options(&self.0, consumer_id)
                .await
                .map(convert::add_funds_options),
        )
    }

    async fn add_funds(&self, request: Request<AddFundsRequest>) -> GrpcResult<Purchase> {
        let caller = Caller::of(&request)?.clone();
        let command = convert::add_funds_command(caller.consumer()?, request.into_inner())?;
        into_grpc(add_funds(&self.0, &caller, command).await.map(convert::purchase))
    }

    async fn set_auto_reload(&self, request: Request<SetAutoReloadRequest>) -> GrpcResult<AutoReload> {
        let caller = Caller::of(&request)?.clone();
        let consumer_id = caller.consumer()?;
        let command = convert::set_auto_reload_command(request.into_inner())?;
        into_grpc(
            set_auto_reload(&self.0, &caller, consumer_id, command)
                .await
                .map(convert::auto_reload),
        )
    }

    async fn buy_gift_card(&self, request: Request<BuyGiftCardRequest>) -> GrpcResult<Purchase> {
        let caller = Caller::of(&request)?.clone();
        let command = convert::buy_gift_card_command(caller.consumer()?, request.into_inner())?;
        into_grpc(
            buy_gift_card(&self.0, &caller, command)
                .await
                .map(convert::purchase),
        )
    }

    async fn redeem_gift_card(&self, request: Request<RedeemGiftCardRequest>) -> GrpcResult<Balance> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        into_grpc(
            redeem_gift_card(&self.0, consumer_id, &request.get_ref().code)
                .await
                .map(convert::balance),
        )
    }

    async fn link_gift_card(&self, request: Request<LinkGiftCardRequest>) -> GrpcResult<Balance> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let LinkGiftCardRequest { number, pin } = request.into_inner();
        into_grpc(
            link_gift_card(&self.0, consumer_id, &number, &pin)
                .await
                .map(convert::balance),
        )
    }

    async fn list_gift_card_deals(
        &self,
        request: Request<ListGiftCardDealsRequest>,
    ) -> GrpcResult<ListGiftCardDealsResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let company_id = parse_optional_id(&request.get_ref().company_id, "companyId")?;
        into_grpc(
            list_gift_card_deals(&self.0, consumer_id, company_id)
                .await
                .map(convert::deals),
        )
    }

    async fn purchase_company_gift_card(
        &self,
        request: Request<PurchaseCompanyGiftCardRequest>,
    ) -> GrpcResult<Purchase> {
        let caller = Caller::of(&request)?.clone();
        let command = convert::company_card_command(caller.consumer()?, request.into_inner())?;
        into_grpc(
            purchase_company_gift_card(&self.0, &caller, command)
                .await
                .map(convert::purchase),
        )
    }

    async fn activate_company_gift_card(
        &self,
        request: Request<ActivateCompanyGiftCardRequest>,
    ) -> GrpcResult<Balance> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let company_id = parse_id(&request.get_ref().company_id, "companyId")?;
        into_grpc(
            activate_company_gift_card(&self.0, consumer_id, company_id)
                .await
                .map(convert::balance),
        )
    }

    async fn deactivate_company_gift_card(
        &self,
        request: Request<DeactivateCompanyGiftCardRequest>,
    ) -> GrpcResult<Balance> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let company_id = parse_id(&request.get_ref().company_id, "companyId")?;
        into_grpc(
            deactivate_company_gift_card(&self.0, consumer_id, company_id)
                .await
                .map(convert::balance),
        )
    }

    async fn get_company_gift_card(
        &self,
        request: Request<GetCompanyGiftCardRequest>,
    ) -> GrpcResult<Balance> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let gift_card_id = parse_id(&request.get_ref().gift_card_id, "giftCardId")?;
        into_grpc(
            get_company_gift_card(&self.0, consumer_id, gift_card_id)
                .await
                .map(convert::balance),
        )
    }

    async fn list_company_gift_card_history(
        &self,
        request: Request<ListCompanyGiftCardHistoryRequest>,
    ) -> GrpcResult<ListTransactionsResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let request = request.into_inner();
        let company_id = parse_optional_id(&request.company_id, "companyId")?;
        let page = convert::page(request.page);
        into_grpc(
            list_company_gift_card_history(&self.0, consumer_id, company_id, page)
                .await
                .map(convert::transactions),
        )
    }

    async fn list_company_gift_card_orders(
        &self,
        request: Request<ListCompanyGiftCardOrdersRequest>,
    ) -> GrpcResult<ListTransactionsResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let request = request.into_inner();
        let company_id = parse_optional_id(&request.company_id, "companyId")?;
        let page = convert::page(request.page);
        into_grpc(
            list_company_gift_card_orders(&self.0, consumer_id, company_id, page)
                .await
                .map(convert::transactions),
        )
    }

    async fn list_company_gift_card_uploads(
        &self,
        request: Request<ListCompanyGiftCardUploadsRequest>,
    ) -> GrpcResult<ListCompanyGiftCardUploadsResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let request = request.into_inner();
        let company_id = parse_optional_id(&request.company_id, "companyId")?;
        let page = convert::page(request.page);
        into_grpc(
            list_company_gift_card_uploads(&self.0, consumer_id, company_id, page)
                .await
                .map(convert::uploads),
        )
    }

    async fn create_counter_pin(&self, request: Request<CreateCounterPinRequest>) -> GrpcResult<CounterPin> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let store_id = parse_id(&request.get_ref().store_id, "storeId")?;
        into_grpc(
            create_counter_pin(&self.0, consumer_id, store_id)
                .await
                .map(convert::counter_pin),
        )
    }

    async fn redeem_counter_pin(
        &self,
        request: Request<RedeemCounterPinRequest>,
    ) -> GrpcResult<CounterPayment> {
        let store_id: StoreId = parse_id(&request.get_ref().store_id, "storeId")?;
        let credential_id = Caller::of(&request)?.store(store_id)?;
        let command = convert::redeem_pin_command(store_id, credential_id, request.into_inner())?;
        into_grpc(
            redeem_counter_pin(&self.0, command)
                .await
                .map(|payment| convert::counter_payment(&payment)),
        )
    }
}
