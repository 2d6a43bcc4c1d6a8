//! Stored value: adding funds, gift cards, company cards, payments at the counter.

use callers::Caller;
use kit::{ErrorCode, ServiceError};
use proto::giftcards::v1::{
    AddFundsOptions, AddFundsRequest, AutoReload, Balance, BalanceKind, BuyGiftCardRequest, CounterPayment,
    CounterPin, CreateCounterPinRequest, GetAddFundsOptionsRequest, GetWalletRequest, LinkGiftCardRequest,
    ListCompanyGiftCardUploadsRequest, ListCompanyGiftCardUploadsResponse, ListTransactionsRequest,
    ListTransactionsResponse, Purchase, PurchaseCompanyGiftCardRequest, PurchaseState, RecipientKind,
    RedeemCounterPinRequest, RedeemGiftCardRequest, SetAutoReloadRequest, Transaction, Wallet,
};
use proto::payments::v1::{
    GetPublishableKeyRequest, ListPaymentMethodsRequest, ListPaymentMethodsResponse, MethodKind,
    PaymentMethod, PublishableKey, WalletKind, payment_source::Source,
};
use proto::stores::v1::{AuthenticateStoreRequest, AuthenticateStoreResponse};
use proto::values::v1::Money;
use serde_json::{Value, json};
use types::ConsumerId;

use crate::fake_services::FakeServices;
use crate::harness::{
    Gateway, WithSession, accept_all_sessions, accept_all_sessions_as, new_token, status_and_body,
};

const STORE: &str = "str_01h455vb4pex5vsknk084sn02q";

fn usd(cents: i64) -> Money {
    Money {
        minor_units: cents,
        currency: "usd".into(),
    }
}

fn balance(kind: BalanceKind) -> Balance {
    let mut balance = Balance {
        balance_id: "bal_1".into(),
        r#type: "joebucks".into(),
        available: Some(usd(2_500)),
        is_active: true,
        ..Balance::default()
    };
    balance.set_kind(kind);
    balance
}

fn purchase(state: PurchaseState) -> Purchase {
    let mut purchase = Purchase {
        purchase_id: "pur_1".into(),
        amount: Some(usd(2_500)),
        value: Some(usd(2_500)),
        balance: Some(balance(BalanceKind::Joepass)),
        ..Purchase::default()
    };
    purchase.set_state(state);
    purchase
}

async fn post(gateway: &Gateway, path: &str, body: &Value) -> (u16, Value) {
    let request = gateway.post(path, body).with_session(&new_token());
    status_and_body(request.send().await.unwrap()).await
}

async fn get(gateway: &Gateway, path: &str) -> (u16, Value) {
    let request = gateway.get(path).with_session(&new_token());
    status_and_body(request.send().await.unwrap()).await
}

fn add_funds(payment: &Value) -> Value {
    json!({"amount": 2500, "payment": payment, "idempotencyKey": "key-of-a-test"})
}

#[tokio::test]
async fn funds_are_added_with_a_saved_method_or_a_wallet() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("AddFunds", |_: AddFundsRequest| {
        Ok(purchase(PurchaseState::PurchaseCompleted))
    });
    let gateway = Gateway::start(&services).await;
    let path = "/api/consumer/payment/upload";
    let card = json!({"type": "card", "paymentMethodId": "pay_1"});
    let (status, body) = post(&gateway, path, &add_funds(&card)).await;
    assert_eq!((status, &body["data"]["state"]), (200, &json!("Completed")));
    assert_eq!(body["data"]["balance"]["balance"]["currencyAmount"], 2_500);
    assert_eq!(body["data"]["clientSecret"], Value::Null);

    let apple = json!({"type": "apple", "paymentMethodId": "apple_pay_web", "walletPaymentMethodId": "pm_1"});
    assert_eq!(post(&gateway, path, &add_funds(&apple)).await.0, 200);
    let requests: Vec<AddFundsRequest> = services
        .calls("AddFunds")
        .iter()
        .map(super::fake_services::ReceivedCall::decode)
        .collect();
    assert_eq!(
        (&requests[0].amount, &*requests[0].idempotency_key),
        (&Some(usd(2_500)), "key-of-a-test")
    );
    let source = |index: usize| requests[index].payment.clone().unwrap().source.unwrap();
    assert_eq!(source(0), Source::PaymentMethodId("pay_1".into()));
    let Source::Wallet(wallet) = source(1) else {
        panic!("{requests:?}")
    };
    assert_eq!(
        (wallet.kind(), &*wallet.provider_payment_method_id),
        (WalletKind::ApplePay, "pm_1")
    );

    assert_eq!(
        requests[0].payment.as_ref().unwrap().saved_method_kind(),
        MethodKind::Card
    );

    let joepass = json!({"type": "joebucks", "paymentMethodId": "bal_1"});
    let (status, body) = post(&gateway, path, &add_funds(&joepass)).await;
    assert_eq!((status, &body["reason"]), (422, &json!("TENDER_UNSUPPORTED")));
    for body in [
        json!({}),
        json!({"amount": "ten"}),
        add_funds(&json!({"type": "cash"})),
    ] {
        assert_eq!(post(&gateway, path, &body).await.0, 400);
    }
}

#[tokio::test]
async fn the_key_of_the_body_or_else_of_the_header_identifies_a_purchase() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("AddFunds", |_: AddFundsRequest| {
        Ok(purchase(PurchaseState::PurchaseCompleted))
    });
    let gateway = Gateway::start(&services).await;
    let payment = json!({"type": "card", "paymentMethodId": "pay_1"});
    let without_key = json!({"amount": 2500, "payment": payment});
    for body in [&without_key, &add_funds(&payment)] {
        let request = gateway.post("/api/consumer/payment/upload", body);
        let request = request
            .with_session(&new_token())
            .header("idempotency-key", "key-of-the-header");
        assert_eq!(status_and_body(request.send().await.unwrap()).await.0, 200);
    }
    let keys: Vec<String> = services
        .calls("AddFunds")
        .iter()
        .map(|call| call.decode::<AddFundsRequest>().idempotency_key)
        .collect();
    assert_eq!(keys, ["key-of-the-header", "key-of-a-test"]);
    let (status, body) = post(&gateway, "/api/consumer/payment/upload", &without_key).await;
    assert_eq!((status, &body["field"]), (400, &json!("idempotencyKey")));
}

#[tokio::test]
async fn a_purchase_that_waits_for_authentication_has_the_provider_script() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("BuyGiftCard", |_: BuyGiftCardRequest| {
        Ok(Purchase {
            client_secret: "secret".into(),
            balance: None,
            gift_card_id: "gft_1".into(),
            ..purchase(PurchaseState::PurchaseRequiresAction)
        })
    });
    services.on("GetPublishableKey", |_: GetPublishableKeyRequest| {
        Ok(PublishableKey {
            publishable_key: "pk_1".into(),
        })
    });
    let gateway = Gateway::start(&services).await;
    let request = json!({
        "amount": 2500,
        "recipient": {"kind": "email", "value": "sam@example.com", "name": "Sam"},
        "deliverOn": "2026-12-24", "message": "Happy birthday!", "design": "birthday",
        "payment": {"type": "card", "paymentMethodId": "pay_1"},
        "idempotencyKey": "key-of-a-test",
    });
    let (status, body) = post(&gateway, "/api/consumer/gift-card", &request).await;
    let data = &body["data"];
    assert_eq!(
        (status, &data["state"], &data["clientSecret"]),
        (200, &json!("RequiresAction"), &json!("secret"))
    );
    assert_eq!(data["providerScript"]["publishableKey"], "pk_1");
    assert_eq!(data["giftCard"], json!({"id": "gft_1"}));
    let request: BuyGiftCardRequest = services.calls("BuyGiftCard")[0].decode();
    let recipient = request.recipient.unwrap();
    assert_eq!(
        (recipient.kind(), &*recipient.value, &*request.deliver_on),
        (RecipientKind::Email, "sam@example.com", "2026-12-24")
    );
}

fn indebted<T>() -> Result<T, tonic::Status> {
    let message = "You have failed payment";
    Err(ServiceError::new(ErrorCode::Forbidden, "FAILED_ACH_PAYMENTS", message).into())
}

#[tokio::test]
async fn debts_are_reported_as_the_app_expects_it() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("AddFunds", |_: AddFundsRequest| indebted::<Purchase>());
    services.on("BuyGiftCard", |_: BuyGiftCardRequest| indebted::<Purchase>());
    services.on("PurchaseCompanyGiftCard", |_: PurchaseCompanyGiftCardRequest| {
        indebted::<Purchase>()
    });
    let gateway = Gateway::start(&services).await;
    let payment = json!({"type": "card", "paymentMethodId": "pay_1"});
    let gift_card = json!({
        "amount": 2500, "recipient": {"kind": "self"}, "design": "classic", "payment": payment,
        "idempotencyKey": "key-of-a-test",
    });
    let company_card = json!({
        "companyId": "cmp_1", "amount": 2500, "payment": payment, "idempotencyKey": "key-of-a-test",
    });
    for (path, body) in [
        ("payment/upload", add_funds(&payment)),
        ("gift-card", gift_card),
        ("company-gift-card/purchase", company_card),
    ] {
        let (status, body) = post(&gateway, &format!("/api/consumer/{path}"), &body).await;
        assert_eq!(
            (status, body),
            (
                403,
                json!({
                    "success": false, "data": null, "message": "failed_ach_payments",
                    "errors": ["You have failed payment"], "reason": "FAILED_ACH_PAYMENTS",
                })
            ),
            "{path}"
        );
    }
}

/// Services that know no code.
async fn services_without_codes() -> FakeServices {
    fn not_valid() -> Result<Balance, tonic::Status> {
        let message = "That code isn't valid. Check it and try again.";
        Err(ServiceError::new(ErrorCode::RuleViolation, "CODE_NOT_VALID", message).into())
    }
    let services = FakeServices::start().await;
    services.on("RedeemGiftCard", |_: RedeemGiftCardRequest| not_valid());
    services.on("LinkGiftCard", |_: LinkGiftCardRequest| not_valid());
    services
}

fn new_consumer() -> String {
    ConsumerId::from_uuid(uuid::Uuid::new_v4()).to_string()
}

#[tokio::test]
async fn codes_are_limited_per_consumer() {
    let services = services_without_codes().await;
    accept_all_sessions_as(&services, &new_consumer());
    let settings = [
        ("GIFT_CODES_PER_CONSUMER", "3"),
        ("GIFT_CODES_PER_ADDRESS", "1000000"),
    ];
    let gateway = Gateway::start_with(&services, &settings).await;
    let redeem = (
        "/api/consumer/user/gift-card",
        json!({"code": "AB12-CD34-EF56-GH78"}),
    );
    let link = (
        "/api/consumer/gift-card/link-gift-card",
        json!({"number": "AB12-CD34-EF56-GH78", "pin": "1234"}),
    );
    for (path, body) in [&redeem, &link, &redeem] {
        let (status, body) = post(&gateway, path, body).await;
        assert_eq!((status, &body["reason"]), (422, &json!("CODE_NOT_VALID")));
    }
    for (path, body) in [&redeem, &link] {
        let (status, body) = post(&gateway, path, body).await;
        assert_eq!((status, &body["reason"]), (429, &json!("TOO_MANY_ATTEMPTS")));
    }
    assert_eq!(
        services.calls("RedeemGiftCard").len() + services.calls("LinkGiftCard").len(),
        3
    );
    // Another consumer of the same address can enter codes.
    accept_all_sessions_as(&services, &new_consumer());
    assert_eq!(post(&gateway, redeem.0, &redeem.1).await.0, 422);
}

#[tokio::test]
async fn codes_are_limited_per_address() {
    let services = services_without_codes().await;
    let address = new_address();
    let settings = [("GIFT_CODES_PER_ADDRESS", "2"), ("TRUSTED_PROXIES", "127.0.0.1")];
    let gateway = Gateway::start_with(&services, &settings).await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        accept_all_sessions_as(&services, &new_consumer());
        statuses.push(redeem_from(&gateway, &address, "wrong").await);
    }
    assert_eq!(statuses, [422, 422, 429]);
}

const CORRECT: &str = "AB12-CD34-EF56-GH78";

/// Services that know one code.
async fn services_with_a_code() -> FakeServices {
    let services = FakeServices::start().await;
    services.on("RedeemGiftCard", |request: RedeemGiftCardRequest| {
        if request.code == CORRECT {
            return Ok(balance(BalanceKind::GiftCard));
        }
        let message = "That code isn't valid. Check it and try again.";
        Err(ServiceError::new(ErrorCode::RuleViolation, "CODE_NOT_VALID", message).into())
    });
    services
}

/// Enters a code from an address, and returns the status.
async fn redeem_from(gateway: &Gateway, address: &str, code: &str) -> u16 {
    let request = gateway
        .post("/api/consumer/user/gift-card", &json!({"code": code}))
        .header("x-forwarded-for", address)
        .with_session(&new_token());
    request.send().await.unwrap().status().as_u16()
}

/// Returns an address that no other test uses.
fn new_address() -> String {
    format!("2001:db8:{:x}:{:x}::1", rand_part(), rand_part())
}

#[tokio::test]
async fn correct_codes_do_not_count() {
    let services = services_with_a_code().await;
    accept_all_sessions_as(&services, &new_consumer());
    let address = new_address();
    let settings = [
        ("GIFT_CODES_PER_CONSUMER", "2"),
        ("GIFT_CODES_PER_ADDRESS", "2"),
        ("TRUSTED_PROXIES", "127.0.0.1"),
    ];
    let gateway = Gateway::start_with(&services, &settings).await;
    let mut statuses = Vec::new();
    for code in [CORRECT, "wrong", CORRECT, CORRECT, "wrong", "wrong"] {
        statuses.push(redeem_from(&gateway, &address, code).await);
    }
    assert_eq!(statuses, [200, 422, 200, 200, 422, 429]);
}

#[tokio::test]
async fn a_code_that_the_limit_of_an_address_rejects_does_not_count_for_the_consumer() {
    let services = services_with_a_code().await;
    let (store, elsewhere) = (new_address(), new_address());
    let settings = [
        ("GIFT_CODES_PER_CONSUMER", "2"),
        ("GIFT_CODES_PER_ADDRESS", "1"),
        ("TRUSTED_PROXIES", "127.0.0.1"),
    ];
    let gateway = Gateway::start_with(&services, &settings).await;
    accept_all_sessions_as(&services, &new_consumer());
    assert_eq!(redeem_from(&gateway, &store, "wrong").await, 422);
    accept_all_sessions_as(&services, &new_consumer());
    for _ in 0..3 {
        assert_eq!(redeem_from(&gateway, &store, CORRECT).await, 429);
    }
    assert_eq!(redeem_from(&gateway, &elsewhere, CORRECT).await, 200);
}

fn rand_part() -> u128 {
    uuid::Uuid::new_v4().as_u128() & 0xffff
}

#[tokio::test]
async fn without_redis_no_code_is_accepted() {
    let services = services_without_codes().await;
    accept_all_sessions(&services);
    let gateway = Gateway::start_with(&services, &[("REDIS_URL", "redis://127.0.0.1:1")]).await;
    let body = json!({"code": "AB12-CD34-EF56-GH78"});
    assert_eq!(post(&gateway, "/api/consumer/user/gift-card", &body).await.0, 503);
    assert!(services.calls("RedeemGiftCard").is_empty());
}

#[tokio::test]
async fn the_wallet_lists_all_balances_and_checkout_the_active_ones() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetWallet", |_: GetWalletRequest| {
        let company_card = Balance {
            balance_id: "bal_3".into(),
            company_id: "cmp_1".into(),
            company_name: "Harbor & Pine".into(),
            is_active: false,
            ..balance(BalanceKind::CompanyCard)
        };
        let gift_card = Balance {
            balance_id: "bal_2".into(),
            code_suffix: "GH78".into(),
            ..balance(BalanceKind::PhysicalGiftCard)
        };
        let balances = vec![balance(BalanceKind::Joepass), gift_card, company_card];
        Ok(Wallet { balances })
    });
    services.on("ListPaymentMethods", |_: ListPaymentMethodsRequest| {
        Ok(ListPaymentMethodsResponse::default())
    });
    let gateway = Gateway::start(&services).await;
    let (_, wallet) = get(&gateway, "/api/consumer/user/wallet").await;
    let kinds: Vec<_> = wallet["data"]["balances"]
        .as_array()
        .unwrap()
        .iter()
        .map(|balance| {
            (
                balance["kind"].as_str().unwrap(),
                balance["isActive"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        kinds,
        [
            ("JoePass", true),
            ("PhysicalGiftCard", true),
            ("CompanyCard", false)
        ]
    );
    let names = async |path: &str| {
        let (status, list) = get(&gateway, path).await;
        assert_eq!(status, 200);
        let methods = list["data"]["paymentMethods"].as_array().unwrap().clone();
        let names = methods.iter().map(|method| {
            let text = |field: &str| method[field].as_str().unwrap().to_owned();
            (text("name"), text("displayName"))
        });
        names.collect::<Vec<_>>()
    };
    let all = names("/api/consumer/payments/loyalty-cards").await;
    let expected = [
        ("JoeBucks", "JoePass"),
        ("Physical Gift Card", "Gift card ···· GH78"),
        ("Gift Card", "Harbor & Pine card"),
    ];
    assert_eq!(
        all,
        expected.map(|(name, display)| (name.to_owned(), display.to_owned()))
    );
    assert_eq!(names("/api/consumer/payments/list").await, all[..2]);
}

#[tokio::test]
async fn the_options_for_adding_funds_include_the_saved_methods() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetAddFundsOptions", |_: GetAddFundsOptionsRequest| {
        Ok(AddFundsOptions {
            presets: [1_000, 2_500].into_iter().map(usd).collect(),
            minimum: Some(usd(1_000)),
            maximum: Some(usd(50_000)),
            ..AddFundsOptions::default()
        })
    });
    services.on("ListPaymentMethods", |_: ListPaymentMethodsRequest| {
        let card = PaymentMethod {
            payment_method_id: "pay_1".into(),
            r#type: "card".into(),
            last4: "4242".into(),
            ..PaymentMethod::default()
        };
        Ok(ListPaymentMethodsResponse { methods: vec![card] })
    });
    services.on("SetAutoReload", |request: SetAutoReloadRequest| {
        Ok(AutoReload {
            enabled: request.enabled,
            threshold: request.threshold,
            amount: request.amount,
            payment_method_id: request.payment_method_id,
            paused_until: request.paused_until,
            frozen_until: String::new(),
        })
    });
    let gateway = Gateway::start(&services).await;
    let (status, body) = get(&gateway, "/api/consumer/user/wallet/add-funds").await;
    let data = &body["data"];
    assert_eq!(
        (status, &data["presets"], &data["minimum"]),
        (200, &json!([1000, 2500]), &json!(1000))
    );
    assert_eq!(data["methods"][0]["paymentMethodId"], "pay_1");
    assert_eq!(data["autoReload"]["enabled"], false);

    let rule = json!({"enabled": true, "threshold": 1000, "amount": 2500, "paymentMethodId": "pay_1"});
    let (status, body) = post(&gateway, "/api/consumer/user/settings/autoReload", &rule).await;
    assert_eq!((status, &body["data"]["pausedUntil"]), (200, &Value::Null));
    assert_eq!(body["data"]["threshold"]["currencyAmount"], 1_000);
}

#[tokio::test]
async fn lists_are_paged_and_can_be_limited_to_a_balance_or_company() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("ListTransactions", |_: ListTransactionsRequest| {
        let mut line = Transaction {
            kind: "top_up".into(),
            amount: Some(usd(2_500)),
            balance_after: Some(usd(2_500)),
            balance_name: "JoePass".into(),
            purchase_id: "pur_1".into(),
            ..Transaction::default()
        };
        line.set_balance_kind(BalanceKind::Joepass);
        Ok(ListTransactionsResponse {
            transactions: vec![line],
        })
    });
    services.on(
        "ListCompanyGiftCardUploads",
        |_: ListCompanyGiftCardUploadsRequest| {
            Ok(ListCompanyGiftCardUploadsResponse {
                uploads: vec![purchase(PurchaseState::PurchaseReturned)],
            })
        },
    );
    let gateway = Gateway::start(&services).await;
    let (_, body) = get(
        &gateway,
        "/api/consumer/user/transaction-history?balanceId=bal_1&take=5",
    )
    .await;
    let line = &body["data"]["transactions"][0];
    assert_eq!(
        (&line["balanceName"], &line["purchaseId"]),
        (&json!("JoePass"), &json!("pur_1"))
    );
    let request: ListTransactionsRequest = services.calls("ListTransactions")[0].decode();
    assert_eq!((&*request.balance_id, request.page.unwrap().take), ("bal_1", 5));

    for path in ["uploads", "uploads?companyId=cmp_1&skip=20"] {
        let (status, body) = get(&gateway, &format!("/api/consumer/company-gift-card/{path}")).await;
        assert_eq!(
            (status, &body["data"]["uploads"][0]["state"]),
            (200, &json!("Returned"))
        );
    }
    let calls = services.calls("ListCompanyGiftCardUploads");
    let requests: Vec<ListCompanyGiftCardUploadsRequest> = calls
        .iter()
        .map(super::fake_services::ReceivedCall::decode)
        .collect();
    assert_eq!(
        (&*requests[0].company_id, &*requests[1].company_id),
        ("", "cmp_1")
    );
    assert_eq!(requests[1].page.as_ref().unwrap().skip, 20);
    let (status, _) = get(&gateway, "/api/consumer/company-gift-card/history?take=101").await;
    assert_eq!(status, 400);
}

#[tokio::test]
async fn the_store_takes_a_payment_with_the_pin_of_a_consumer() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("CreateCounterPin", |request: CreateCounterPinRequest| {
        assert_eq!(request.store_id, STORE);
        Ok(CounterPin {
            pin: "0042".into(),
            expires_at: "2026-11-20T16:02:00Z".into(),
            store_name: "Sunset".into(),
            available: Some(usd(2_500)),
        })
    });
    services.on("AuthenticateStore", |_: AuthenticateStoreRequest| {
        Ok(AuthenticateStoreResponse {
            credential_id: "crd_01h455vb4pex5vsknk084sn02q".into(),
            store_ids: vec![STORE.into()],
            all_stores: false,
        })
    });
    services.on("RedeemCounterPin", |request: RedeemCounterPinRequest| {
        assert_eq!(
            (&*request.store_id, &*request.pin, request.amount),
            (STORE, "0042", Some(usd(450)))
        );
        Ok(CounterPayment {
            counter_payment_id: "ctp_1".into(),
            amount: Some(usd(450)),
            paid_at: "2026-11-20T16:01:00Z".into(),
        })
    });
    let gateway = Gateway::start(&services).await;
    let (status, body) = get(&gateway, &format!("/api/consumer/user/pin?storeId={STORE}")).await;
    assert_eq!((status, &body["data"]["pin"]), (200, &json!("0042")));
    assert_eq!(get(&gateway, "/api/consumer/user/pin").await.0, 400);

    let url = format!("{}/store-api/stores/{STORE}/counter-payments", gateway.url);
    let body = json!({"pin": "0042", "amount": 450, "idempotencyKey": "key-of-a-test"});
    let request = gateway.client.post(&url).bearer_auth(new_token()).json(&body);
    let (status, body) = status_and_body(request.send().await.unwrap()).await;
    assert_eq!(
        (status, &body["data"]["amount"]["currencyAmount"]),
        (200, &json!(450))
    );
    let caller = services.calls("RedeemCounterPin")[0].caller.clone();
    assert!(matches!(caller, Caller::Store { .. }), "{caller:?}");
}
