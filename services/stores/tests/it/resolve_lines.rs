//! Validation and pricing of cart lines.

use jiff::SignedDuration;
use proto::stores::v1::{self as pb, stores_server::Stores as _};
use stores::ops::pause_store::pause_store;
use types::StoreId;

use crate::{
    harness::{
        Harness, new_consumer, ok, reason, request_from_consumer, request_from_service, unknown_store,
    },
    schedule_versions::PAUSE,
};

fn line(item: &pb::Item, size: usize, choices: Vec<pb::CartChoice>) -> pb::CartLine {
    pb::CartLine {
        line_id: format!("line with {}", item.name),
        item_id: item.item_id.clone(),
        size_id: item.sizes[size].size_id.clone(),
        quantity: 1,
        choices,
        note: String::new(),
    }
}

pub fn choice(item: &pb::Item, modification: &str, name: &str, quantity: u32) -> pb::CartChoice {
    let modification = item
        .modifications
        .iter()
        .find(|candidate| candidate.name == modification)
        .unwrap();
    let choice = modification
        .choices
        .iter()
        .find(|choice| choice.name == name)
        .unwrap();
    pb::CartChoice {
        modification_id: modification.modification_id.clone(),
        choice_id: choice.choice_id.clone(),
        quantity,
    }
}

fn resolve_request(store_id: StoreId, lines: Vec<pb::CartLine>, pickup_at: &str) -> pb::ResolveLinesRequest {
    pb::ResolveLinesRequest {
        store_id: store_id.to_string(),
        lines,
        pickup_at: pickup_at.into(),
    }
}

async fn resolve(
    harness: &Harness,
    store_id: StoreId,
    lines: Vec<pb::CartLine>,
    pickup_at: &str,
) -> pb::ResolveLinesResponse {
    let request = request_from_service("ordering", resolve_request(store_id, lines, pickup_at));
    ok(harness.grpc.resolve_lines(request).await)
}

fn reasons(response: &pb::ResolveLinesResponse) -> Vec<&str> {
    response
        .problems
        .iter()
        .map(|problem| problem.reason.as_str())
        .collect()
}

#[tokio::test]
async fn the_price_of_a_customized_drink_includes_its_choices() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let latte = harness.item(store_id, "Iced Latte").await;
    let choices = vec![
        choice(&latte, "Milk", "Oat", 1),
        choice(&latte, "Syrup", "Vanilla", 2),
        choice(&latte, "Espresso", "Shot", 3),
    ];
    let croissant = harness.item(store_id, "Butter Croissant").await;
    let lines = vec![
        pb::CartLine {
            quantity: 2,
            ..line(&latte, 1, choices)
        },
        line(&croissant, 0, vec![]),
    ];
    let response = resolve(&harness, store_id, lines, "").await;
    assert_eq!(reasons(&response), Vec::<&str>::new());
    // Large 5.30, oat 0.70, two pumps 0.60, one shot more than the two included 1.00.
    let resolved = &response.lines[0];
    assert_eq!(resolved.unit_price.as_ref().unwrap().minor_units, 760);
    assert_eq!(resolved.size_name, "Large");
    let chosen: Vec<_> = resolved
        .choices
        .iter()
        .filter(|choice| !choice.is_default)
        .map(|choice| {
            let price = choice.price.as_ref().unwrap().minor_units;
            (choice.choice_name.as_str(), choice.quantity, price)
        })
        .collect();
    assert_eq!(chosen, [("Oat", 1, 70), ("Shot", 3, 100), ("Vanilla", 2, 60)]);
    assert_eq!(response.lines[1].kind, "food");
    assert_eq!(response.make_seconds, 2 * 60 + 15);
    assert_eq!(response.ready_at, "2026-11-20T17:03:00Z");
    assert_eq!(response.store.unwrap().tax_rate_ppm, 86_250);
    harness.close().await;
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
async fn each_invalid_line_is_returned_with_its_reason() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Sunset & Maltman").await;
    let latte = harness.item(store_id, "Latte").await;
    let danish = harness.item(store_id, "Cheese Danish").await;
    let other_latte = harness.item(harness.store("Ferry Plaza").await, "Latte").await;
    let valid = || line(&latte, 1, vec![]);
    let with_id = |line_id: &str, line: pb::CartLine| pb::CartLine {
        line_id: line_id.into(),
        ..line
    };
    let lines = vec![
        with_id("valid", valid()),
        with_id("item of another company", line(&other_latte, 1, vec![])),
        with_id(
            "size of another company",
            pb::CartLine {
                size_id: other_latte.sizes[1].size_id.clone(),
                ..valid()
            },
        ),
        with_id(
            "choice of another company",
            line(&latte, 1, vec![choice(&other_latte, "Milk", "Oat", 1)]),
        ),
        with_id(
            "invalid id",
            pb::CartLine {
                item_id: "itm_".into(),
                ..valid()
            },
        ),
        with_id(
            "none",
            pb::CartLine {
                quantity: 0,
                ..valid()
            },
        ),
        with_id(
            "too many",
            pb::CartLine {
                quantity: u32::MAX,
                ..valid()
            },
        ),
        with_id(
            "two milks",
            line(
                &latte,
                1,
                vec![choice(&latte, "Milk", "Oat", 1), choice(&latte, "Milk", "Soy", 1)],
            ),
        ),
        with_id(
            "sold-out choice",
            line(&latte, 1, vec![choice(&latte, "Milk", "Coconut", 1)]),
        ),
        with_id("sold-out item", line(&danish, 0, vec![])),
        with_id("valid", valid()),
    ];
    let response = resolve(&harness, store_id, lines, "").await;
    assert_eq!(response.lines.len(), 1);
    let problems: Vec<_> = response
        .problems
        .iter()
        .map(|problem| (problem.line_id.as_str(), problem.reason.as_str()))
        .collect();
    assert_eq!(
        problems,
        [
            ("item of another company", "ITEM_UNKNOWN"),
            ("size of another company", "SIZE_UNKNOWN"),
            ("choice of another company", "CHOICE_UNKNOWN"),
            ("invalid id", "ITEM_UNKNOWN"),
            ("none", "QUANTITY_INVALID"),
            ("too many", "QUANTITY_INVALID"),
            ("two milks", "CHOICE_LIMIT"),
            ("sold-out choice", "CHOICE_SOLD_OUT"),
            ("sold-out item", "ITEM_SOLD_OUT"),
            ("valid", "LINE_REPEATED"),
        ]
    );
    assert!(
        response
            .problems
            .iter()
            .all(|problem| problem.message.ends_with('.'))
    );
    harness.close().await;
}

#[tokio::test]
async fn a_time_that_the_store_cannot_meet_is_a_problem_without_line() {
    let harness = Harness::seeded().await;
    let closed = harness.store("Fulton & Pearl").await;
    let open = harness.store("Market & Van Ness").await;
    let resolve_espresso = async |store_id, pickup_at| {
        let lines = vec![line(&harness.item(store_id, "Espresso").await, 0, vec![])];
        resolve(&harness, store_id, lines, pickup_at).await
    };
    let now = resolve_espresso(closed, "").await;
    assert_eq!(
        (reasons(&now), now.lines.len(), now.ready_at.as_str()),
        (vec!["STORE_CLOSED"], 1, "2026-11-20T18:03:00Z")
    );
    let later = resolve_espresso(closed, "2026-11-20T20:00:00Z").await;
    assert_eq!(
        (reasons(&later), later.ready_at.as_str()),
        (vec![], "2026-11-20T20:00:00Z")
    );
    let at_night = resolve_espresso(closed, "2026-11-21T06:00:00Z").await;
    assert_eq!(reasons(&at_night), ["PICKUP_TIME_INVALID"]);
    let in_the_past = resolve_espresso(open, "2026-11-20T16:00:00Z").await;
    assert_eq!(reasons(&in_the_past), ["PICKUP_TIME_INVALID"]);

    pause_store(&harness.cx, open, PAUSE).await.unwrap();
    assert_eq!(reasons(&resolve_espresso(open, "").await), ["STORE_PAUSED"]);
    harness.clock.advance(SignedDuration::from_hours(1));
    assert_eq!(reasons(&resolve_espresso(closed, "").await), Vec::<&str>::new());
    harness.close().await;
}

#[tokio::test]
async fn only_own_services_resolve_a_limited_number_of_lines() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let empty = || resolve_request(store_id, vec![], "");
    for request in [
        request_from_consumer(new_consumer(), empty()),
        request_from_service("rewards", empty()),
    ] {
        assert_eq!(reason(harness.grpc.resolve_lines(request).await), "FORBIDDEN");
    }
    let reason_for = async |request| {
        let request = request_from_service("ordering", request);
        reason(harness.grpc.resolve_lines(request).await)
    };
    assert_eq!(
        reason_for(resolve_request(unknown_store(), vec![], "")).await,
        "STORE_UNKNOWN"
    );
    let too_many_lines = vec![pb::CartLine::default(); 51];
    assert_eq!(
        reason_for(resolve_request(store_id, too_many_lines, "")).await,
        "TOO_MANY_LINES"
    );
    assert_eq!(
        reason_for(resolve_request(store_id, vec![], "some day")).await,
        "TIME_INVALID"
    );
    harness.close().await;
}
