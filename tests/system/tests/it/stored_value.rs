//! Stored value through all services: funds, gift cards, company cards, payments at the counter.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Consumer, Reply, Tender, eventually, shared_stack};

impl Consumer {
    /// Adds funds to JoePass.
    async fn add_funds(&self, cents: i64, payment: &Tender, key: &str) -> Reply {
        let request = json!({ "amount": cents, "payment": payment.0, "idempotencyKey": key });
        self.post("payment/upload", request).await
    }

    async fn balance_of(&self, kind: &str) -> Value {
        let wallet = self.get("user/wallet").await;
        let balances = wallet.data()["balances"].as_array().unwrap().clone();
        let found = balances.into_iter().find(|balance| balance["kind"] == kind);
        found.unwrap_or(Value::Null)
    }
}

fn new_key() -> String {
    Uuid::new_v4().to_string()
}

#[tokio::test]
async fn funds_are_charged_and_added_once_per_key() {
    let stack = shared_stack().await;
    let (ada, eve) = (stack.consumer().await, stack.consumer().await);
    let card = ada.with_card("4242424242424242").await;
    let key = new_key();
    let added = ada.add_funds(2_500, &card, &key).await;
    assert_eq!(added.data()["state"], "Completed");
    assert_eq!(ada.add_funds(2_500, &card, &key).await, added, "repeated");
    assert_eq!(ada.joepass().await.0, 2_500);

    let other = ada.add_funds(5_000, &card, &key).await;
    assert_eq!(other.error_reason(409), "IDEMPOTENCY_KEY_REUSED");
    let small = ada.add_funds(999, &card, &new_key()).await;
    assert_eq!(small.error_reason(422), "AMOUNT_TOO_SMALL");
    let foreign = eve.add_funds(2_500, &card, &new_key()).await;
    assert_eq!(foreign.error_reason(422), "PAYMENT_METHOD_UNKNOWN");
    let bad = ada.with_card("4000000000000341").await;
    let declined = ada.add_funds(2_500, &bad, &new_key()).await;
    assert_eq!(declined.error_reason(422), "CARD_DECLINED");
    assert_eq!((ada.joepass().await.0, eve.joepass().await.0), (2_500, 0));

    let history = ada.get("user/transaction-history").await;
    let lines = history.data()["transactions"].as_array().unwrap();
    assert_eq!(lines.len(), 1);
    assert_eq!(
        (
            &lines[0]["title"],
            &lines[0]["balanceName"],
            &lines[0]["purchaseId"]
        ),
        (
            &json!("Added funds"),
            &json!("JoePass"),
            &added.data()["purchaseId"]
        )
    );
}

#[tokio::test]
async fn a_gift_card_pays_for_an_order() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let request = json!({
        "amount": 2_500, "recipient": { "kind": "self" }, "design": "birthday",
        "payment": card.0, "idempotencyKey": new_key(),
    });
    let bought = ada.post("gift-card", request).await;
    let balance = bought.data()["balance"]["id"].as_str().unwrap().to_owned();
    let order = ada.place_order("Latte", &store, &Tender::joepass(&balance)).await;
    store.make(&order).await;
    let left = ada.balance_of("GiftCard").await;
    assert!(left["balance"]["currencyAmount"].as_i64().unwrap() < 2_500);
    let history = ada
        .get(&format!("user/transaction-history?balanceId={balance}"))
        .await;
    let line = &history.data()["transactions"][0];
    assert_eq!(
        (
            &line["orderId"],
            &line["storeId"],
            &line["balanceName"],
            &line["state"]
        ),
        (
            &json!(order),
            &json!(store.id.to_string()),
            &json!("Gift card"),
            &json!("paid")
        )
    );
    assert_eq!(line["balanceAfter"], left["balance"]);

    let wrong = json!({ "code": "0000-0000-0000-0000" });
    let wrong = ada.post("user/gift-card", wrong).await;
    assert_eq!(wrong.error_reason(422), "CODE_NOT_VALID");
}

impl Consumer {
    async fn messages(&self, kind: &str) -> Vec<Value> {
        let inbox = self.get("inbox/list?take=50").await;
        let messages = inbox.data()["messages"].as_array().unwrap().clone().into_iter();
        messages.filter(|message| message["kind"] == kind).collect()
    }
}

#[tokio::test]
async fn a_consumer_who_receives_a_gift_card_gets_a_message() {
    let stack = shared_stack().await;
    let (ada, bob) = (stack.consumer().await, stack.consumer().await);
    let card = ada.with_card("4242424242424242").await;
    let phone = bob.get("user/profile").await.data()["phone"].clone();
    let request = json!({
        "amount": 2_500, "recipient": { "kind": "phone", "value": phone, "name": "Bob" }, "design": "birthday",
        "payment": card.0, "idempotencyKey": new_key(),
    });
    ada.post("gift-card", request).await.data();
    let received = eventually("the recipient has a message", async || {
        let messages = bob.messages("gift_card_received").await;
        if messages.is_empty() {
            Err("none")
        } else {
            Ok(messages)
        }
    })
    .await;
    let [message] = received.as_slice() else {
        panic!("{received:?}")
    };
    assert_eq!(message["title"], "You got a gift card");
    assert!(
        message["body"]
            .as_str()
            .unwrap()
            .starts_with("It's worth $25.00. ")
    );
    assert_eq!(ada.messages("gift_card_delivered").await.len(), 1);
    assert_eq!(ada.messages("gift_card_received").await, [Value::Null; 0]);
}

#[tokio::test]
async fn a_company_card_is_bought_turned_off_and_on() {
    let stack = shared_stack().await;
    let (ada, eve, store) = (stack.consumer().await, stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let company = ada.get(&format!("store/card?storeId={}", store.id)).await.data()["companyId"].clone();
    let request = json!({
        "companyId": company, "amount": 2_500, "payment": card.0, "idempotencyKey": new_key(),
    });
    let bought = ada.post("company-gift-card/purchase", request).await;
    let balance = bought.data()["balance"].clone();
    let tender = Tender::joepass(balance["id"].as_str().unwrap());
    let order = ada.place_order("Latte", &store, &tender).await;
    store.make(&order).await;

    let off = ada
        .post("company-gift-card/deactivate", json!({ "companyId": company }))
        .await;
    assert_eq!(off.data()["isActive"], false);
    let methods = ada.get(&format!("payments/list?storeId={}", store.id)).await;
    let offered = methods.data()["paymentMethods"].as_array().unwrap();
    assert!(!offered.iter().any(|method| method["id"] == balance["id"]));
    let on = ada
        .post("company-gift-card/activate", json!({ "companyId": company }))
        .await;
    assert_eq!(on.data()["isActive"], true);

    let id = balance["giftCardId"].as_str().unwrap();
    let details = format!("company-gift-card/details?giftCardId={id}");
    assert_eq!(ada.get(&details).await.data()["id"], balance["id"]);
    assert_eq!(eve.get(&details).await.error_reason(404), "COMPANY_CARD_UNKNOWN");
    for (list, field) in [
        ("uploads", "uploads"),
        ("orders", "transactions"),
        ("history", "transactions"),
    ] {
        let list = ada.get(&format!("company-gift-card/{list}")).await;
        assert!(!list.data()[field].as_array().unwrap().is_empty(), "{list:?}");
    }
}

#[tokio::test]
async fn a_pin_pays_at_the_counter_once() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    ada.add_funds(1_000, &card, &new_key()).await.data();
    let pin = ada.get(&format!("user/pin?storeId={}", store.id)).await.data()["pin"].clone();
    let path = format!("stores/{}/counter-payments", store.id);
    let request = |key: &str| json!({ "pin": pin, "amount": 450, "idempotencyKey": key });
    let key = new_key();
    let paid = store.post(&path, Some(request(&key))).await;
    assert_eq!(paid.data()["amount"]["currencyAmount"], 450);
    assert_eq!(store.post(&path, Some(request(&key))).await, paid, "repeated");
    let again = store.post(&path, Some(request(&new_key()))).await;
    assert_eq!(again.error_reason(422), "PIN_NOT_VALID");
    assert_eq!(ada.joepass().await.0, 550);
}
