//! One modification or choice by its ids.

use proto::stores::v1::{self as pb, stores_server::Stores as _};

use crate::harness::{Harness, ok, reason, request_from_service, unknown_store};

fn choice_request(
    modification: &pb::GetModificationRequest,
    choice_id: &str,
) -> pb::GetModificationChoiceRequest {
    pb::GetModificationChoiceRequest {
        store_id: modification.store_id.clone(),
        size_id: modification.size_id.clone(),
        modification_id: modification.modification_id.clone(),
        choice_id: choice_id.into(),
    }
}

#[tokio::test]
async fn a_modification_and_its_choices_have_the_prices_of_the_size() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Sunset & Maltman").await;
    let latte = harness.item(store_id, "Latte").await;
    let milk = &latte.modifications[0];
    let oat = milk.choices.iter().find(|choice| choice.name == "Oat").unwrap();
    for (index, cents, calories) in [(0, 60, -10), (3, 90, -30)] {
        let request = pb::GetModificationRequest {
            store_id: store_id.to_string(),
            size_id: latte.sizes[index].size_id.clone(),
            modification_id: milk.modification_id.clone(),
        };
        let choice_request = choice_request(&request, &oat.choice_id);
        let found = ok(harness
            .grpc
            .get_modification(request_from_service("gateway", request))
            .await);
        assert_eq!(
            (found.item_id, found.item_name, found.size.as_ref()),
            (latte.item_id.clone(), "Latte".into(), Some(&latte.sizes[index]))
        );
        let modification = found.modification.unwrap();
        assert_eq!(
            (modification.min, modification.max, modification.choices.len()),
            (milk.min, milk.max, milk.choices.len())
        );
        assert!(modification.choices.iter().all(|choice| choice.prices.len() == 1));
        // Coconut milk is sold out at this store.
        assert!(modification.choices.iter().any(|choice| choice.sold_out));
        let found = ok(harness
            .grpc
            .get_modification_choice(request_from_service("gateway", choice_request))
            .await);
        let choice = found.choice.unwrap();
        assert_eq!(
            (
                found.modification_name.as_str(),
                choice.name.as_str(),
                choice.calories
            ),
            ("Milk", "Oat", calories)
        );
        assert_eq!(choice.prices[0].price.as_ref().unwrap().minor_units, cents);
    }
    harness.close().await;
}

#[tokio::test]
async fn unknown_and_foreign_ids_are_not_found() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let latte = harness.item(store_id, "Latte").await;
    let croissant = harness.item(store_id, "Butter Croissant").await;
    let foreign = harness.item(harness.store("Ferry Plaza").await, "Latte").await;
    let valid = pb::GetModificationRequest {
        store_id: store_id.to_string(),
        size_id: latte.sizes[0].size_id.clone(),
        modification_id: latte.modifications[0].modification_id.clone(),
    };
    let with = |change: &dyn Fn(&mut pb::GetModificationRequest)| {
        let mut request = valid.clone();
        change(&mut request);
        request
    };
    let cases = [
        (
            with(&|r| r.store_id = unknown_store().to_string()),
            "STORE_UNKNOWN",
        ),
        (
            with(&|r| r.size_id = foreign.sizes[0].size_id.clone()),
            "SIZE_UNKNOWN",
        ),
        (with(&|r| r.size_id = "x".into()), "ID_MALFORMED"),
        (with(&|r| r.modification_id = String::new()), "ID_MALFORMED"),
        // The croissant has no milk.
        (
            with(&|r| r.size_id = croissant.sizes[0].size_id.clone()),
            "MODIFICATION_UNKNOWN",
        ),
    ];
    let milk = &latte.modifications[0].choices[0].choice_id;
    for (request, expected) in cases {
        let choice_request = choice_request(&request, milk);
        let request = request_from_service("gateway", request);
        assert_eq!(reason(harness.grpc.get_modification(request).await), expected);
        let request = request_from_service("gateway", choice_request);
        assert_eq!(
            reason(harness.grpc.get_modification_choice(request).await),
            expected
        );
    }
    let other_choice = &latte.modifications[1].choices[0].choice_id;
    for (choice_id, expected) in [(other_choice.as_str(), "CHOICE_UNKNOWN"), ("x", "ID_MALFORMED")] {
        let request = request_from_service("gateway", choice_request(&valid, choice_id));
        assert_eq!(
            reason(harness.grpc.get_modification_choice(request).await),
            expected
        );
    }
    harness.close().await;
}
