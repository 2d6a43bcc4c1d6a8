//! Webhooks: signed, retried, and as the official library reads them.

use serde_json::{Value, json};
use stripe_webhook::{EventObject, Webhook};

use crate::harness::{Mailbox, Sandbox, WEBHOOK_SECRET, eventually, id};

#[tokio::test]
async fn every_event_is_signed_and_understood_by_the_official_library() {
    let (mailbox, url) = Mailbox::start(0).await;
    let sandbox = Sandbox::start_with(|config| config.webhook_url = url).await;
    let (_, intent) = sandbox.pay("pm_card_visa", &[]).await;
    let arrived = mailbox.wait_for(3).await;
    let events: Vec<_> = arrived
        .iter()
        .map(|it| Webhook::construct_event(&it.body, &it.signature, WEBHOOK_SECRET).unwrap())
        .collect();
    let succeeded = events.iter().find_map(|event| match &event.data.object {
        EventObject::PaymentIntentSucceeded(intent) => Some(intent.id.to_string()),
        _ => None,
    });
    assert_eq!(succeeded, Some(id(&intent)));
    let tampered = arrived[0].body.replace("1250", "9");
    assert!(Webhook::construct_event(&tampered, &arrived[0].signature, WEBHOOK_SECRET).is_err());
    assert!(Webhook::construct_event(&arrived[0].body, &arrived[0].signature, "whsec_other").is_err());
}

#[tokio::test]
async fn a_refused_delivery_is_tried_again_until_it_is_taken() {
    let (mailbox, url) = Mailbox::start(3).await;
    let sandbox = Sandbox::start_with(|config| config.webhook_url = url).await;
    sandbox.customer().await;
    let arrived = mailbox.wait_for(4).await;
    assert!(arrived.iter().all(|it| it.body == arrived[0].body));
    let delivery = eventually(|| async {
        let delivery = sandbox.get("/sandbox/state").await.1["delivery"][0].clone();
        (delivery["delivered"] == true).then_some(delivery)
    })
    .await;
    assert_eq!(delivery["attempts"], 4);
}

#[tokio::test]
async fn deliveries_can_be_held_back_and_repeated() {
    let (mailbox, url) = Mailbox::start(0).await;
    let sandbox = Sandbox::start_with(|config| config.webhook_url = url).await;
    sandbox
        .admin("settings", json!({ "deliver_webhooks": false }))
        .await;
    sandbox.customer().await;
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert!(mailbox.wait_for(0).await.is_empty());
    sandbox
        .admin("settings", json!({ "deliver_webhooks": true }))
        .await;
    let first = mailbox.wait_for(1).await;
    let event: Value = serde_json::from_str(&first[0].body).unwrap();
    eventually(|| async {
        let (_, shown) = sandbox.get(&format!("/v1/events/{}", id(&event))).await;
        (shown["pending_webhooks"] == 0).then_some(())
    })
    .await;
    assert_eq!(
        sandbox
            .admin(&format!("events/{}/resend", id(&event)), json!({}))
            .await
            .0,
        202
    );
    let again = mailbox.wait_for(2).await;
    assert_eq!(
        serde_json::from_str::<Value>(&again[1].body).unwrap()["id"],
        event["id"]
    );
}
