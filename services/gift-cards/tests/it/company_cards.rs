//! Company cards: bought, added to, held only at their company's stores, turned off and on, listed.

use gift_cards::ops::seed::seed;
use kit::{ErrorCode, ServiceError};
use proto::giftcards::v1::{
    ActivateCompanyGiftCardRequest, AddFundsRequest, Balance, BalanceKind, DeactivateCompanyGiftCardRequest,
    GetCompanyGiftCardRequest, Hold, HoldValueRequest, ListCompanyGiftCardHistoryRequest,
    ListCompanyGiftCardOrdersRequest, ListCompanyGiftCardUploadsRequest, ListGiftCardDealsRequest, Purchase,
    PurchaseCompanyGiftCardRequest, PurchaseState, gift_cards_server::GiftCards as _,
};
use testing::into_result;
use types::{CompanyId, ConsumerId, StoreId};

use crate::{
    charge_events::settled,
    fake_services::{BANK, CARD},
    harness::{Harness, accepted, at, hold_request, new_order, request_from_consumer, usd},
    purchases::source,
};

impl Harness {
    async fn buy_company_card(
        &self,
        consumer_id: ConsumerId,
        request: PurchaseCompanyGiftCardRequest,
    ) -> Result<Purchase, ServiceError> {
        let request = request_from_consumer(consumer_id, request);
        into_result(self.grpc().purchase_company_gift_card(request).await)
    }

    async fn set_active(&self, consumer_id: ConsumerId, company_id: CompanyId, is_active: bool) -> Balance {
        let company_id = company_id.to_string();
        let response = if is_active {
            let request = request_from_consumer(consumer_id, ActivateCompanyGiftCardRequest { company_id });
            self.grpc().activate_company_gift_card(request).await
        } else {
            let request = request_from_consumer(consumer_id, DeactivateCompanyGiftCardRequest { company_id });
            self.grpc().deactivate_company_gift_card(request).await
        };
        into_result(response).unwrap()
    }

    async fn hold_at(
        &self,
        consumer_id: ConsumerId,
        balance: &Balance,
        store_id: StoreId,
    ) -> Result<Hold, ServiceError> {
        self.hold_value(HoldValueRequest {
            balance_id: balance.balance_id.clone(),
            store_id: store_id.to_string(),
            ..hold_request(new_order(), consumer_id, 500)
        })
        .await
    }
}

fn request(company_id: CompanyId, key: &str) -> PurchaseCompanyGiftCardRequest {
    PurchaseCompanyGiftCardRequest {
        company_id: company_id.to_string(),
        amount: usd(2_500),
        payment: source(CARD),
        idempotency_key: key.to_owned(),
        ..PurchaseCompanyGiftCardRequest::default()
    }
}

#[tokio::test]
async fn a_second_purchase_adds_to_the_card_of_the_company() {
    let harness = Harness::start().await;
    let (consumer, company) = (ConsumerId::new(at()), CompanyId::new(at()));
    let first = harness
        .buy_company_card(consumer, request(company, "key-of-a-test"))
        .await
        .unwrap();
    let card = first.balance.clone().unwrap();
    assert_eq!(
        (
            card.kind(),
            &*card.company_name,
            card.is_active,
            card.available.clone()
        ),
        (BalanceKind::CompanyCard, "Harbor & Pine", true, usd(2_500))
    );
    let second = harness
        .buy_company_card(consumer, request(company, "another-key"))
        .await
        .unwrap();
    let after = second.balance.unwrap();
    assert_eq!(
        (after.balance_id, after.available),
        (card.balance_id.clone(), usd(5_000))
    );
    let by_upload = AddFundsRequest {
        amount: usd(1_000),
        payment: source(CARD),
        balance_id: card.balance_id,
        idempotency_key: "a-third-key".to_owned(),
    };
    let upload = harness.add_funds(consumer, by_upload).await.unwrap();
    assert_eq!(upload.balance.unwrap().available, usd(6_000));

    let list = ListCompanyGiftCardUploadsRequest::default();
    let list = request_from_consumer(consumer, list);
    let uploads = into_result(harness.grpc().list_company_gift_card_uploads(list).await).unwrap();
    assert_eq!(uploads.uploads.len(), 3);
    harness.close().await;
}

#[tokio::test]
async fn a_company_card_pays_only_at_the_stores_of_its_company() {
    let harness = Harness::start().await;
    let (consumer, company, other_company) =
        (ConsumerId::new(at()), CompanyId::new(at()), CompanyId::new(at()));
    let (own, foreign, unknown) = (StoreId::new(at()), StoreId::new(at()), StoreId::new(at()));
    harness.services.add_store(own, company);
    harness.services.add_store(foreign, other_company);
    let purchase = harness
        .buy_company_card(consumer, request(company, "key-of-a-test"))
        .await
        .unwrap();
    let card = purchase.balance.unwrap();
    for store in [foreign, unknown] {
        let error = harness.hold_at(consumer, &card, store).await.unwrap_err();
        assert_eq!(
            (error.code, &*error.reason),
            (ErrorCode::RuleViolation, "CARD_NOT_VALID_HERE")
        );
    }
    let without_store = HoldValueRequest {
        balance_id: card.balance_id.clone(),
        ..hold_request(new_order(), consumer, 500)
    };
    assert_eq!(
        harness.hold_value(without_store).await.unwrap_err().reason,
        "CARD_NOT_VALID_HERE"
    );
    let hold = harness.hold_at(consumer, &card, own).await.unwrap();
    assert_eq!(hold.available, usd(2_000));
    // A caller that knows the company is not asked for it.
    let calls = harness.services.count("GetStore");
    let with_company = HoldValueRequest {
        balance_id: card.balance_id.clone(),
        store_id: own.to_string(),
        company_id: company.to_string(),
        ..hold_request(new_order(), consumer, 500)
    };
    harness.hold_value(with_company).await.unwrap();
    assert_eq!(harness.services.count("GetStore"), calls);

    harness.set_active(consumer, company, false).await;
    let error = harness.hold_at(consumer, &card, own).await.unwrap_err();
    assert_eq!(error.reason, "CARD_INACTIVE");
    assert!(harness.set_active(consumer, company, true).await.is_active);
    harness.hold_at(consumer, &card, own).await.unwrap();
    harness.close().await;
}

#[tokio::test]
async fn history_and_orders_explain_each_line() {
    let harness = Harness::start().await;
    let (consumer, company, store) = (ConsumerId::new(at()), CompanyId::new(at()), StoreId::new(at()));
    harness.services.add_store(store, company);
    let purchase = harness
        .buy_company_card(consumer, request(company, "key-of-a-test"))
        .await
        .unwrap();
    let card = purchase.balance.unwrap();
    let hold = harness.hold_at(consumer, &card, store).await.unwrap();
    harness
        .receive(accepted(hold.order_id.parse().unwrap()))
        .await
        .unwrap();

    let request = ListCompanyGiftCardOrdersRequest {
        company_id: company.to_string(),
        ..ListCompanyGiftCardOrdersRequest::default()
    };
    let request = request_from_consumer(consumer, request);
    let orders = into_result(harness.grpc().list_company_gift_card_orders(request).await).unwrap();
    let [line] = orders.transactions.as_slice() else {
        panic!("{orders:?}")
    };
    assert_eq!(
        (
            &*line.order_id,
            &*line.store_id,
            &*line.state,
            &*line.balance_name
        ),
        (&*hold.order_id, &*store.to_string(), "paid", "Harbor & Pine card")
    );
    assert_eq!(line.balance_after, usd(2_000));

    let history = |company_id: String| {
        let request = ListCompanyGiftCardHistoryRequest {
            company_id,
            ..ListCompanyGiftCardHistoryRequest::default()
        };
        let request = request_from_consumer(consumer, request);
        let grpc = harness.grpc();
        async move {
            let response = grpc.list_company_gift_card_history(request).await;
            into_result(response).unwrap().transactions.len()
        }
    };
    assert_eq!(history(String::new()).await, 2);
    assert_eq!(history(CompanyId::new(at()).to_string()).await, 0);
    harness.close().await;
}

#[tokio::test]
async fn details_are_shown_to_the_owner_only() {
    let harness = Harness::start().await;
    let (consumer, company) = (ConsumerId::new(at()), CompanyId::new(at()));
    let purchase = harness
        .buy_company_card(consumer, request(company, "key-of-a-test"))
        .await
        .unwrap();
    let card = purchase.balance.unwrap();
    let details = |consumer: ConsumerId| {
        let gift_card_id = card.gift_card_id.clone();
        let request = request_from_consumer(consumer, GetCompanyGiftCardRequest { gift_card_id });
        let grpc = harness.grpc();
        async move { into_result(grpc.get_company_gift_card(request).await) }
    };
    assert_eq!(details(consumer).await.unwrap(), card);
    let error = details(ConsumerId::new(at())).await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::NotFound, "COMPANY_CARD_UNKNOWN")
    );
    harness.close().await;
}

#[tokio::test]
async fn a_deal_belongs_to_its_company() {
    let harness = Harness::start().await;
    seed(&harness.cx).await.unwrap();
    let consumer = ConsumerId::new(at());
    let company: String =
        sqlx::query_scalar("SELECT company_id::text FROM deals WHERE company_id IS NOT NULL LIMIT 1")
            .fetch_one(&harness.cx.pool)
            .await
            .unwrap();
    let company = CompanyId::from_uuid(company.parse().unwrap());
    let list = ListGiftCardDealsRequest {
        company_id: company.to_string(),
    };
    let list = request_from_consumer(consumer, list);
    let deals = into_result(harness.grpc().list_gift_card_deals(list).await).unwrap();
    let with_deal = |company: CompanyId, key: &str| PurchaseCompanyGiftCardRequest {
        deal_id: deals.deals[0].deal_id.clone(),
        amount: None,
        ..request(company, key)
    };
    let elsewhere = with_deal(CompanyId::new(at()), "key-of-a-test");
    let error = harness.buy_company_card(consumer, elsewhere).await.unwrap_err();
    assert_eq!(error.reason, "DEAL_NOT_AVAILABLE");
    let purchase = harness
        .buy_company_card(consumer, with_deal(company, "another-key"))
        .await
        .unwrap();
    assert_eq!((purchase.amount, purchase.value), (usd(2_500), usd(3_000)));
    let without_amount = PurchaseCompanyGiftCardRequest {
        amount: None,
        ..request(company, "a-third-key")
    };
    let error = harness
        .buy_company_card(consumer, without_amount)
        .await
        .unwrap_err();
    assert_eq!(error.reason, "AMOUNT_REQUIRED");
    harness.close().await;
}

#[tokio::test]
async fn value_of_a_company_card_is_pending_until_the_debit_settles() {
    let harness = Harness::start().await;
    let (consumer, company) = (ConsumerId::new(at()), CompanyId::new(at()));
    harness
        .buy_company_card(consumer, request(company, "key-of-a-test"))
        .await
        .unwrap();
    let by_bank = PurchaseCompanyGiftCardRequest {
        payment: source(BANK),
        ..request(company, "another-key")
    };
    let purchase = harness.buy_company_card(consumer, by_bank).await.unwrap();
    assert_eq!(purchase.state(), PurchaseState::PurchaseProcessing);
    let card = async || {
        let mut balances = harness.balances(consumer).await.into_iter();
        let card = balances.find(|balance| balance.kind() == BalanceKind::CompanyCard);
        let card = card.unwrap();
        (card.available, card.pending)
    };
    assert_eq!(card().await, (usd(2_500), usd(2_500)));
    harness.receive(settled(&purchase)).await.unwrap();
    assert_eq!(card().await, (usd(5_000), usd(0)));
    harness.close().await;
}

#[tokio::test]
async fn the_limit_of_a_card_includes_its_pending_purchases_whichever_call_adds_funds() {
    let harness = Harness::start().await;
    let (consumer, company) = (ConsumerId::new(at()), CompanyId::new(at()));
    let buy = async |key, method| {
        let request = PurchaseCompanyGiftCardRequest {
            amount: usd(50_000),
            payment: source(method),
            ..request(company, key)
        };
        harness.buy_company_card(consumer, request).await.unwrap()
    };
    for key in ["key-of-a-test", "another-key", "a-third-key"] {
        buy(key, CARD).await;
    }
    let purchase = buy("a-fourth-key", BANK).await;
    assert_eq!(purchase.state(), PurchaseState::PurchaseProcessing);
    let mut balances = harness.balances(consumer).await.into_iter();
    let card = balances.find(|balance| balance.kind() == BalanceKind::CompanyCard);
    let upload = AddFundsRequest {
        amount: usd(1_000),
        payment: source(CARD),
        balance_id: card.unwrap().balance_id,
        idempotency_key: "a-fifth-key".to_owned(),
    };
    let error = harness.add_funds(consumer, upload.clone()).await.unwrap_err();
    assert_eq!(error.reason, "BALANCE_LIMIT_REACHED");
    // Those of a card do not count for JoePass.
    let to_joepass = AddFundsRequest {
        balance_id: String::new(),
        ..upload
    };
    harness.add_funds(consumer, to_joepass).await.unwrap();
    harness.close().await;
}
