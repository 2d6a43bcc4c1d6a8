//! Authorising: once an order, and every way it can be answered.

use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{AuthorizeChargeRequest, ChargeState};

use crate::harness::{AMOUNT, Card, World, request_from_service, order, into_result};

#[tokio::test]
async fn a_good_card_is_held_and_not_taken() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    let charge = world.authorize(order, &ada, &card).await.unwrap();

    assert_eq!(charge.state(), ChargeState::Authorized);
    assert_eq!(charge.amount.unwrap().minor_units, AMOUNT);
    assert_eq!(
        (charge.client_secret.as_str(), charge.decline_reason.as_str()),
        ("", "")
    );
    let intent = world.sandbox.intent().await;
    assert_eq!(
        (intent["status"].as_str(), intent["amount"].as_i64()),
        (Some("requires_capture"), Some(AMOUNT))
    );
    assert_eq!(intent["metadata"]["order_id"], order.to_string());
    assert_eq!(world.told().await, ["payments.PaymentAuthorized"]);
    world.end().await;
}

#[tokio::test]
async fn twenty_equal_calls_at_once_make_one_charge_and_get_equal_answers() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    let answers = futures::future::join_all((0..20).map(|_| world.authorize(order, &ada, &card))).await;
    let first = answers[0].clone().unwrap();
    assert_eq!(first.state(), ChargeState::Authorized);
    assert!(
        answers.iter().all(|answer| answer.as_ref() == Ok(&first)),
        "{answers:#?}"
    );
    world.sandbox.intent().await;
    assert_eq!(world.sandbox.money_held().await, AMOUNT);
    assert_eq!(world.count("charges").await, 1);
    assert_eq!(world.told().await, ["payments.PaymentAuthorized"]);
    world.end().await;
}

#[tokio::test]
async fn a_decline_is_an_answer_with_its_reason() {
    for (code, reason) in [
        ("generic_decline", "CARD_DECLINED"),
        ("insufficient_funds", "INSUFFICIENT_FUNDS"),
        ("expired_card", "EXPIRED_CARD"),
        ("incorrect_cvc", "INCORRECT_CVC"),
        ("lost_card", "CARD_DECLINED"),
    ] {
        let world = World::new().await;
        let ada = world.consumer();
        let card = ada.adds(Card::DeclinesWhenCharged).await;
        world.sandbox.decline(code).await;
        let order = order();
        let charge = world.authorize(order, &ada, &card).await.unwrap();
        assert_eq!(
            (charge.state(), charge.decline_reason.as_str()),
            (ChargeState::Declined, reason)
        );
        assert!(
            charge.decline_message.ends_with('.'),
            "{}",
            charge.decline_message
        );

        // The same call again gets the same answer, and what the page could still confirm is taken away.
        assert_eq!(world.authorize(order, &ada, &card).await.unwrap(), charge);
        world.carry_out().await;
        assert_eq!(world.sandbox.intent().await["status"], "canceled");
        assert_eq!(world.authorize(order, &ada, &card).await.unwrap(), charge);
        assert_eq!(world.told().await, ["payments.PaymentDeclined"]);
        world.end().await;
    }
}

#[tokio::test]
async fn an_amount_that_the_provider_refuses_is_declined() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let charge = world.authorize_amount(order(), &ada, &card, 10).await.unwrap();
    assert_eq!(
        (charge.state(), charge.decline_reason.as_str()),
        (ChargeState::Declined, "PROVIDER_ERROR")
    );
    world.carry_out().await;
    assert!(world.sandbox.intents().await.is_empty());
    world.end().await;
}

#[tokio::test]
async fn authentication_is_asked_for_and_carried_to_its_end() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::NeedsAuthentication).await;
    let order = order();
    let charge = world.authorize(order, &ada, &card).await.unwrap();
    assert_eq!(charge.state(), ChargeState::RequiresAction);
    assert!(!charge.client_secret.is_empty());

    // Asked again, the same secret; nothing of it is kept.
    assert_eq!(world.authorize(order, &ada, &card).await.unwrap(), charge);
    let kept: String = sqlx::query_scalar("SELECT charges::text FROM charges")
        .fetch_one(&world.cx.pool)
        .await
        .unwrap();
    assert!(!kept.contains("_secret_"), "{kept}");

    world
        .sandbox
        .authenticate(&charge.client_secret, "complete")
        .await;
    let authorized = world.refresh(order).await.unwrap();
    assert_eq!(
        (authorized.state(), authorized.client_secret.as_str()),
        (ChargeState::Authorized, "")
    );
    assert_eq!(world.authorize(order, &ada, &card).await.unwrap(), authorized);
    assert_eq!(world.told().await, ["payments.PaymentAuthorized"]);
    world.end().await;
}

#[tokio::test]
async fn failed_authentication_is_a_decline() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::NeedsAuthentication).await;
    let order = order();
    let charge = world.authorize(order, &ada, &card).await.unwrap();
    world.sandbox.authenticate(&charge.client_secret, "fail").await;
    let declined = world.refresh(order).await.unwrap();
    assert_eq!(
        (declined.state(), declined.decline_reason.as_str()),
        (ChargeState::Declined, "AUTHENTICATION_FAILED")
    );
    world.carry_out().await;
    assert_eq!(world.sandbox.intent().await["status"], "canceled");
    world.end().await;
}

#[tokio::test]
async fn what_is_wrong_is_refused_and_nothing_is_written() {
    let world = World::new().await;
    let (ada, eve) = (world.consumer(), world.consumer());
    let card = ada.adds(Card::Good).await;
    eve.adds(Card::Good).await;

    let foreign = world.authorize(order(), &eve, &card).await.unwrap_err();
    assert_eq!(foreign.reason, "PAYMENT_METHOD_UNKNOWN");
    for cents in [0, -1, i64::MIN] {
        let refused = world
            .authorize_amount(order(), &ada, &card, cents)
            .await
            .unwrap_err();
        assert_eq!(refused.reason, "AMOUNT_MALFORMED", "{cents}");
    }
    let request = AuthorizeChargeRequest {
        order_id: "ord_".into(),
        ..AuthorizeChargeRequest::default()
    };
    let grpc = world.grpc();
    let malformed = into_result(
        grpc.authorize_charge(request_from_service("ordering", request.clone()))
            .await,
    )
    .unwrap_err();
    assert_eq!(
        (malformed.reason.as_ref(), malformed.field.as_deref()),
        ("ID_MALFORMED", Some("orderId"))
    );
    for request in [request_from_service("stores", request.clone()), ada.request(request)] {
        assert_eq!(
            into_result(grpc.authorize_charge(request).await).unwrap_err().reason,
            "FORBIDDEN"
        );
    }
    assert_eq!(world.refresh(order()).await.unwrap_err().reason, "CHARGE_UNKNOWN");
    assert_eq!(world.count("charges").await, 0);
    assert!(world.sandbox.intents().await.is_empty());
    world.end().await;
}

#[tokio::test]
async fn an_order_is_not_charged_again_on_other_terms() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.authorize(order, &ada, &card).await.unwrap();
    let other = world
        .authorize_amount(order, &ada, &card, AMOUNT + 1)
        .await
        .unwrap_err();
    assert_eq!(other.reason, "CHARGE_MISMATCH");
    world.sandbox.intent().await;
    world.end().await;
}
