//! Sold-out items, sizes and choices.

use proto::stores::v1::{self as pb, set_availability_request::Subject, stores_server::Stores as _};
use types::StoreId;

use crate::harness::{
    Harness, new_consumer, ok, reason, request_from_consumer, request_from_service, request_from_store,
};

fn request(store_id: StoreId, subject: Subject, sold_out: bool) -> pb::SetAvailabilityRequest {
    pb::SetAvailabilityRequest {
        store_id: store_id.to_string(),
        subject: Some(subject),
        sold_out,
    }
}

impl Harness {
    async fn set_availability(&self, store_id: StoreId, subject: Subject, sold_out: bool) {
        let request = request_from_store(Some(vec![store_id]), request(store_id, subject, sold_out));
        assert_eq!(ok(self.grpc.set_availability(request).await).sold_out, sold_out);
    }

    async fn problem(&self, store_id: StoreId, line: pb::CartLine) -> Option<String> {
        let request = pb::ResolveLinesRequest {
            store_id: store_id.to_string(),
            lines: vec![line],
            pickup_at: String::new(),
        };
        let response = ok(self
            .grpc
            .resolve_lines(request_from_service("ordering", request))
            .await);
        response.problems.into_iter().next().map(|problem| problem.reason)
    }
}

#[tokio::test]
async fn each_level_is_sold_out_at_one_store_until_it_is_available_again() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let latte = harness.item(store_id, "Latte").await;
    let milk = &latte.modifications[0];
    let whole = milk.choices.iter().find(|choice| choice.name == "Whole").unwrap();
    let line = pb::CartLine {
        line_id: "one".into(),
        item_id: latte.item_id.clone(),
        size_id: latte.sizes[0].size_id.clone(),
        quantity: 1,
        ..Default::default()
    };
    let levels = [
        (Subject::ItemId(latte.item_id.clone()), "ITEM_SOLD_OUT"),
        (Subject::SizeId(latte.sizes[0].size_id.clone()), "SIZE_SOLD_OUT"),
        (Subject::ChoiceId(whole.choice_id.clone()), "CHOICE_SOLD_OUT"),
    ];
    let before = harness.database.outbox_event_types().await.len();
    let version = "SELECT version FROM stores WHERE name = 'Market & Van Ness'";
    let first_version = harness.count(version).await;
    for (subject, expected) in levels {
        for _ in 0..2 {
            harness.set_availability(store_id, subject.clone(), true).await;
        }
        let item = harness.item(store_id, "Latte").await;
        let sold_out = [
            item.sold_out,
            item.sizes[0].sold_out,
            item.modifications[0].choices.iter().any(|choice| choice.sold_out),
        ];
        assert_eq!(
            sold_out.into_iter().filter(|level| *level).count(),
            1,
            "{expected}"
        );
        assert_eq!(
            harness.problem(store_id, line.clone()).await.as_deref(),
            Some(expected)
        );
        let other_store = harness.store("Ferry Plaza").await;
        assert!(!harness.item(other_store, "Latte").await.sold_out);
        harness.set_availability(store_id, subject, false).await;
        assert_eq!(harness.problem(store_id, line.clone()).await, None);
    }
    // A repeated call publishes no event.
    assert_eq!(
        harness.database.outbox_event_types().await[before..],
        ["stores.AvailabilityChanged"; 6]
    );
    assert_eq!(harness.count(version).await, first_version + 6);
    harness.close().await;
}

#[tokio::test]
async fn only_the_store_marks_subjects_of_its_menu() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let other_store = harness.store("Ferry Plaza").await;
    let latte = harness.item(store_id, "Latte").await;
    let foreign = harness.item(other_store, "Latte").await;
    let valid = request(store_id, Subject::ItemId(latte.item_id.clone()), true);
    let rejected = [
        request_from_store(Some(vec![other_store]), valid.clone()),
        request_from_consumer(new_consumer(), valid.clone()),
        request_from_service("ordering", valid.clone()),
    ];
    for request in rejected {
        assert_eq!(reason(harness.grpc.set_availability(request).await), "FORBIDDEN");
    }
    let foreign_choice = foreign.modifications[0].choices[0].choice_id.clone();
    let unknown = [
        (Subject::ItemId(foreign.item_id.clone()), "ITEM_UNKNOWN"),
        (Subject::ItemId("x".into()), "ID_MALFORMED"),
        (Subject::SizeId(foreign.sizes[0].size_id.clone()), "SIZE_UNKNOWN"),
        (Subject::ChoiceId(foreign_choice), "CHOICE_UNKNOWN"),
    ];
    for (subject, expected) in unknown {
        let request = request_from_store(Some(vec![store_id]), request(store_id, subject, true));
        assert_eq!(reason(harness.grpc.set_availability(request).await), expected);
    }
    let missing = pb::SetAvailabilityRequest {
        subject: None,
        ..valid
    };
    let request = request_from_store(Some(vec![store_id]), missing);
    assert_eq!(
        reason(harness.grpc.set_availability(request).await),
        "SUBJECT_MISSING"
    );
    harness.close().await;
}
