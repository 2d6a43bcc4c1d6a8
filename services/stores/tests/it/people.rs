//! Credentials of stores, pausing, and consumers who leave.

use std::sync::Arc;

use kit::messaging::consumer::handle_once;
use proto::{
    accounts::v1::{ConsumerEvent, ConsumerRemoved, consumer_event::Change},
    stores::v1::{self, stores_server::Stores as _},
};
use secrecy::ExposeSecret;
use stores::{Consumers, ops};
use testing::delivery;

use crate::harness::{CREDENTIAL, Harness, consumer, counter, new_consumer, nowhere, reason, service};

fn present(credential: &str) -> v1::AuthenticateStoreRequest {
    v1::AuthenticateStoreRequest {
        credential: credential.into(),
    }
}

#[tokio::test]
async fn a_credential_says_which_stores_it_speaks_for() {
    let harness = Harness::seeded().await;
    let all = harness
        .grpc
        .authenticate_store(service("gateway", present(CREDENTIAL)))
        .await
        .unwrap()
        .into_inner();
    assert!(all.all_stores && all.store_ids.is_empty());
    let one = present(&format!("{CREDENTIAL}_one"));
    let one = harness
        .grpc
        .authenticate_store(service("gateway", one))
        .await
        .unwrap()
        .into_inner();
    let first = harness.store("Market & Van Ness").await.to_string();
    assert_eq!((one.all_stores, one.store_ids), (false, vec![first]));
    for stranger in ["", "store_credential_of_the_test", "' OR true --"] {
        assert_eq!(
            reason(
                harness
                    .grpc
                    .authenticate_store(service("gateway", present(stranger)))
                    .await
            ),
            "CREDENTIAL_UNKNOWN"
        );
    }
    assert_eq!(
        reason(
            harness
                .grpc
                .authenticate_store(service("ordering", present(CREDENTIAL)))
                .await
        ),
        "FORBIDDEN"
    );
    let request_from_consumer = consumer(new_consumer(), present(CREDENTIAL));
    assert_eq!(
        reason(harness.grpc.authenticate_store(request_from_consumer).await),
        "FORBIDDEN"
    );
    harness.close().await;
}

#[tokio::test]
async fn a_new_credential_is_kept_as_a_hash_only() {
    let harness = Harness::seeded().await;
    let store = harness.store("Sunset & Maltman").await;
    let secret = ops::issue_credential::issue_credential(&harness.cx, "tests", vec![store, store])
        .await
        .unwrap();
    let answer = harness
        .grpc
        .authenticate_store(service("gateway", present(secret.expose_secret())))
        .await
        .unwrap();
    assert_eq!(answer.into_inner().store_ids, [store.to_string()]);
    let kept: String = sqlx::query_scalar("SELECT string_agg(c::text, '') FROM store_credentials c")
        .fetch_one(&harness.database.pool)
        .await
        .unwrap();
    assert!(!kept.contains(secret.expose_secret()));
    assert!(
        ops::issue_credential::issue_credential(&harness.cx, "tests", vec![nowhere()])
            .await
            .is_err()
    );
    harness.close().await;
}

#[tokio::test]
async fn a_store_pauses_itself_and_nobody_else() {
    let harness = Harness::seeded().await;
    let (own, foreign) = (
        harness.store("Market & Van Ness").await,
        harness.store("Sunset & Maltman").await,
    );
    let pause = |paused| v1::PauseStoreRequest {
        store_id: own.to_string(),
        paused,
    };
    for _ in 0..2 {
        let paused = harness
            .grpc
            .pause_store(counter(Some(vec![own]), pause(true)))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(
            (paused.open_state(), paused.wait_minutes),
            (v1::OpenState::Paused, 0)
        );
    }
    assert_eq!(
        harness.database.outbox_event_types().await[3..],
        ["stores.StoreStatusChanged"],
        "said once"
    );
    let resumed = harness
        .grpc
        .pause_store(counter(None, pause(false)))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(resumed.open_state(), v1::OpenState::Open);
    assert_eq!(harness.database.outbox_event_types().await.len(), 5);

    assert_eq!(
        reason(
            harness
                .grpc
                .pause_store(counter(Some(vec![foreign]), pause(true)))
                .await
        ),
        "FORBIDDEN"
    );
    assert_eq!(
        reason(harness.grpc.pause_store(service("gateway", pause(true))).await),
        "FORBIDDEN"
    );
    assert_eq!(
        reason(
            harness
                .grpc
                .pause_store(consumer(new_consumer(), pause(true)))
                .await
        ),
        "FORBIDDEN"
    );
    let unknown = v1::PauseStoreRequest {
        store_id: nowhere().to_string(),
        paused: true,
    };
    assert_eq!(
        reason(harness.grpc.pause_store(counter(None, unknown)).await),
        "STORE_UNKNOWN"
    );
    harness.close().await;
}

#[tokio::test]
async fn a_consumer_who_leaves_is_forgotten_and_stays_so() {
    let harness = Harness::seeded().await;
    let (gone, other) = (new_consumer(), new_consumer());
    let like = v1::FavoriteStoreRequest {
        store_id: harness.store("Sunset & Maltman").await.to_string(),
    };
    harness
        .grpc
        .favorite_store(consumer(gone, like.clone()))
        .await
        .unwrap();
    harness
        .grpc
        .favorite_store(consumer(other, like.clone()))
        .await
        .unwrap();
    let event = delivery(&ConsumerEvent {
        consumer_id: gone.to_string(),
        phone_hash: String::new(),
        change: Some(Change::Removed(ConsumerRemoved {})),
    });
    let consumers = Consumers::new(Arc::clone(&harness.cx));
    handle_once(&harness.database.pool, &consumers, &event).await.unwrap();
    handle_once(&harness.database.pool, &consumers, &event).await.unwrap();
    assert_eq!(harness.count("SELECT count(*) FROM favorites").await, 1);
    assert_eq!(
        reason(harness.grpc.favorite_store(consumer(gone, like)).await),
        "STORE_UNKNOWN"
    );
    assert_eq!(harness.count("SELECT count(*) FROM favorites").await, 1);
    harness.close().await;
}
