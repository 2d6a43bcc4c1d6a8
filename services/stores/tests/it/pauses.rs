//! Pauses with a reason and an end.

use jiff::SignedDuration;
use proto::stores::v1::{self as pb, stores_server::Stores as _};
use stores::ops::end_pauses::end_pauses;
use types::StoreId;

use crate::{
    harness::{Harness, at, ok, reason, request_from_service, request_from_store},
    settings::STORE,
};

impl Harness {
    async fn pause(&self, store_id: StoreId, until: &str) -> pb::Store {
        let request = pb::PauseStoreRequest {
            store_id: store_id.to_string(),
            paused: true,
            reason: pb::PauseReason::Busy.into(),
            until: until.into(),
        };
        ok(self
            .grpc
            .pause_store(request_from_store(Some(vec![store_id]), request))
            .await)
    }

    async fn problem_of_empty_cart(&self, store_id: StoreId) -> Option<String> {
        let request = pb::ResolveLinesRequest {
            store_id: store_id.to_string(),
            ..Default::default()
        };
        let response = ok(self
            .grpc
            .resolve_lines(request_from_service("ordering", request))
            .await);
        response.problems.into_iter().next().map(|problem| problem.reason)
    }
}

#[tokio::test]
async fn a_pause_shows_its_reason_and_ends_by_itself() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    let until = "2026-11-20T17:30:00Z";
    let store = harness.pause(store_id, until).await;
    let pause = store.pause.clone().unwrap();
    assert_eq!(
        pause.message,
        "We're catching up on orders. Ordering is back at 9:30 AM."
    );
    assert_eq!(
        (pause.reason(), &*pause.until, &*store.next_change_at),
        (pb::PauseReason::Busy, until, until)
    );
    assert_eq!(
        harness.problem_of_empty_cart(store_id).await.as_deref(),
        Some("STORE_PAUSED")
    );
    // Times after the pause can be chosen.
    assert_eq!(harness.pickup_times(store_id).await[0], "2026-11-20T17:45:00Z");

    harness.clock.advance(SignedDuration::from_mins(30));
    let store = harness.get_store(store_id).await;
    assert_eq!((store.open_state(), &store.pause), (pb::OpenState::Open, &None));
    assert_eq!(harness.problem_of_empty_cart(store_id).await, None);
    harness.close().await;
}

#[tokio::test]
async fn a_pause_until_resumed_offers_and_prices_no_time_of_the_next_hour() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    harness.pause(store_id, "").await;
    let request = pb::GetPickupOptionsRequest {
        store_id: store_id.to_string(),
        make_seconds: 0,
    };
    let options = ok(harness
        .grpc
        .get_pickup_options(request_from_service("gateway", request))
        .await);
    assert_eq!(
        (&*options.earliest_at, &*options.slots[0]),
        ("", "2026-11-20T18:15:00Z")
    );
    let resolve = async |pickup_at: &str| {
        let request = pb::ResolveLinesRequest {
            store_id: store_id.to_string(),
            pickup_at: pickup_at.into(),
            ..Default::default()
        };
        ok(harness
            .grpc
            .resolve_lines(request_from_service("ordering", request))
            .await)
    };
    let now = resolve("").await;
    assert_eq!(now.problems[0].reason, "STORE_PAUSED");
    assert!(at(&now.ready_at) > at("2026-11-20T18:00:00Z"), "{}", now.ready_at);
    let soon = resolve("2026-11-20T17:15:00Z").await;
    assert_eq!(soon.problems[0].reason, "SLOT_UNAVAILABLE");
    assert_eq!(resolve("2026-11-20T18:15:00Z").await.problems, []);
    harness.close().await;
}

#[tokio::test]
async fn the_end_of_a_pause_is_published_once() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    harness.pause(store_id, "2026-11-20T17:30:00Z").await;
    let before = harness.database.outbox_event_types().await.len();
    // The database's clock decides, because replicas can have different ones.
    let end = async |interval: &str| {
        sqlx::query("UPDATE stores SET paused_until = now() + $1::interval WHERE paused")
            .bind(interval)
            .execute(&harness.database.pool)
            .await
            .unwrap();
    };
    end("30 minutes").await;
    harness.clock.advance(SignedDuration::from_hours(24 * 365 * 100));
    assert_eq!(end_pauses(&harness.cx).await.unwrap(), 0);
    end("0 minutes").await;
    assert_eq!(end_pauses(&harness.cx).await.unwrap(), 1);
    assert_eq!(end_pauses(&harness.cx).await.unwrap(), 0);
    assert_eq!(
        harness.database.outbox_event_types().await[before..],
        ["stores.StoreStatusChanged"]
    );
    assert_eq!(harness.count("SELECT count(*) FROM stores WHERE paused").await, 0);
    harness.close().await;
}

#[tokio::test]
async fn a_pause_can_be_extended_and_has_an_end_within_a_day() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    harness.pause(store_id, "2026-11-20T17:30:00Z").await;
    let store = harness.pause(store_id, "2026-11-20T18:00:00Z").await;
    assert_eq!(store.pause.unwrap().until, "2026-11-20T18:00:00Z");
    let store = harness.pause(store_id, "").await;
    assert_eq!(
        store.pause.unwrap().message,
        "We're catching up on orders. Please check back soon."
    );
    for until in ["2026-11-20T17:00:00Z", "2026-11-21T17:00:01Z"] {
        let request = pb::PauseStoreRequest {
            store_id: store_id.to_string(),
            paused: true,
            until: at(until).to_string(),
            ..Default::default()
        };
        let response = harness.grpc.pause_store(request_from_store(None, request)).await;
        assert_eq!(reason(response), "PAUSE_END_INVALID");
    }
    harness.close().await;
}
