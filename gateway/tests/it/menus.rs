//! Usual items, suggestions, and the options of a cart.

use callers::Caller;
use kit::{ErrorCode, ServiceError};
use proto::stores::v1::{
    AddUsualItemRequest, CartChoice, Choice, DeleteUsualItemRequest, DeleteUsualItemResponse,
    GetModificationChoiceRequest, GetPickupOptionsRequest, GetStoreRequest, LineProblem,
    ListTopOrderedRequest, ListTopOrderedResponse, ListUpsellItemsRequest, ListUpsellItemsResponse,
    ListUsualItemsRequest, ListUsualItemsResponse, MenuItem, OfferedChoice, PickupOptions, ResolvedLine,
    Size, UsualItem,
};
use proto::values::v1::Money;
use serde_json::json;

use crate::fake_services::FakeServices;
use crate::fixtures::store;
use crate::harness::{CONSUMER, Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

#[expect(clippy::unnecessary_wraps, reason = "message fields are optional in proto3")]
fn usd(cents: i64) -> Option<Money> {
    Some(Money {
        minor_units: cents,
        currency: "usd".into(),
    })
}

fn usual_item() -> UsualItem {
    UsualItem {
        usual_item_id: "usu_1".into(),
        store_id: "str_1".into(),
        name: "Monday".into(),
        item_id: "itm_1".into(),
        line: Some(ResolvedLine {
            item_name: "Latte".into(),
            kind: "drink".into(),
            unit_price: usd(530),
            ..Default::default()
        }),
        problem: Some(LineProblem {
            reason: "ITEM_SOLD_OUT".into(),
            ..Default::default()
        }),
        ..Default::default()
    }
}

#[tokio::test]
async fn usual_items_are_those_of_the_signed_in_consumer() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("ListUsualItems", |request: ListUsualItemsRequest| {
        assert_eq!(request.store_id, "str_1");
        Ok(ListUsualItemsResponse {
            items: vec![usual_item(), UsualItem::default()],
        })
    });
    services.on("AddUsualItem", |request: AddUsualItemRequest| {
        assert_eq!(
            (&*request.item_id, &*request.note, &*request.name),
            ("itm_1", "Hot", "")
        );
        let choice = CartChoice {
            modification_id: "mod_1".into(),
            choice_id: "cho_1".into(),
            quantity: 2,
        };
        assert_eq!(request.choices, [choice]);
        Ok(usual_item())
    });
    services.on("DeleteUsualItem", |request: DeleteUsualItemRequest| {
        assert_eq!(request.usual_item_id, "usu_1");
        Ok(DeleteUsualItemResponse {})
    });
    let gateway = Gateway::start(&services).await;
    let token = new_token();
    let list = gateway.get("/api/consumer/store/usual-items?storeId=str_1");
    let (status, body) = status_and_body(list.with_session(&token).send().await.unwrap()).await;
    assert_eq!(status, 200, "{body}");
    let items = &body["data"]["items"];
    assert_eq!(items[0]["line"]["unitPrice"]["currencyAmount"], 530);
    assert_eq!(items[0]["problem"]["reason"], "ITEM_SOLD_OUT");
    assert_eq!(
        (&items[1]["line"], &items[1]["problem"]),
        (&json!(null), &json!(null))
    );
    let add = json!({"storeId": "str_1", "itemId": "itm_1", "sizeId": "siz_1", "note": "Hot",
        "choices": [{"modificationId": "mod_1", "choiceId": "cho_1", "quantity": 2}]});
    let delete = json!({"usualItemId": "usu_1"});
    for (path, body) in [("add-usual-item", add), ("delete-usual-item", delete)] {
        let request = gateway.post(&format!("/api/consumer/item/{path}"), &body);
        let response = request.with_session(&token).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
    }
    for method in ["ListUsualItems", "AddUsualItem", "DeleteUsualItem"] {
        let calls = services.calls(method);
        assert!(
            matches!(&calls[0].caller, Caller::Consumer { id, .. } if id.to_string() == CONSUMER),
            "{method}"
        );
    }
}

#[tokio::test]
async fn the_items_of_the_cart_are_passed_along_and_equal_carts_share_a_response() {
    let services = FakeServices::start().await;
    services.on("ListUpsellItems", |request: ListUpsellItemsRequest| {
        assert_eq!(request.item_ids, ["itm_1", "itm_2"]);
        Ok(ListUpsellItemsResponse {
            items: vec![MenuItem {
                item_id: "itm_3".into(),
                kind: "food".into(),
                price_from: usd(325),
                ..Default::default()
            }],
        })
    });
    services.on("ListTopOrdered", |_: ListTopOrderedRequest| {
        Ok(ListTopOrderedResponse { items: Vec::new() })
    });
    let gateway = Gateway::start(&services).await;
    for ids in ["itm_1,itm_2", "itm_2,itm_1,itm_2,"] {
        let path = format!("/api/consumer/store/upsell-items?storeId=str_1&itemIds={ids}");
        let (status, body) = status_and_body(gateway.get(&path).send().await.unwrap()).await;
        assert_eq!(status, 200, "{body}");
        assert_eq!(body["data"]["items"][0]["itemId"], "itm_3");
    }
    assert_eq!(services.calls("ListUpsellItems").len(), 1);
    let path = "/api/consumer/store/top-ordered?storeId=str_1";
    let (_, body) = status_and_body(gateway.get(path).send().await.unwrap()).await;
    assert_eq!(body["data"]["items"], json!([]));
}

#[tokio::test]
async fn a_choice_is_found_by_its_own_address() {
    let services = FakeServices::start().await;
    services.on(
        "GetModificationChoice",
        |request: GetModificationChoiceRequest| {
            if request.choice_id != "cho_1" {
                let message = "We couldn't find that choice on the menu.";
                return Err(ServiceError::new(ErrorCode::NotFound, "CHOICE_UNKNOWN", message).into());
            }
            Ok(OfferedChoice {
                item_name: "Latte".into(),
                size: Some(Size {
                    price: usd(450),
                    ..Default::default()
                }),
                modification_name: "Milk".into(),
                choice: Some(Choice {
                    name: "Oat".into(),
                    ..Default::default()
                }),
                ..Default::default()
            })
        },
    );
    let gateway = Gateway::start(&services).await;
    let path =
        "/api/consumer/item/modification-choice?storeId=str_1&sizeId=siz_1&modificationId=mod_1&choiceId=";
    let (_, body) = status_and_body(gateway.get(&format!("{path}cho_1")).send().await.unwrap()).await;
    assert_eq!(body["data"]["choice"]["name"], "Oat", "{body}");
    let (status, body) = status_and_body(gateway.get(&format!("{path}cho_2")).send().await.unwrap()).await;
    assert_eq!((status, body["reason"].as_str()), (404, Some("CHOICE_UNKNOWN")));
}

#[tokio::test]
async fn cart_options_combine_the_pickup_times_with_the_rules_of_carts() {
    let services = FakeServices::start().await;
    services.on("GetStore", |_: GetStoreRequest| {
        let mut store = store();
        store.tax_rate_ppm = 86_250;
        Ok(store)
    });
    services.on("GetPickupOptions", |request: GetPickupOptionsRequest| {
        assert_eq!((&*request.store_id, request.make_seconds), ("str_1", 90));
        Ok(PickupOptions {
            counter: true,
            earliest_at: "2026-11-20T17:05:00Z".into(),
            earliest_local_time: "09:05".into(),
            ..Default::default()
        })
    });
    let gateway = Gateway::start(&services).await;
    let path = "/api/consumer/store/cart-options?storeId=str_1&makeSeconds=90";
    let (status, body) = status_and_body(gateway.get(path).send().await.unwrap()).await;
    assert_eq!(status, 200, "{body}");
    let data = &body["data"];
    assert_eq!(data["pickup"]["earliestAt"], "2026-11-20T17:05:00Z");
    assert_eq!(data["pickup"]["earliestLocalTime"], "09:05");
    assert_eq!(data["taxRatePpm"], 86_250);
    assert_eq!(
        data["tip"],
        json!({"percents": [0, 10, 15, 20], "maxAmount": 10_000})
    );
    assert_eq!(
        data["paymentTypes"],
        json!(["card", "bank", "joebucks", "apple", "google"])
    );
    assert_eq!(data["limits"]["lineQuantity"], 20);
}
