//! Webhooks are signed, retried, and accepted by the official library.

use serde_json::{Value, json};
use stripe_webhook::{EventObject, Webhook};

use crate::harness::{Sandbox, WEBHOOK_SECRET, WebhookReceiver, eventually, id};

#[tokio::test]
async fn events_are_signed_and_accepted_by_the_official_library() {
    let (receiver, url) = WebhookReceiver::start(0).await;
    let sandbox = Sandbox::start_with(|config| config.webhook_url = url).await;
    let (_, intent) = sandbox.pay("pm_card_visa", &[]).await;
    let received = receiver.wait_for(3).await;
    let events: Vec<_> = received
        .iter()
        .map(|webhook| Webhook::construct_event(&webhook.body, &webhook.signature, WEBHOOK_SECRET).unwrap())
        .collect();
    let succeeded = events.iter().find_map(|event| match &event.data.object {
        EventObject::PaymentIntentSucceeded(intent) => Some(intent.id.to_string()),
        _ => None,
    });
    assert_eq!(succeeded, Some(id(&intent)));
    let tampered = received[0].body.replace("1250", "9");
    assert!(Webhook::construct_event(&tampered, &received[0].signature, WEBHOOK_SECRET).is_err());
    assert!(Webhook::construct_event(&received[0].body, &received[0].signature, "whsec_other").is_err());
}

#[tokio::test]
async fn a_delivery_is_retried_until_it_succeeds() {
    let (receiver, url) = WebhookReceiver::start(3).await;
    let sandbox = Sandbox::start_with(|config| config.webhook_url = url).await;
    sandbox.customer().await;
    let received = receiver.wait_for(4).await;
    assert!(received.iter().all(|webhook| webhook.body == received[0].body));
    let delivery = eventually(|| async {
        let delivery = sandbox.get("/sandbox/state").await.1["delivery"][0].clone();
        (delivery["delivered"] == true).then_some(delivery)
    })
    .await;
    assert_eq!(delivery["attempts"], 4);
}

#[tokio::test]
async fn deliveries_can_be_paused_and_repeated() {
    let (receiver, url) = WebhookReceiver::start(0).await;
    let sandbox = Sandbox::start_with(|config| config.webhook_url = url).await;
    sandbox
        .admin("settings", json!({ "deliver_webhooks": false }))
        .await;
    sandbox.customer().await;
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert!(receiver.wait_for(0).await.is_empty());
    sandbox
        .admin("settings", json!({ "deliver_webhooks": true }))
        .await;
    let first = receiver.wait_for(1).await;
    let event: Value = serde_json::from_str(&first[0].body).unwrap();
    eventually(|| async {
        let (_, event) = sandbox.get(&format!("/v1/events/{}", id(&event))).await;
        (event["pending_webhooks"] == 0).then_some(())
    })
    .await;
    assert_eq!(
        sandbox
            .admin(&format!("events/{}/resend", id(&event)), json!({}))
            .await
            .0,
        202
    );
    let again = receiver.wait_for(2).await;
    assert_eq!(
        serde_json::from_str::<Value>(&again[1].body).unwrap()["id"],
        event["id"]
    );
}
