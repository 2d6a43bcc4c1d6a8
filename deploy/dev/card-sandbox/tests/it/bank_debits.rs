//! US bank debits: they are in processing until they settle or are returned.

use serde_json::{Value, json};

use crate::harness::{Sandbox, eventually, id};

async fn debit(sandbox: &Sandbox, token: &str) -> String {
    let (status, intent) = sandbox.pay(token, &[]).await;
    assert_eq!((status, &intent["status"]), (200, &json!("processing")));
    id(&intent)
}

async fn decided(sandbox: &Sandbox, payment: &str) -> Value {
    eventually(|| async {
        let intent = sandbox.payment_intent(payment).await;
        (intent["status"] != "processing").then_some(intent)
    })
    .await
}

#[tokio::test]
async fn the_account_number_decides_whether_a_debit_settles_or_is_returned() {
    let sandbox = Sandbox::start_with(|config| config.settle_after_ms = 50).await;
    let settled = decided(&sandbox, &debit(&sandbox, "pm_usBankAccount_success").await).await;
    assert_eq!(
        (&settled["status"], &settled["amount_received"]),
        (&json!("succeeded"), &json!(1250))
    );

    let returned = decided(
        &sandbox,
        &debit(&sandbox, "pm_usBankAccount_insufficientFunds").await,
    )
    .await;
    assert_eq!(returned["status"], "requires_payment_method");
    assert_eq!(returned["last_payment_error"]["code"], "insufficient_funds");
    assert_eq!(returned["latest_charge"]["failure_code"], "insufficient_funds");

    let refund = sandbox
        .post("/v1/refunds", &[("payment_intent", &id(&settled))])
        .await
        .1;
    assert_eq!(refund["status"], "pending");
    eventually(|| async {
        let (_, refund) = sandbox.get(&format!("/v1/refunds/{}", id(&refund))).await;
        (refund["status"] == "succeeded").then_some(())
    })
    .await;
}

#[tokio::test]
async fn admin_calls_settle_a_debit_and_a_return_after_that_is_a_dispute() {
    let sandbox = Sandbox::start().await;
    let payment = debit(&sandbox, "pm_usBankAccount").await;
    assert_eq!(
        sandbox
            .post("/v1/refunds", &[("payment_intent", &payment)])
            .await
            .0,
        400
    );
    let (_, settled) = sandbox
        .admin(&format!("payment_intents/{payment}/settle"), json!({}))
        .await;
    assert_eq!(settled["status"], "succeeded");
    assert_eq!(
        sandbox
            .admin(&format!("payment_intents/{payment}/settle"), json!({}))
            .await
            .0,
        400
    );

    let return_code = json!({ "code": "debit_not_authorized" });
    assert_eq!(
        sandbox
            .admin(&format!("payment_intents/{payment}/return"), return_code)
            .await
            .0,
        200
    );
    assert_eq!(
        sandbox.payment_intent(&payment).await["latest_charge"]["disputed"],
        true
    );
    assert_eq!(sandbox.count("dispute").await, 1);
}

#[tokio::test]
async fn a_bank_account_can_be_set_up_and_debited_but_not_authorized() {
    let sandbox = Sandbox::start().await;
    let customer = sandbox.customer().await;
    let fields = [
        ("type", "us_bank_account"),
        ("us_bank_account[routing_number]", "110000000"),
        ("us_bank_account[account_number]", "000123456789"),
        ("billing_details[name]", "Ada"),
    ];
    let (_, account) = sandbox.as_browser("/v1/payment_methods", &fields).await;
    assert_eq!(account["us_bank_account"]["last4"], "6789");
    let account = id(&account);
    let setup = [
        ("customer", customer.as_str()),
        ("payment_method", account.as_str()),
        ("confirm", "true"),
    ];
    assert_eq!(
        sandbox.post("/v1/setup_intents", &setup).await.1["status"],
        "succeeded"
    );
    let manual_capture = [("customer", customer.as_str()), ("capture_method", "manual")];
    assert_eq!(sandbox.pay(&account, &manual_capture).await.0, 400);
    assert_eq!(
        sandbox.pay(&account, &[("customer", &customer)]).await.1["status"],
        "processing"
    );
}
