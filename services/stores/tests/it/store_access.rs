//! Store credentials, pauses and removed consumers.

use std::sync::Arc;

use kit::consumer::handle_once;
use proto::{
    accounts::v1::{ConsumerEvent, ConsumerRemoved, consumer_event::Change},
    stores::v1::{self as pb, stores_server::Stores as _},
};
use secrecy::ExposeSecret;
use stores::{
    Consumers,
    ops::{
        credentials::{RevokeCredentialError, list_credentials, revoke_credential},
        issue_credential::issue_credential,
    },
};
use testing::delivery;

use crate::harness::{
    CREDENTIAL, Harness, new_consumer, ok, reason, request_from_consumer, request_from_service,
    request_from_store, unknown_store,
};

fn authenticate_request(credential: &str) -> pb::AuthenticateStoreRequest {
    pb::AuthenticateStoreRequest {
        credential: credential.into(),
    }
}

impl Harness {
    async fn authenticate(&self, credential: &str) -> pb::AuthenticateStoreResponse {
        let request = request_from_service("gateway", authenticate_request(credential));
        ok(self.grpc.authenticate_store(request).await)
    }
}

#[tokio::test]
async fn a_credential_gives_access_to_its_stores() {
    let harness = Harness::seeded().await;
    let all = harness.authenticate(CREDENTIAL).await;
    assert!(all.all_stores && all.store_ids.is_empty());
    let one = harness.authenticate(&format!("{CREDENTIAL}_one")).await;
    let first_store = harness.store("Market & Van Ness").await.to_string();
    assert_eq!((one.all_stores, one.store_ids), (false, vec![first_store]));
    for unknown in ["", "store_credential_of_the_test", "' OR true --"] {
        let request = request_from_service("gateway", authenticate_request(unknown));
        assert_eq!(
            reason(harness.grpc.authenticate_store(request).await),
            "CREDENTIAL_UNKNOWN"
        );
    }
    let from_ordering = request_from_service("ordering", authenticate_request(CREDENTIAL));
    assert_eq!(
        reason(harness.grpc.authenticate_store(from_ordering).await),
        "FORBIDDEN"
    );
    let from_consumer = request_from_consumer(new_consumer(), authenticate_request(CREDENTIAL));
    assert_eq!(
        reason(harness.grpc.authenticate_store(from_consumer).await),
        "FORBIDDEN"
    );
    harness.close().await;
}

#[tokio::test]
async fn only_the_hash_of_an_issued_credential_is_stored() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Sunset & Maltman").await;
    let (_, secret) = issue_credential(&harness.cx, "tests", vec![store_id, store_id], |_, _| Ok(()))
        .await
        .unwrap();
    let authenticated = harness.authenticate(secret.expose_secret()).await;
    assert_eq!(authenticated.store_ids, [store_id.to_string()]);
    let stored: String = sqlx::query_scalar("SELECT string_agg(c::text, '') FROM store_credentials c")
        .fetch_one(&harness.database.pool)
        .await
        .unwrap();
    assert!(!stored.contains(secret.expose_secret()));
    assert!(
        issue_credential(&harness.cx, "tests", vec![unknown_store()], |_, _| Ok(()))
            .await
            .is_err()
    );
    harness.close().await;
}

#[tokio::test]
async fn a_revoked_credential_gives_no_access_and_others_of_the_store_stay() {
    let harness = Harness::seeded().await;
    let cx = &harness.cx;
    let store_id = harness.store("Sunset & Maltman").await;
    let issue = async |label| {
        issue_credential(cx, label, vec![store_id], |_, _| Ok(()))
            .await
            .unwrap()
    };
    let (stolen, stolen_secret) = issue("stolen").await;
    let (kept, kept_secret) = issue("kept").await;
    let listed = async || -> Vec<_> {
        let credentials = list_credentials(cx, Some(store_id)).await.unwrap();
        let of_store = credentials
            .into_iter()
            .filter(|listed| !listed.credential.all_stores);
        of_store
            .map(|listed| (listed.credential.id, listed.label))
            .collect()
    };
    let kept = (kept, "kept".to_owned());
    let mut both = listed().await;
    both.sort();
    let mut expected = vec![(stolen, "stolen".to_owned()), kept.clone()];
    expected.sort();
    assert_eq!(both, expected);

    revoke_credential(cx, stolen).await.unwrap();
    let request = request_from_service("gateway", authenticate_request(stolen_secret.expose_secret()));
    assert_eq!(
        reason(harness.grpc.authenticate_store(request).await),
        "CREDENTIAL_UNKNOWN"
    );
    let authenticated = harness.authenticate(kept_secret.expose_secret()).await;
    assert_eq!(authenticated.store_ids, [store_id.to_string()]);
    assert_eq!(listed().await, [kept]);
    let again = revoke_credential(cx, stolen).await;
    assert!(matches!(again, Err(RevokeCredentialError::Unknown)), "{again:?}");
    harness.close().await;
}

#[tokio::test]
async fn a_store_can_pause_only_itself() {
    let harness = Harness::seeded().await;
    let own_store = harness.store("Market & Van Ness").await;
    let other_store = harness.store("Sunset & Maltman").await;
    let pause = |paused| pb::PauseStoreRequest {
        store_id: own_store.to_string(),
        paused,
        ..Default::default()
    };
    for _ in 0..2 {
        let request = request_from_store(Some(vec![own_store]), pause(true));
        let store = ok(harness.grpc.pause_store(request).await);
        assert_eq!(
            (store.open_state(), store.wait_minutes),
            (pb::OpenState::Paused, 0)
        );
    }
    assert_eq!(
        harness.database.outbox_event_types().await[3..],
        ["stores.StoreStatusChanged"],
        "one event for two requests"
    );
    let store = ok(harness
        .grpc
        .pause_store(request_from_store(None, pause(false)))
        .await);
    assert_eq!(store.open_state(), pb::OpenState::Open);
    assert_eq!(harness.database.outbox_event_types().await.len(), 5);

    for request in [
        request_from_store(Some(vec![other_store]), pause(true)),
        request_from_service("gateway", pause(true)),
        request_from_consumer(new_consumer(), pause(true)),
    ] {
        assert_eq!(reason(harness.grpc.pause_store(request).await), "FORBIDDEN");
    }
    let unknown = pb::PauseStoreRequest {
        store_id: unknown_store().to_string(),
        paused: true,
        ..Default::default()
    };
    assert_eq!(
        reason(harness.grpc.pause_store(request_from_store(None, unknown)).await),
        "STORE_UNKNOWN"
    );
    harness.close().await;
}

#[tokio::test]
async fn the_favorites_of_a_removed_consumer_are_deleted_and_new_ones_rejected() {
    let harness = Harness::seeded().await;
    let (removed, other) = (new_consumer(), new_consumer());
    let request = pb::FavoriteStoreRequest {
        store_id: harness.store("Sunset & Maltman").await.to_string(),
    };
    for consumer in [removed, other] {
        let request = request_from_consumer(consumer, request.clone());
        ok(harness.grpc.favorite_store(request).await);
    }
    let event = delivery(&ConsumerEvent {
        consumer_id: removed.to_string(),
        phone_hash: String::new(),
        change: Some(Change::Removed(ConsumerRemoved {})),
    });
    let consumers = Consumers::new(Arc::clone(&harness.cx));
    for _ in 0..2 {
        handle_once(&harness.database.pool, &consumers, &event)
            .await
            .unwrap();
    }
    assert_eq!(harness.count("SELECT count(*) FROM favorites").await, 1);
    let request = request_from_consumer(removed, request);
    assert_eq!(
        reason(harness.grpc.favorite_store(request).await),
        "STORE_UNKNOWN"
    );
    assert_eq!(harness.count("SELECT count(*) FROM favorites").await, 1);
    harness.close().await;
}
