//! Lines of a cart held against a store's menu.

use jiff::SignedDuration;
use proto::stores::v1::{self, stores_server::Stores as _};
use types::StoreId;

use crate::harness::{Harness, consumer, new_consumer, nowhere, reason, service};

fn line(item: &v1::Item, size: usize, choices: Vec<v1::CartChoice>) -> v1::CartLine {
    v1::CartLine {
        line_id: format!("line of {}", item.name),
        item_id: item.item_id.clone(),
        size_id: item.sizes[size].size_id.clone(),
        quantity: 1,
        choices,
        note: String::new(),
    }
}

fn choice(item: &v1::Item, group: &str, name: &str, quantity: u32) -> v1::CartChoice {
    let group = item
        .modifications
        .iter()
        .find(|modification| modification.name == group)
        .unwrap();
    let choice = group.choices.iter().find(|choice| choice.name == name).unwrap();
    v1::CartChoice {
        modification_id: group.modification_id.clone(),
        choice_id: choice.choice_id.clone(),
        quantity,
    }
}

async fn resolve(
    harness: &Harness,
    store: StoreId,
    lines: Vec<v1::CartLine>,
    pickup_at: &str,
) -> v1::ResolveLinesResponse {
    let asked = v1::ResolveLinesRequest {
        store_id: store.to_string(),
        lines,
        pickup_at: pickup_at.into(),
    };
    harness
        .grpc
        .resolve_lines(service("ordering", asked))
        .await
        .unwrap()
        .into_inner()
}

fn reasons(answer: &v1::ResolveLinesResponse) -> Vec<&str> {
    answer
        .problems
        .iter()
        .map(|problem| problem.reason.as_str())
        .collect()
}

#[tokio::test]
async fn a_customised_drink_is_priced() {
    let harness = Harness::seeded().await;
    let store = harness.store("Market & Van Ness").await;
    let latte = harness.item(store, "Iced Latte").await;
    let wanted = vec![
        choice(&latte, "Milk", "Oat", 1),
        choice(&latte, "Syrup", "Vanilla", 2),
        choice(&latte, "Espresso", "Shot", 3),
    ];
    let croissant = harness.item(store, "Butter Croissant").await;
    let lines = vec![
        v1::CartLine {
            quantity: 2,
            ..line(&latte, 1, wanted)
        },
        line(&croissant, 0, vec![]),
    ];
    let answer = resolve(&harness, store, lines, "").await;
    assert_eq!(reasons(&answer), Vec::<&str>::new());
    // Large 5.30, oat 0.70, two pumps 0.60, one shot more than the two included 1.00.
    assert_eq!(answer.lines[0].unit_price.as_ref().unwrap().minor_units, 760);
    assert_eq!(answer.lines[0].size_name, "Large");
    let asked_for: Vec<_> = answer.lines[0]
        .choices
        .iter()
        .filter(|choice| !choice.is_default)
        .collect();
    let chosen: Vec<_> = asked_for
        .iter()
        .map(|choice| {
            (
                choice.choice_name.as_str(),
                choice.quantity,
                choice.price.as_ref().unwrap().minor_units,
            )
        })
        .collect();
    assert_eq!(chosen, [("Oat", 1, 70), ("Shot", 3, 100), ("Vanilla", 2, 60)]);
    assert_eq!(answer.lines[1].kind, "food");
    assert_eq!(answer.make_seconds, 2 * 60 + 15);
    assert_eq!(answer.ready_at, "2026-11-20T17:03:00Z");
    assert_eq!(answer.store.unwrap().tax_rate_ppm, 86_250);
    harness.close().await;
}

#[tokio::test]
async fn each_broken_line_is_named_with_its_reason() {
    let harness = Harness::seeded().await;
    let store = harness.store("Sunset & Maltman").await;
    let (latte, danish) = (
        harness.item(store, "Latte").await,
        harness.item(store, "Cheese Danish").await,
    );
    let foreign = harness.item(harness.store("Ferry Plaza").await, "Latte").await;
    let good = || line(&latte, 1, vec![]);
    let named = |id: &str, line: v1::CartLine| v1::CartLine {
        line_id: id.into(),
        ..line
    };
    let answer = resolve(
        &harness,
        store,
        vec![
            named("good", good()),
            named("foreign item", line(&foreign, 1, vec![])),
            named(
                "foreign size",
                v1::CartLine {
                    size_id: foreign.sizes[1].size_id.clone(),
                    ..good()
                },
            ),
            named(
                "foreign choice",
                line(&latte, 1, vec![choice(&foreign, "Milk", "Oat", 1)]),
            ),
            named(
                "no id",
                v1::CartLine {
                    item_id: "itm_".into(),
                    ..good()
                },
            ),
            named(
                "none",
                v1::CartLine {
                    quantity: 0,
                    ..good()
                },
            ),
            named(
                "huge",
                v1::CartLine {
                    quantity: u32::MAX,
                    ..good()
                },
            ),
            named(
                "two milks",
                line(
                    &latte,
                    1,
                    vec![choice(&latte, "Milk", "Oat", 1), choice(&latte, "Milk", "Soy", 1)],
                ),
            ),
            named(
                "no coconut",
                line(&latte, 1, vec![choice(&latte, "Milk", "Coconut", 1)]),
            ),
            named("no danish", line(&danish, 0, vec![])),
            named("good", good()),
        ],
        "",
    )
    .await;
    assert_eq!(answer.lines.len(), 1);
    let problems: Vec<_> = answer
        .problems
        .iter()
        .map(|problem| (problem.line_id.as_str(), problem.reason.as_str()))
        .collect();
    assert_eq!(
        problems,
        [
            ("foreign item", "ITEM_UNKNOWN"),
            ("foreign size", "SIZE_UNKNOWN"),
            ("foreign choice", "CHOICE_UNKNOWN"),
            ("no id", "ITEM_UNKNOWN"),
            ("none", "QUANTITY_INVALID"),
            ("huge", "QUANTITY_INVALID"),
            ("two milks", "CHOICE_LIMIT"),
            ("no coconut", "CHOICE_SOLD_OUT"),
            ("no danish", "ITEM_SOLD_OUT"),
            ("good", "LINE_REPEATED"),
        ]
    );
    assert!(
        answer
            .problems
            .iter()
            .all(|problem| problem.message.ends_with('.'))
    );
    harness.close().await;
}

#[tokio::test]
async fn a_store_that_cannot_is_a_problem_of_no_line() {
    let harness = Harness::seeded().await;
    let (closed, open) = (
        harness.store("Fulton & Pearl").await,
        harness.store("Market & Van Ness").await,
    );
    let espresso = async |store| line(&harness.item(store, "Espresso").await, 0, vec![]);
    let answer = resolve(&harness, closed, vec![espresso(closed).await], "").await;
    assert_eq!(
        (reasons(&answer), answer.lines.len(), answer.ready_at.as_str()),
        (vec!["STORE_CLOSED"], 1, "2026-11-20T18:03:00Z")
    );
    let later = resolve(
        &harness,
        closed,
        vec![espresso(closed).await],
        "2026-11-20T20:00:00Z",
    )
    .await;
    assert_eq!(
        (reasons(&later), later.ready_at.as_str()),
        (vec![], "2026-11-20T20:00:00Z")
    );
    let at_night = resolve(
        &harness,
        closed,
        vec![espresso(closed).await],
        "2026-11-21T06:00:00Z",
    )
    .await;
    assert_eq!(reasons(&at_night), ["PICKUP_TIME_INVALID"]);
    let past = resolve(&harness, open, vec![espresso(open).await], "2026-11-20T16:00:00Z").await;
    assert_eq!(reasons(&past), ["PICKUP_TIME_INVALID"]);

    stores::ops::pause::pause(&harness.cx, open, true).await.unwrap();
    let answer = resolve(&harness, open, vec![espresso(open).await], "").await;
    assert_eq!(reasons(&answer), ["STORE_PAUSED"]);
    harness.clock.advance(SignedDuration::from_hours(1));
    assert_eq!(
        reasons(&resolve(&harness, closed, vec![espresso(closed).await], "").await),
        Vec::<&str>::new()
    );
    harness.close().await;
}

#[tokio::test]
async fn only_our_own_may_ask_and_only_so_much() {
    let harness = Harness::seeded().await;
    let store = harness.store("Market & Van Ness").await;
    let asked = |store: StoreId, lines| v1::ResolveLinesRequest {
        store_id: store.to_string(),
        lines,
        pickup_at: String::new(),
    };
    assert_eq!(
        reason(
            harness
                .grpc
                .resolve_lines(consumer(new_consumer(), asked(store, vec![])))
                .await
        ),
        "FORBIDDEN"
    );
    assert_eq!(
        reason(
            harness
                .grpc
                .resolve_lines(service("rewards", asked(store, vec![])))
                .await
        ),
        "FORBIDDEN"
    );
    assert_eq!(
        reason(
            harness
                .grpc
                .resolve_lines(service("ordering", asked(nowhere(), vec![])))
                .await
        ),
        "STORE_UNKNOWN"
    );
    let lines = vec![v1::CartLine::default(); 51];
    assert_eq!(
        reason(
            harness
                .grpc
                .resolve_lines(service("ordering", asked(store, lines)))
                .await
        ),
        "TOO_MANY_LINES"
    );
    let some_day = v1::ResolveLinesRequest {
        pickup_at: "some day".into(),
        ..asked(store, vec![])
    };
    assert_eq!(
        reason(harness.grpc.resolve_lines(service("ordering", some_day)).await),
        "TIME_INVALID"
    );
    harness.close().await;
}
