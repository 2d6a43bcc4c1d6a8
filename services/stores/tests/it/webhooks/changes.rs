//! Subscriptions: who may have them, rotation, pause, replay and removal.

use std::{sync::Arc, time::Duration};

use axum::http::StatusCode;
use base64::{Engine, prelude::BASE64_STANDARD};
use jiff::{SignedDuration, Timestamp};
use stores::{
    Stores,
    db::webhook_deliveries::ReplaySelection,
    ops::{
        add_webhook::{AddWebhookError, add_webhook},
        change_webhook::{
            ChangeWebhookError, list_webhooks, remove_webhook, replay_webhooks, rotate_webhook_secret,
            set_webhook_paused,
        },
        encrypt_webhook_secrets::encrypt_webhook_secrets,
    },
    webhook_client::{UrlError, WebhookClient},
    workers::{count_webhooks::prune_webhooks, send_webhooks::send_due_webhooks},
};
use types::{CompanyId, ManualClock};

use super::Webhooks;
use crate::harness::{NOW, at, position, webhook_keys};

async fn other_company(webhooks: &Webhooks) -> CompanyId {
    sqlx::query_scalar("SELECT company_id FROM companies WHERE company_id <> $1 LIMIT 1")
        .bind(webhooks.company)
        .fetch_one(&webhooks.harness.database.pool)
        .await
        .unwrap()
}

#[tokio::test]
async fn another_company_gets_no_events_and_cannot_change_a_subscription() {
    let webhooks = Webhooks::start().await;
    let cx = &webhooks.harness.cx;
    let other = other_company(&webhooks).await;
    let (foreign, _) = add_webhook(cx, other, &webhooks.receiver.url, &[], |_, _| Ok(()))
        .await
        .unwrap();
    webhooks.order_ready().await;
    assert_eq!(
        webhooks.send().await,
        0,
        "the order is in a store of another company"
    );

    let company = webhooks.company;
    let overlap = SignedDuration::from_hours(1);
    let changes = [
        rotate_webhook_secret(cx, company, foreign, overlap, |_| Ok(()))
            .await
            .map(drop),
        set_webhook_paused(cx, company, foreign, true).await,
        remove_webhook(cx, company, foreign).await,
    ];
    for change in changes {
        assert!(matches!(change, Err(ChangeWebhookError::Unknown)), "{change:?}");
    }
    assert!(list_webhooks(cx, company).await.unwrap().is_empty());

    let (own, _) = webhooks.subscribe(&[]).await;
    webhooks.order_ready().await;
    webhooks.send().await;
    let since = ReplaySelection::Since(own, Timestamp::UNIX_EPOCH);
    let replayed = replay_webhooks(cx, other, since).await;
    assert!(
        matches!(replayed, Err(ChangeWebhookError::Unknown)),
        "{replayed:?}"
    );
    webhooks.close().await;
}

#[tokio::test]
async fn both_secrets_sign_during_the_overlap() {
    let webhooks = Webhooks::start().await;
    let (id, old) = webhooks.subscribe(&[]).await;
    let overlap = SignedDuration::from_mins(2);
    let new = rotate_webhook_secret(&webhooks.harness.cx, webhooks.company, id, overlap, |_| Ok(()))
        .await
        .unwrap()
        .expose();
    webhooks.order_ready().await;
    webhooks.send().await;
    webhooks.harness.clock.advance(SignedDuration::from_mins(3));
    webhooks.order_ready().await;
    webhooks.send().await;
    let received = webhooks.receiver.received();
    let signed: Vec<_> = received
        .iter()
        .map(|request| (request.is_signed_with(&old), request.is_signed_with(&new)))
        .collect();
    assert_eq!(signed, [(true, true), (false, true)]);
    webhooks.close().await;
}

#[tokio::test]
async fn deliveries_are_replayed_with_their_ids() {
    let webhooks = Webhooks::start().await;
    let (id, _) = webhooks.subscribe(&[]).await;
    webhooks.order_ready().await;
    webhooks.order_ready().await;
    webhooks.send().await;
    let (cx, company) = (&webhooks.harness.cx, webhooks.company);
    let first = webhooks.receiver.received()[0].clone();
    let one = ReplaySelection::One(first.id().parse().unwrap());
    assert_eq!(replay_webhooks(cx, company, one).await.unwrap(), 1);
    assert_eq!(
        replay_webhooks(cx, company, one).await.unwrap(),
        0,
        "it is pending"
    );
    assert_eq!(webhooks.send().await, 1);
    let received = webhooks.receiver.received();
    assert_eq!((received[2].id(), &received[2].body), (first.id(), &first.body));

    let failed = ReplaySelection::Failed(id);
    assert_eq!(replay_webhooks(cx, company, failed).await.unwrap(), 0);
    sqlx::query("UPDATE webhook_deliveries SET state = 'failed'")
        .execute(&webhooks.harness.database.pool)
        .await
        .unwrap();
    assert_eq!(replay_webhooks(cx, company, failed).await.unwrap(), 2);
    assert_eq!(webhooks.send().await, 2);
    let since = ReplaySelection::Since(id, webhooks.now() - SignedDuration::from_mins(1));
    assert_eq!(replay_webhooks(cx, company, since).await.unwrap(), 2);
    let later = ReplaySelection::Since(id, webhooks.now() + SignedDuration::from_mins(1));
    assert_eq!(webhooks.send().await, 2);
    assert_eq!(replay_webhooks(cx, company, later).await.unwrap(), 0);
    webhooks.close().await;
}

#[tokio::test]
async fn deliveries_of_a_paused_subscription_wait() {
    let webhooks = Webhooks::start().await;
    let (id, _) = webhooks.subscribe(&[]).await;
    let (cx, company) = (&webhooks.harness.cx, webhooks.company);
    set_webhook_paused(cx, company, id, true).await.unwrap();
    webhooks.order_ready().await;
    assert_eq!(webhooks.send().await, 0);
    let listed = list_webhooks(cx, company).await.unwrap();
    assert_eq!((listed[0].paused, listed[0].pending), (true, 1));
    set_webhook_paused(cx, company, id, false).await.unwrap();
    assert_eq!(webhooks.send().await, 1);
    webhooks.order_ready().await;
    remove_webhook(cx, company, id).await.unwrap();
    assert_eq!(webhooks.send().await, 0);
    assert!(webhooks.states().await.is_empty());
    webhooks.close().await;
}

#[tokio::test]
async fn deliveries_of_a_resumed_subscription_are_retried_for_as_long_as_new_ones() {
    let webhooks = Webhooks::start().await;
    let (id, _) = webhooks.subscribe(&[]).await;
    let (cx, company) = (&webhooks.harness.cx, webhooks.company);
    set_webhook_paused(cx, company, id, true).await.unwrap();
    webhooks.order_ready().await;
    webhooks.advance(24 * 5);
    set_webhook_paused(cx, company, id, false).await.unwrap();
    let unavailable = || {
        webhooks
            .receiver
            .respond_next(StatusCode::SERVICE_UNAVAILABLE, Duration::ZERO);
    };
    unavailable();
    assert_eq!(webhooks.send().await, 1);
    assert_eq!(webhooks.states().await, ["pending"]);
    webhooks.advance(72);
    unavailable();
    assert_eq!(webhooks.send().await, 1);
    assert_eq!(webhooks.states().await, ["failed"]);
    webhooks.close().await;
}

#[tokio::test]
async fn deliveries_wait_thirty_days_for_their_paused_subscription() {
    let webhooks = Webhooks::start().await;
    let (id, _) = webhooks.subscribe(&[]).await;
    let (cx, company) = (&webhooks.harness.cx, webhooks.company);
    webhooks.order_ready().await;
    webhooks.advance(24 * 30 + 1);
    assert_eq!(prune_webhooks(cx).await.unwrap(), 0, "it is due");
    set_webhook_paused(cx, company, id, true).await.unwrap();
    webhooks.order_ready().await;
    assert_eq!(prune_webhooks(cx).await.unwrap(), 1);
    webhooks.advance(24 * 30);
    assert_eq!(prune_webhooks(cx).await.unwrap(), 0);
    webhooks.advance(1);
    assert_eq!(prune_webhooks(cx).await.unwrap(), 1);
    assert!(webhooks.states().await.is_empty());
    webhooks.close().await;
}

#[tokio::test]
async fn a_private_address_and_a_second_subscription_with_a_url_are_rejected() {
    let webhooks = Webhooks::start().await;
    webhooks.subscribe(&[]).await;
    let url = &webhooks.receiver.url;
    for same in [url.clone(), url.replace("http://", "HTTP://")] {
        let again = add_webhook(&webhooks.harness.cx, webhooks.company, &same, &[], |_, _| Ok(())).await;
        assert!(matches!(again, Err(AddWebhookError::UrlTaken)), "{same}");
    }

    let in_production = Arc::new(Stores::new(
        webhooks.harness.database.pool.clone(),
        Arc::new(ManualClock::at(at(NOW))),
        position(37.77, -122.42),
        WebhookClient::new(false).unwrap(),
        webhook_keys("first", ""),
    ));
    for (url, expected) in [
        ("https://127.0.0.1/hook", UrlError::NotPublic),
        ("https://169.254.169.254/latest/meta-data", UrlError::NotPublic),
        ("https://localhost/hook", UrlError::NotPublic),
        (webhooks.receiver.url.as_str(), UrlError::Unsupported),
    ] {
        let added = add_webhook(&in_production, webhooks.company, url, &[], |_, _| Ok(())).await;
        assert!(
            matches!(added, Err(AddWebhookError::Url(error)) if error == expected),
            "{url}"
        );
    }
    // An address that was allowed when it was added is checked again for each delivery.
    webhooks.order_ready().await;
    in_production_sends(&in_production, &webhooks).await;
    assert!(webhooks.receiver.received().is_empty());
    webhooks.close().await;
}

async fn in_production_sends(cx: &Arc<Stores>, webhooks: &Webhooks) {
    sqlx::query("UPDATE webhook_deliveries SET next_attempt_at = $1")
        .bind(jiff_sqlx::ToSqlx::to_sqlx(at(NOW)))
        .execute(&webhooks.harness.database.pool)
        .await
        .unwrap();
    assert_eq!(
        stores::workers::send_webhooks::send_due_webhooks(cx)
            .await
            .unwrap(),
        1
    );
    assert_eq!(webhooks.states().await, ["pending"]);
}

async fn stored_secrets(webhooks: &Webhooks) -> Vec<Vec<u8>> {
    sqlx::query_scalar(
        "SELECT unnest(ARRAY[secret, previous_secret]) FROM webhook_subscriptions ORDER BY subscription_id",
    )
    .fetch_all(&webhooks.harness.database.pool)
    .await
    .unwrap()
}

#[tokio::test]
async fn secrets_are_stored_encrypted_and_survive_a_rotation_of_the_key() {
    let webhooks = Webhooks::start().await;
    let (id, old) = webhooks.subscribe(&[]).await;
    // Stored by a version without encryption.
    let plain = bytes_of(&old);
    sqlx::query("UPDATE webhook_subscriptions SET secret = $1")
        .bind(&plain)
        .execute(&webhooks.harness.database.pool)
        .await
        .unwrap();
    let overlap = SignedDuration::from_hours(1);
    let new = rotate_webhook_secret(&webhooks.harness.cx, webhooks.company, id, overlap, |_| Ok(()))
        .await
        .unwrap()
        .expose();

    let rotating = webhooks
        .harness
        .with_webhook_keys(webhook_keys("second", "first"));
    assert_eq!(encrypt_webhook_secrets(&rotating).await.unwrap(), 1);
    let stored = stored_secrets(&webhooks).await;
    assert!(
        stored
            .iter()
            .all(|sealed| sealed.len() == 60 && !sealed.ends_with(&plain))
    );
    webhooks.order_ready().await;
    let rotated = webhooks.harness.with_webhook_keys(webhook_keys("second", ""));
    assert_eq!(send_due_webhooks(&rotated).await.unwrap(), 1);
    let request = webhooks.receiver.received()[0].clone();
    assert!(request.is_signed_with(&old) && request.is_signed_with(&new));

    let unknown = encrypt_webhook_secrets(&webhooks.harness.cx).await.unwrap_err();
    assert!(format!("{unknown:#}").contains("WEBHOOKS_SECRET"), "{unknown:#}");
    let not_rotated =
        rotate_webhook_secret(&webhooks.harness.cx, webhooks.company, id, overlap, |_| Ok(())).await;
    assert!(matches!(not_rotated, Err(ChangeWebhookError::UnknownKey(_))));
    assert_eq!(stored_secrets(&webhooks).await, stored);
    webhooks.order_ready().await;
    assert_eq!(webhooks.send().await, 1);
    assert_eq!(webhooks.receiver.received().len(), 1, "nothing is sent unsigned");
    webhooks.close().await;
}

fn bytes_of(secret: &str) -> Vec<u8> {
    BASE64_STANDARD
        .decode(secret.trim_start_matches("whsec_"))
        .unwrap()
}
