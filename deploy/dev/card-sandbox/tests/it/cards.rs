//! Cards: saving and charging them, and how that fails.

use serde_json::json;

use crate::harness::{Sandbox, id};

#[tokio::test]
async fn a_saved_card_is_authorized_captured_and_refunded() {
    let sandbox = Sandbox::start().await;
    let customer = sandbox.customer().await;
    let card = sandbox.saved_card(&customer, "4242 4242 4242 4242").await;

    let manual_capture = [
        ("customer", customer.as_str()),
        ("capture_method", "manual"),
        ("off_session", "true"),
    ];
    let (status, intent) = sandbox.pay(&card, &manual_capture).await;
    assert_eq!(
        (status, intent["status"].as_str()),
        (200, Some("requires_capture"))
    );
    assert_eq!(intent["amount_capturable"], 1250);
    let payment = id(&intent);
    assert_eq!(
        sandbox.payment_intent(&payment).await["latest_charge"]["captured"],
        false
    );

    let capture = format!("/v1/payment_intents/{payment}/capture");
    let (_, captured) = sandbox.post(&capture, &[("amount_to_capture", "1000")]).await;
    assert_eq!(
        (&captured["status"], &captured["amount_received"]),
        (&json!("succeeded"), &json!(1000))
    );
    let (status, again) = sandbox.post(&capture, &[]).await;
    assert_eq!(
        (status, &again["error"]["code"]),
        (400, &json!("payment_intent_unexpected_state"))
    );

    let (_, refund) = sandbox
        .post(
            "/v1/refunds",
            &[("payment_intent", payment.as_str()), ("amount", "400")],
        )
        .await;
    assert_eq!(
        (&refund["status"], &refund["amount"]),
        (&json!("succeeded"), &json!(400))
    );
    let (status, _) = sandbox
        .post(
            "/v1/refunds",
            &[("payment_intent", payment.as_str()), ("amount", "601")],
        )
        .await;
    assert_eq!(status, 400);
    assert_eq!(
        sandbox
            .post("/v1/refunds", &[("payment_intent", payment.as_str())])
            .await
            .1["amount"],
        600
    );
    let (_, over) = sandbox
        .post("/v1/refunds", &[("payment_intent", payment.as_str())])
        .await;
    assert_eq!(over["error"]["code"], "charge_already_refunded");
}

#[tokio::test]
async fn a_canceled_authorization_cannot_be_captured() {
    let sandbox = Sandbox::start().await;
    let (_, intent) = sandbox.pay("pm_card_visa", &[("capture_method", "manual")]).await;
    let payment = id(&intent);
    let (status, canceled) = sandbox
        .post(
            &format!("/v1/payment_intents/{payment}/cancel"),
            &[("cancellation_reason", "abandoned")],
        )
        .await;
    assert_eq!((status, &canceled["status"]), (200, &json!("canceled")));
    assert_eq!(canceled["amount_capturable"], 0);
    assert_eq!(
        sandbox
            .post(&format!("/v1/payment_intents/{payment}/capture"), &[])
            .await
            .0,
        400
    );
    assert_eq!(
        sandbox.payment_intent(&payment).await["latest_charge"]["refunded"],
        true
    );
}

#[tokio::test]
async fn each_declining_number_has_its_decline_code() {
    let sandbox = Sandbox::start().await;
    for (number, code, decline_code) in [
        ("4000000000000002", "card_declined", Some("generic_decline")),
        ("4000000000009995", "card_declined", Some("insufficient_funds")),
        ("4000000000000341", "card_declined", Some("generic_decline")),
        ("4000000000000069", "expired_card", None),
        ("4000000000000127", "incorrect_cvc", Some("incorrect_cvc")),
        ("4000000000000119", "processing_error", None),
        ("4012888888881881", "card_declined", Some("test_mode_live_card")),
    ] {
        let card = sandbox.card(number).await;
        let (status, body) = sandbox.pay(&card, &[]).await;
        let error = &body["error"];
        assert_eq!(
            (status, error["type"].as_str(), error["code"].as_str()),
            (402, Some("card_error"), Some(code))
        );
        assert_eq!(error["decline_code"].as_str(), decline_code, "{number}");
        let intent = sandbox.payment_intent(&id(&error["payment_intent"])).await;
        assert_eq!(intent["status"], "requires_payment_method");
        assert_eq!(intent["last_payment_error"]["code"], code);
        assert_eq!(intent["latest_charge"]["status"], "failed");
    }
}

#[tokio::test]
async fn a_declining_card_cannot_be_saved_except_the_one_that_declines_only_charges() {
    let sandbox = Sandbox::start().await;
    let customer = sandbox.customer().await;
    let declined = sandbox.card("4000000000000002").await;
    let attach = format!("/v1/payment_methods/{declined}/attach");
    assert_eq!(sandbox.post(&attach, &[("customer", &customer)]).await.0, 402);

    let charge_declining = sandbox.saved_card(&customer, "4000000000000341").await;
    assert_eq!(
        sandbox.pay(&charge_declining, &[("customer", &customer)]).await.0,
        402
    );
    assert_eq!(
        sandbox
            .get(&format!("/v1/payment_methods/{charge_declining}"))
            .await
            .1["customer"],
        customer.as_str()
    );
}

#[tokio::test]
async fn invalid_card_data_is_rejected_and_not_stored() {
    let sandbox = Sandbox::start().await;
    for (number, month, year, cvc, code) in [
        ("4242424242424241", "12", "40", "123", "incorrect_number"),
        ("4242424242424242", "13", "40", "123", "invalid_expiry_month"),
        ("4242424242424242", "12", "20", "123", "invalid_expiry_year"),
        ("4242424242424242", "12", "40", "12", "invalid_cvc"),
    ] {
        let fields = [
            ("type", "card"),
            ("card[number]", number),
            ("card[exp_month]", month),
            ("card[exp_year]", year),
            ("card[cvc]", cvc),
        ];
        let (status, body) = sandbox.as_browser("/v1/payment_methods", &fields).await;
        assert_eq!((status, &body["error"]["code"]), (402, &json!(code)));
    }
    assert_eq!(sandbox.count("payment_method").await, 0);
}

#[tokio::test]
async fn a_detached_card_cannot_be_used_again() {
    let sandbox = Sandbox::start().await;
    let customer = sandbox.customer().await;
    let card = sandbox.saved_card(&customer, "4242424242424242").await;
    let list = format!("/v1/payment_methods?customer={customer}&type=card");
    assert_eq!(sandbox.get(&list).await.1["data"][0]["id"], card.as_str());
    let detach = format!("/v1/payment_methods/{card}/detach");
    assert_eq!(sandbox.post(&detach, &[]).await.1["customer"], json!(null));
    assert_eq!(sandbox.post(&detach, &[]).await.0, 400);
    assert_eq!(sandbox.get(&list).await.1["data"], json!([]));
    assert_eq!(sandbox.pay(&card, &[("customer", &customer)]).await.0, 400);
}

#[tokio::test]
async fn a_card_of_another_customer_is_rejected() {
    let sandbox = Sandbox::start().await;
    let (ada, bob) = (sandbox.customer().await, sandbox.customer().await);
    let card = sandbox.saved_card(&ada, "4242424242424242").await;
    assert_eq!(sandbox.pay(&card, &[("customer", &bob)]).await.0, 400);
    assert_eq!(sandbox.pay(&card, &[]).await.0, 400);
    assert_eq!(
        sandbox.delete(&format!("/v1/customers/{ada}")).await.1["deleted"],
        true
    );
    assert_eq!(
        sandbox.get(&format!("/v1/payment_methods/{card}")).await.1["customer"],
        json!(null)
    );
}

#[tokio::test]
async fn payments_of_a_deleted_customer_can_be_listed_and_everything_else_fails() {
    let sandbox = Sandbox::start().await;
    let ada = sandbox.customer().await;
    let card = sandbox.saved_card(&ada, "4242424242424242").await;
    assert_eq!(sandbox.pay(&card, &[("customer", &ada)]).await.0, 200);
    sandbox.delete(&format!("/v1/customers/{ada}")).await;

    let payments = |customer: &str| format!("/v1/payment_intents?customer={customer}");
    let (status, list) = sandbox.get(&payments(&ada)).await;
    assert_eq!((status, list["data"].as_array().map(Vec::len)), (200, Some(1)));
    let rejected = [
        sandbox.get(&payments("cus_unknown")).await,
        sandbox.get(&format!("/v1/customers/{ada}/payment_methods")).await,
        sandbox.post("/v1/setup_intents", &[("customer", &ada)]).await,
        sandbox.pay("pm_card_visa", &[("customer", &ada)]).await,
    ];
    for (status, body) in rejected {
        let error = &body["error"];
        assert_eq!(
            (status, &error["code"], &error["param"]),
            (400, &json!("resource_missing"), &json!("customer")),
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_completed_authentication_charges_and_a_failed_one_requires_a_payment_method() {
    let sandbox = Sandbox::start().await;
    for (outcome, status) in [
        ("complete", "requires_capture"),
        ("fail", "requires_payment_method"),
    ] {
        let card = sandbox.card("4000002760003184").await;
        let (_, intent) = sandbox.pay(&card, &[("capture_method", "manual")]).await;
        assert_eq!(intent["status"], "requires_action");
        assert_eq!(intent["next_action"]["type"], "use_stripe_sdk");
        let decision = json!({ "client_secret": intent["client_secret"], "outcome": outcome });
        let (_, decided) = sandbox.admin("authenticate", decision.clone()).await;
        assert_eq!(decided["status"], status);
        assert_eq!(sandbox.admin("authenticate", decision).await.0, 400);
    }
    let card = sandbox.card("4000002760003184").await;
    let (status, body) = sandbox.pay(&card, &[("off_session", "true")]).await;
    assert_eq!(
        (status, &body["error"]["code"]),
        (402, &json!("authentication_required"))
    );
}

#[tokio::test]
async fn a_card_authenticated_during_setup_is_charged_without_authentication() {
    let sandbox = Sandbox::start().await;
    let customer = sandbox.customer().await;
    let (_, setup) = sandbox
        .post("/v1/setup_intents", &[("customer", customer.as_str())])
        .await;
    let card = sandbox.card("4000002500003155").await;
    let secret = setup["client_secret"].as_str().unwrap();
    let confirm = format!("/v1/setup_intents/{}/confirm", id(&setup));
    let fields = [("client_secret", secret), ("payment_method", card.as_str())];
    assert_eq!(
        sandbox.as_browser(&confirm, &fields).await.1["status"],
        "requires_action"
    );
    let decision = json!({ "client_secret": secret, "outcome": "complete" });
    assert_eq!(
        sandbox.admin("authenticate", decision).await.1["status"],
        "succeeded"
    );
    let (status, intent) = sandbox
        .pay(&card, &[("customer", &customer), ("off_session", "true")])
        .await;
    assert_eq!((status, &intent["status"]), (200, &json!("succeeded")));
}

#[tokio::test]
async fn admin_calls_make_a_saved_card_decline_and_approve_again() {
    let sandbox = Sandbox::start().await;
    let customer = sandbox.customer().await;
    let card = sandbox.saved_card(&customer, "4242424242424242").await;
    let change = format!("payment_methods/{card}");
    sandbox
        .admin(&change, json!({ "decline": "insufficient_funds" }))
        .await;
    let (_, body) = sandbox.pay(&card, &[("customer", &customer)]).await;
    assert_eq!(body["error"]["decline_code"], "insufficient_funds");
    sandbox.admin(&change, json!({ "decline": null })).await;
    assert_eq!(sandbox.pay(&card, &[("customer", &customer)]).await.0, 200);
}
