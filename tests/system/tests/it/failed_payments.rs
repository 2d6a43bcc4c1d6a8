//! Bank debits that are returned after the order was made: the debt blocks new orders until a card pays it, once.

use serde_json::{Value, json};

use crate::harness::{Consumer, Reply, cents, eventually, shared_stack};

/// A test account with debits that stay in processing until the sandbox decides them.
const UNDECIDED_ACCOUNT: &str = "000000000009";

async fn failed_payments(consumer: &Consumer) -> Value {
    consumer.get("payment/failed-payments").await.data().clone()
}

async fn recover(consumer: &Consumer, ids: &[&str], method: &Value) -> Reply {
    let body = json!({
        "userId": consumer.id.to_string(), "paymentIntentIds": ids, "paymentMethodId": method["paymentMethodId"],
        "paymentMethodType": method["type"], "idempotencyKey": "the key of another debt",
    });
    consumer.post("payment/update-failed-payments", body).await
}

#[tokio::test]
async fn a_debt_blocks_orders_until_a_card_pays_it_once() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let bank = ada.with_bank(UNDECIDED_ACCOUNT).await;
    let order = ada.place_order("Latte", &store, &bank).await;
    store.make(&order).await;
    let total = cents(&ada.order(&order).await.data()["total"]);
    stack.sandbox().return_debit(&order).await;
    let list = eventually("the returned payment is owed", async || {
        let list = failed_payments(&ada).await;
        let has_debt = list["list"].as_array().is_some_and(|list| list.len() == 1);
        has_debt.then_some(list).ok_or("no debt yet")
    })
    .await;
    let debt = &list["list"][0];
    assert_eq!(
        (cents(&debt["total"]), cents(&debt["insufficientFundsPenaltyFee"])),
        (total, 500)
    );
    assert_eq!(list["totalOwed"], total + 500);
    assert_eq!(debt["orderId"], order);
    assert_eq!(debt["items"].as_array().unwrap().len(), 1);

    let good = ada.with_card("4242424242424242").await;
    let checkout = ada.draft_order("Latte", &store, &good).priced().await;
    let blocked = checkout.place().await;
    assert_eq!(blocked.error_reason(403), "FAILED_ACH_PAYMENTS");
    assert_eq!(
        (&blocked.body["message"], &blocked.body["errors"]),
        (&json!("failed_ach_payments"), &json!(["You have failed payment"]))
    );

    let id = debt["paymentIntentId"].as_str().unwrap();
    assert_eq!(
        recover(&ada, &[id], &bank.0).await.error_reason(422),
        "CARD_REQUIRED"
    );
    let bad = ada.with_card("4000000000000341").await;
    let declined = recover(&ada, &[id], &bad.0).await;
    assert_eq!(
        (declined.status.as_u16(), &declined.body["success"]),
        (200, &json!(false))
    );
    assert_eq!(declined.body["data"]["failed"][0]["reason"], "CARD_DECLINED");
    assert_eq!(declined.body["reason"], "CARD_DECLINED");

    // Two taps, and a second tab.
    let ids = [id];
    let taps = futures::future::join_all((0..4).map(|_| recover(&ada, &ids, &good.0))).await;
    for tap in taps {
        assert_eq!(tap.data()["recovered"], json!([id]));
    }
    assert_eq!(failed_payments(&ada).await["totalOwed"], 0);
    assert_eq!(stack.sandbox().captured_for_debts(ada.id).await, total + 500);

    // The cart and its key are intact.
    assert_eq!(checkout.place().await.order_status(), "Placed");
}

#[tokio::test]
async fn a_debt_belongs_to_one_consumer() {
    let stack = shared_stack().await;
    let (ada, eve, store) = (stack.consumer().await, stack.consumer().await, stack.store());
    let bank = ada.with_bank(UNDECIDED_ACCOUNT).await;
    let order = ada.place_order("Latte", &store, &bank).await;
    store.make(&order).await;
    stack.sandbox().return_debit(&order).await;
    let id = eventually("the returned payment is owed", async || {
        let list = failed_payments(&ada).await;
        let id = list["list"][0]["paymentIntentId"].as_str().map(ToOwned::to_owned);
        id.ok_or("no debt yet")
    })
    .await;
    assert_eq!(failed_payments(&eve).await["list"], json!([]));
    let card = eve.with_card("4242424242424242").await;
    let foreign = recover(&eve, &[&id], &card.0).await;
    assert_eq!(foreign.body["data"]["failed"][0]["reason"], "DEBT_UNKNOWN");
    assert_eq!(stack.sandbox().captured_for_debts(eve.id).await, 0);
}

#[tokio::test]
async fn a_debit_that_is_returned_before_the_order_is_made_cancels_it_without_a_debt() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let bank = ada.with_bank(UNDECIDED_ACCOUNT).await;
    let order = ada.place_order("Latte", &store, &bank).await;
    store.accept(&order).await.data();
    stack.sandbox().return_debit(&order).await;
    ada.wait_for_status(&order, "Cancelled").await;
    assert_eq!(failed_payments(&ada).await["totalOwed"], 0);
}

#[tokio::test]
async fn a_wallet_pays_for_an_order_and_is_not_saved() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let wallet = stack.sandbox().create_wallet_method("apple_pay").await;
    let tender = crate::harness::Tender(json!({ "type": "apple", "walletPaymentMethodId": wallet }));
    let order = ada.place_order("Latte", &store, &tender).await;
    store.make(&order).await;
    let methods = ada.get("payments/list").await;
    let saved = methods.data()["paymentMethods"].as_array().unwrap().iter();
    assert_eq!(saved.filter(|method| method["type"] != "joebucks").count(), 0);
    eventually("the wallet is charged", async || {
        let intents = stack.sandbox().intents(&order).await;
        (intents[0]["status"] == "succeeded")
            .then_some(())
            .ok_or("not captured")
    })
    .await;
    ada.assert_consistent().await;
}
