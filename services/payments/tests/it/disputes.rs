//! Disputes of cardholders, and webhooks of unknown kinds.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::json;
use sha2::Sha256;

use crate::harness::{AMOUNT, Card, Harness, Program, WEBHOOK_SECRET, Webhook, now, top_up_request};

#[tokio::test]
async fn a_dispute_is_recorded_with_its_deadline_and_published_once() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Disputed).await;
    harness
        .charge("gift-cards", top_up_request(&ada, &card))
        .await
        .unwrap();
    harness
        .receive_webhooks_until_true(
            "SELECT EXISTS (SELECT FROM disputes) AND state = 'disputed' FROM charges",
        )
        .await;
    for webhook in harness.sandbox.webhooks().iter().rev() {
        harness.receive_webhook(webhook).await.unwrap();
    }
    let (amount, has_deadline): (i64, bool) = sqlx::query_as(
        "SELECT amount_minor_units, respond_by BETWEEN now() + interval '6 days' AND now() + interval '8 days'
         FROM disputes",
    )
    .fetch_one(&harness.cx.pool)
    .await
    .unwrap();
    assert_eq!((amount, has_deadline), (AMOUNT, true));
    let events = harness.charge_events().await;
    assert_eq!(
        events
            .iter()
            .filter(|event| *event == "payments.PaymentDisputed")
            .count(),
        1,
        "{events:?}"
    );
    let program = Program::without_broker(&harness).await;
    let listed = program.output(&["disputes"]).unwrap();
    assert!(
        listed.contains("fraudulent") && listed.contains(&AMOUNT.to_string()),
        "{listed}"
    );
    harness.shut_down().await;
}

/// Two replicas can process webhooks in another order than they fetched the dispute.
#[tokio::test]
async fn an_outdated_report_does_not_reopen_a_dispute() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Disputed).await;
    let request = top_up_request(&ada, &card);
    harness.charge("gift-cards", request.clone()).await.unwrap();
    let program = Program::without_broker(&harness).await;
    for (known, is_open) in [
        ("won", false),
        ("lost", false),
        ("under_review", true),
        // An inquiry that was closed can still become a chargeback.
        ("warning_closed", true),
        ("warning_needs_response", true),
    ] {
        harness.refresh_subject(request.subject.clone()).await;
        sqlx::query("UPDATE disputes SET status = $1")
            .bind(known)
            .execute(&harness.cx.pool)
            .await
            .unwrap();
        // The provider reports that it needs a response.
        harness.refresh_subject(request.subject.clone()).await;
        let listed = program.output(&["disputes"]).unwrap();
        assert_eq!(listed.contains("fraudulent"), is_open, "{known}: {listed}");
    }
    harness.shut_down().await;
}

#[tokio::test]
async fn an_event_of_an_unknown_kind_is_kept_and_has_no_effect() {
    let harness = Harness::new().await;
    let payload = json!({
        "id": "evt_unknown", "object": "event", "type": "treasury.moon_phase_changed",
        "data": { "object": { "object": "moon", "id": "moon_1" } },
    })
    .to_string();
    let at = now().as_second();
    let mut mac = Hmac::<Sha256>::new_from_slice(WEBHOOK_SECRET.as_bytes()).unwrap();
    mac.update(format!("{at}.{payload}").as_bytes());
    let webhook = Webhook {
        signature: format!("t={at},v1={}", hex::encode(mac.finalize().into_bytes())),
        payload: payload.into_bytes(),
    };
    for _ in 0..2 {
        harness.receive_webhook(&webhook).await.unwrap();
    }
    let kept: Vec<(String, bool)> = sqlx::query_as("SELECT type, is_applied FROM provider_events")
        .fetch_all(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(kept, [("treasury.moon_phase_changed".to_owned(), false)]);
    harness.shut_down().await;
}
